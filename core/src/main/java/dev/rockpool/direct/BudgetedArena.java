package dev.rockpool.direct;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A confined or shared arena of the JDK, whose lifetime and memory stay the JDK's. What it
 * allocates is reserved before, by a {@link Block} without memory of its own, and credited once the
 * arena is closed.
 *
 * <pre>
 *            close: by one at a time
 *   open  ----------------------------&gt;  closing  ---- the JDK closed it ----&gt; credited
 *     ^                                     |
 *     +----------- the JDK refused ---------+
 * </pre>
 *
 * <p>Closing runs cleanup actions of the program, so nobody may wait for its end: who comes while
 * another one is at it is refused at once, as the JDK does it.
 */
final class BudgetedArena implements Arena {
  private final DirectMemory memory;
  private final Arena arena;
  private final @Nullable Thread owner;
  private final Block reserved;

  /** Whether somebody is about to close it. Set with the monitor, reset without. */
  private volatile boolean closing;

  /**
   * An open arena.
   *
   * @param owner the one thread that may use it, or null if any may
   */
  BudgetedArena(DirectMemory memory, Arena arena, @Nullable Thread owner) {
    this.memory = memory;
    this.arena = arena;
    this.owner = owner;
    this.reserved = Block.ofArena(memory);
  }

  @SuppressWarnings("ReferenceEquality") // a thread equals itself only
  private boolean isForeign() {
    return owner != null && owner != Thread.currentThread();
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    boolean valid = byteSize >= 0 && byteAlignment > 0 && Long.bitCount(byteAlignment) == 1;
    if (!valid || isForeign() || !scope().isAlive()) {
      // Throws what it always did, before anything is waited for.
      return arena.allocate(byteSize, byteAlignment);
    }
    long total = Block.byteSizeFor(byteSize, byteAlignment);
    reserved.reserve(total);
    boolean done = false;
    try {
      Reclaimer.start();
      memory.keptMemory().makeRoom();
      MemorySegment segment = arena.allocate(byteSize, byteAlignment);
      done = true;
      return segment;
    } finally {
      if (!done) {
        reserved.giveBack(total);
      }
    }
  }

  @Override
  public MemorySegment.Scope scope() {
    return arena.scope();
  }

  /** The arena may be closed although closing throws, as a cleanup action did. */
  @Override
  public void close() {
    if (isForeign()) {
      arena.close(); // which throws, and does not keep the owner from closing it meanwhile
      return;
    }
    if (!startsClosing()) {
      throw new IllegalStateException("An arena is closed once: another close is under way");
    }
    boolean closed = false;
    try {
      arena.close();
      closed = true;
    } finally {
      boolean settled = false;
      try {
        reserved.perhapsClosed = arena;
        if (closed || !scope().isAlive()) {
          settled = reserved.tryFree();
        } else {
          reserved.perhapsClosed = null;
          settled = true;
        }
      } finally {
        if (!settled) {
          Blocks.hasAbandoned = true; // The stack ended here, or somebody else is at it.
        }
        closing = false;
      }
    }
  }

  private synchronized boolean startsClosing() {
    if (closing) {
      return false;
    }
    closing = true;
    return true;
  }

  @Override
  public String toString() {
    Budget budget = memory.budget();
    return arena + " within " + budget.reserved() + " of " + budget.limit() + " bytes";
  }

  /**
   * An automatic arena of the JDK, with memory of ours: a block for each segment. When nothing can
   * reach the arena and its segments any more, the JDK's cleaner runs what was registered with the
   * arena, last things first. Blocks are freed by such actions: so those of the program, and files
   * that it mapped, come in the same order as in the JDK's own arenas.
   *
   * <p>Not with memory of the JDK, which would count against the JVM's own limit as well.
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

    /** The JDK's own exception. */
    @Override
    public void close() {
      arena.close();
    }
  }
}
