package dev.rockpool.direct;

import dev.rockpool.internal.Account;
import dev.rockpool.internal.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A confined or shared arena of the JDK, whose lifetime and memory stay the JDK's. Reserves bytes
 * before each allocation, and credits all of them once the JDK has closed the arena.
 *
 * <pre>
 *            close: by one at a time
 *   open  ----------------------------&gt;  closing  ---- the JDK closed it ----&gt; credited
 *     ^                                     |
 *     +----------- the JDK refused ---------+
 * </pre>
 */
final class BudgetedArena implements Arena {
  private static final long CREDITED = -1;

  private final Account account;
  private final Arena arena;
  private final @Nullable Thread owner;

  /**
   * Whether a thread is closing the arena. Closing runs cleanup actions of the program, therefore
   * no thread waits for another one's close: a second close is refused at once, as in the JDK.
   */
  private final AtomicBoolean isClosing = new AtomicBoolean();

  /** Not this object, whose monitor the program may keep. */
  private final Object lock = new Object();

  /** In bytes, or {@link #CREDITED}. Guarded by the lock. */
  private long reserved;

  /** {@code owner} is the only thread that may use the arena; null if any thread may. */
  BudgetedArena(Account account, Arena arena, @Nullable Thread owner) {
    this.account = account;
    this.arena = arena;
    this.owner = owner;
  }

  @SuppressWarnings("ReferenceEquality") // a thread equals itself only
  private boolean isForeign() {
    return owner != null && owner != Thread.currentThread();
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    if (!Request.isValid(byteSize, byteAlignment) || isForeign() || !scope().isAlive()) {
      // Throws the JDK's own exception, before any wait.
      return arena.allocate(byteSize, byteAlignment);
    }
    long total = Request.total(byteSize, byteAlignment);
    account.reserve(total);
    boolean added = tryAdd(total);
    boolean allocated = false;
    try {
      MemorySegment segment = arena.allocate(byteSize, byteAlignment);
      allocated = true;
      return segment;
    } finally {
      if (!added || (!allocated && tryAdd(-total))) {
        account.credit(total);
      }
    }
  }

  /** Returns false if the arena was closed meanwhile, which has credited all that was added. */
  private boolean tryAdd(long byteSize) {
    synchronized (lock) {
      if (reserved == CREDITED) {
        return false;
      }
      reserved += byteSize;
      return true;
    }
  }

  private void creditAll() {
    long all;
    synchronized (lock) {
      all = reserved;
      reserved = CREDITED;
    }
    if (all > 0) {
      account.credit(all);
    }
  }

  @Override
  public MemorySegment.Scope scope() {
    return arena.scope();
  }

  @Override
  public void close() {
    if (isForeign()) {
      arena.close(); // which throws, and does not keep the owner from closing it meanwhile
      return;
    }
    MemorySegment.Scope scope = scope();
    if (!isClosing.compareAndSet(false, true)) {
      throw new IllegalStateException("An arena must be closed once: another close is under way");
    }
    try {
      arena.close();
    } finally {
      isClosing.set(false);
      if (!scope.isAlive()) { // a cleanup action may have thrown
        creditAll();
      }
    }
  }

  /**
   * An automatic arena of the JDK, with Rockpool's memory: a block for each segment. The JDK's
   * memory would count against the JVM's own limit as well. When the arena and its segments are
   * unreachable, the JDK's cleaner runs the cleanup actions of the arena, the last one first, among
   * them those of the blocks.
   */
  record Automatic(Holder holder, Arena arena) implements Arena {
    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
      return Request.isValid(byteSize, byteAlignment)
          ? holder.memory.allocate(holder, byteSize, byteAlignment, arena, null)
          : arena.allocate(byteSize, byteAlignment); // throws the JDK's own exception
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
