package dev.rockpool.direct;

import dev.rockpool.internal.StackSpace;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A confined or shared arena of the JDK, whose lifetime and memory stay the JDK's. A {@link Block}
 * without native memory reserves bytes before each allocation, and credits all of them once the
 * arena is closed.
 *
 * <pre>
 *            close: by one at a time
 *   open  ----------------------------&gt;  closing  ---- the JDK closed it ----&gt; credited
 *     ^                                     |
 *     +----------- the JDK refused ---------+
 * </pre>
 *
 * <p>Closing runs cleanup actions of the program, therefore no thread may wait for another thread's
 * close: a second close is refused at once, as in the JDK.
 */
final class BudgetedArena implements Arena {
  private final DirectMemory memory;
  private final Arena arena;
  private final @Nullable Thread owner;
  private final Block block;

  /**
   * Whether a thread is closing the arena. Set with the monitor of the block, because the program
   * sees this object; reset by a plain write, because there may be no stack for a call.
   */
  private volatile boolean closing;

  /** {@code owner} is the only thread that may use the arena; null if any thread may. */
  BudgetedArena(DirectMemory memory, Arena arena, @Nullable Thread owner) {
    this.memory = memory;
    this.arena = arena;
    this.owner = owner;
    this.block = new Block(memory);
  }

  @SuppressWarnings("ReferenceEquality") // a thread equals itself only
  private boolean isForeign() {
    return owner != null && owner != Thread.currentThread();
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    boolean valid = byteSize >= 0 && byteAlignment > 0 && Long.bitCount(byteAlignment) == 1;
    if (!valid || isForeign() || !scope().isAlive()) {
      // Throws the JDK's own exception, before any wait.
      return arena.allocate(byteSize, byteAlignment);
    }
    long total = Block.byteSizeFor(byteSize, byteAlignment);
    block.reserve(total);
    try {
      Reclaimer.start();
      memory.keptMemory().makeRoom();
      return arena.allocate(byteSize, byteAlignment);
    } catch (Throwable failure) {
      block.giveBack(total);
      throw failure;
    }
  }

  @Override
  public MemorySegment.Scope scope() {
    return arena.scope();
  }

  /** The arena may be closed although closing throws: a cleanup action may have thrown. */
  @Override
  public void close() {
    if (isForeign()) {
      arena.close(); // which throws, and does not keep the owner from closing it meanwhile
      return;
    }
    if (owner == null) {
      // The JDK marks a shared arena as closing first; cut off there, each later close would spin.
      StackSpace.require();
    }
    synchronized (block) {
      if (closing) {
        throw new IllegalStateException("An arena must be closed once: another close is under way");
      }
      closing = true;
    }
    boolean closed = false;
    try {
      arena.close();
      closed = true;
    } finally {
      boolean settled = false;
      try {
        block.perhapsClosed = arena;
        if (closed || !scope().isAlive()) {
          settled = block.tryFree();
        } else {
          block.perhapsClosed = null;
          settled = true;
        }
      } finally {
        if (!settled) {
          Blocks.hasAbandoned = true; // The stack ended here, or another thread is freeing it.
        }
        closing = false;
      }
    }
  }

  @Override
  public String toString() {
    Budget budget = memory.budget();
    return arena + " within " + budget.reserved() + " of " + budget.limit() + " bytes";
  }

  /**
   * An automatic arena of the JDK, with Rockpool's memory: a block for each segment. When the arena
   * and its segments are unreachable, the JDK's cleaner runs the cleanup actions of the arena, the
   * last one first. Such an action frees each block, therefore the program's actions and its mapped
   * files keep the order of the JDK's own arenas.
   *
   * <p>The JDK's memory would count against the JVM's own limit as well.
   */
  static final class Automatic implements Arena {
    private final DirectMemory memory;
    private final Arena arena = Arena.ofAuto();

    Automatic(DirectMemory memory) {
      this.memory = memory;
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
      return memory.allocate(byteSize, byteAlignment, arena, Block.Cleanup.ofAutomatic(memory));
    }

    @Override
    public MemorySegment.Scope scope() {
      return arena.scope();
    }

    /** Throws the JDK's own exception. */
    @Override
    public void close() {
      arena.close();
    }
  }
}
