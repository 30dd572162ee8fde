package dev.rockpool.direct;

import dev.rockpool.internal.BareBuffers;
import dev.rockpool.internal.Foundations;
import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.SizeSetting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Direct memory under a budget: buffers, segments and arenas that together never hold more bytes
 * than a limit, all of them zeroed when they are handed out.
 *
 * <table class="striped">
 * <caption>Ways to direct memory</caption>
 * <thead>
 * <tr><th scope="col">from</th><th scope="col">freed by</th><th scope="col">threads</th></tr>
 * </thead>
 * <tbody>
 * <tr><th scope="row">{@link #allocate(int)}, {@link #allocate(long, long)}</th>
 *     <td>{@code free}, or the collector</td><td>any</td></tr>
 * <tr><th scope="row">{@link #ofConfined()}</th><td>{@code close}</td><td>the one that opened it</td></tr>
 * <tr><th scope="row">{@link #ofShared()}</th><td>{@code close}</td><td>any</td></tr>
 * <tr><th scope="row">{@link #ofAuto()}</th><td>the collector</td><td>any</td></tr>
 * </tbody>
 * </table>
 *
 * <p>
 *
 * {@snippet :
 * DirectMemory memory = DirectMemory.ofLimit(64 << 20);
 * ByteBuffer buffer = memory.allocate(1 << 20); // as from ByteBuffer.allocateDirect
 * channel.read(buffer);
 * memory.free(buffer); // now; without it, some time after nothing reaches the buffer any more
 * }
 *
 * <p><b>When the limit is reached</b>, a thread that asks for memory helps to free what nothing can
 * reach any more, then asks for one garbage collection, on behalf of all threads that wait, and
 * then pauses, until nothing was freed for half a second. Threads are served in the order in which
 * they came: a large request is not overtaken by small ones, so they wait as long as it does. An
 * interrupt does not end the wait, and is kept. With {@code -XX:+DisableExplicitGC} memory that was
 * not freed by hand is found by collections that happen by themselves, and by no other.
 *
 * <p><b>Freed memory</b> may be kept for the next request of the same size, zeroed again before it
 * is handed out. It counts within the limit, and is given back where anything else needs the room.
 * Each second a quarter of the unused blocks of each size is given back.
 *
 * <p>Safe for use by any thread, virtual ones included. A budget counts what its own methods hand
 * out, and knows nothing of {@link ByteBuffer#allocateDirect} or of other budgets. Buffers and
 * segments, but not {@link #ofConfined()} and {@link #ofShared()}, need <a
 * href="https://openjdk.org/jeps/472">native access</a> to be granted to Rockpool, addresses of 64
 * bits, and a linker that finds the C library.
 */
public final class DirectMemory {
  /** Whether all classes behind this one are initialized, see {@link Foundations}. */
  private static volatile boolean ready;

  private final Budget budget;
  private final KeptMemory keptMemory;

  DirectMemory(Budget budget, MemorySource source) {
    this.budget = budget;
    this.keptMemory = new KeptMemory(source, budget);
  }

  private static DirectMemory of(long limit, String remedy) {
    if (!ready) {
      Foundations.requireRoom();
      Reclaimer.initialize();
      Obstacle.NONE.check();
      new DirectMemory(new Budget(limit, remedy), MemorySource.SYSTEM);
      ready = true;
    }
    return new DirectMemory(new Budget(limit, remedy), MemorySource.SYSTEM);
  }

  /** Made at the first use, because its limit takes JMX to find. */
  private static final class Global {
    private static volatile @Nullable DirectMemory memory;

    /** Without a lock, because system properties may be the program's own object. */
    private static DirectMemory create() {
      Foundations.requireMoreRoom();
      String remedy = "-D" + SizeSetting.DIRECT_LIMIT.property();
      DirectMemory created = of(limit(), remedy);
      Housekeeper.add(new DirectMonitor.Showing(created));
      return publish(created);
    }

    /** Returns the first that was published. */
    private static synchronized DirectMemory publish(DirectMemory created) {
      DirectMemory known = memory;
      if (known == null) {
        memory = created;
        return created;
      }
      return known;
    }

    /** Where nothing is said the JVM takes the largest size of the heap, too. */
    private static long limit() {
      long ours = SizeSetting.DIRECT_LIMIT.readLong();
      long limit = ours != 0 ? ours : DirectMonitor.jvmLimit();
      return limit > 0 ? limit : Runtime.getRuntime().maxMemory();
    }
  }

  /**
   * The one that a program shares. Its limit is the system property {@code rockpool.direct.limit},
   * and without it the one that the JVM has for direct memory of its own ({@code
   * -XX:MaxDirectMemorySize}, else the largest size of the heap). It shows itself to JMX as a
   * {@link java.lang.management.BufferPoolMXBean} by the name of {@code rockpool-direct}.
   *
   * @return the same at each call
   */
  public static DirectMemory global() {
    DirectMemory known = Global.memory;
    return known != null ? known : Global.create();
  }

  /**
   * Makes one with a limit of its own.
   *
   * @param byteSize how much it may hand out at once (in bytes)
   * @return a new one, of which nothing is handed out
   * @throws IllegalArgumentException if {@code byteSize} is not positive
   */
  public static DirectMemory ofLimit(long byteSize) {
    if (byteSize <= 0) {
      throw new IllegalArgumentException("byteSize must be positive: byteSize=" + byteSize);
    }
    return of(byteSize, "the argument of DirectMemory.ofLimit");
  }

  /**
   * Allocates a buffer, as {@link ByteBuffer#allocateDirect} does: zeroed, direct, big-endian,
   * position 0, limit and capacity {@code capacity}. Any thread may use it, also with channels. Its
   * memory is freed after nothing can reach it, nor a slice, duplicate, view or segment made of it;
   * or at once by {@link #free(Buffer)}.
   *
   * @param capacity of the buffer (in bytes)
   * @return a new buffer
   * @throws IllegalArgumentException if {@code capacity} is negative
   * @throws OutOfMemoryError if the limit leaves no room and none could be made, or if the system
   *     has no memory
   * @throws IllegalCallerException if native access is denied to Rockpool
   * @throws UnsupportedOperationException if this JVM has no 64-bit addresses, or no linker that
   *     finds the C library
   */
  public ByteBuffer allocate(int capacity) {
    if (capacity < 0) {
      throw new IllegalArgumentException("capacity must not be negative: capacity=" + capacity);
    }
    Arena lifetime = Arena.ofShared();
    Block.Cleanup cleanup = Block.Cleanup.ofLifetime(this, lifetime);
    return cleanup.keep(allocate(capacity, 1, lifetime, cleanup).asByteBuffer());
  }

  /**
   * Allocates a segment with a lifetime of its own: zeroed, for any thread, freed like a buffer.
   *
   * @param byteSize of the segment (in bytes)
   * @param byteAlignment what its address is a multiple of (in bytes); what is allocated to get
   *     there, if it is more than 16, counts
   * @return a new segment
   * @throws IllegalArgumentException if {@code byteSize} is negative or {@code byteAlignment} is
   *     not a power of two
   * @throws OutOfMemoryError if the limit leaves no room and none could be made, or if the system
   *     has no memory
   * @throws IllegalCallerException if native access is denied to Rockpool
   * @throws UnsupportedOperationException if this JVM has no 64-bit addresses, or no linker that
   *     finds the C library
   */
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    Arena lifetime = Arena.ofShared();
    return allocate(byteSize, byteAlignment, lifetime, Block.Cleanup.ofLifetime(this, lifetime));
  }

  /**
   * Frees the memory of a buffer now. Each later access to it throws an {@link
   * IllegalStateException}, on all threads, and so it does through every slice, duplicate, view and
   * segment of that memory; any one of these may be given instead of the buffer, and has the same
   * effect. Any thread may call this, while others access the buffer.
   *
   * <p>That safety has a price: the JVM stops every thread for a moment, some tens of microseconds
   * with few threads, more with many. Where one thread alone uses the memory, an arena from {@link
   * #ofConfined()} is freed without; and what is left to the collector costs none of it.
   *
   * @param buffer from {@link #allocate(int)} of this object, or a view of one
   * @throws IllegalArgumentException if it is not; nothing has changed then
   * @throws IllegalStateException if its memory was freed before, by whoever that was, or a call
   *     that works on it, such as reading from a channel, has not returned; nothing has changed
   *     then
   */
  public void free(Buffer buffer) {
    free(MemorySegment.ofBuffer(buffer));
  }

  /**
   * Frees the memory of a segment now; see {@link #free(Buffer)}.
   *
   * @param segment from {@link #allocate(long, long)} of this object, or a slice or view of one
   * @throws IllegalArgumentException if it is not; nothing has changed then
   * @throws IllegalStateException if its memory was freed before, by whoever that was, or a call
   *     that works on it has not returned; nothing has changed then
   */
  public void free(MemorySegment segment) {
    MemorySegment.Scope scope = segment.scope();
    try {
      Block block = Blocks.find(scope);
      if (!scope.isAlive()) {
        throw freedBefore(segment);
      }
      Arena lifetime = block == null || block.memory() != this ? null : block.lifetime();
      if (lifetime == null) {
        throw foreign(segment);
      }
      close(lifetime, segment);
    } finally {
      // Keeps the lifetime of the block from being collected before it was asked for.
      Reference.reachabilityFence(scope);
    }
  }

  private static void close(Arena lifetime, MemorySegment view) {
    try {
      lifetime.close();
    } catch (IllegalStateException refused) {
      throw lifetime.scope().isAlive() ? inUse(view, refused) : freedBefore(view);
    }
  }

  /**
   * Opens a confined arena whose allocations count: {@link Arena#ofConfined()} under this budget.
   * What does not fit the limit is refused by an {@link OutOfMemoryError}, after the same efforts;
   * what was allocated is credited when the arena is closed.
   *
   * @return a new arena, owned by the current thread, to be closed by it
   */
  public Arena ofConfined() {
    return new BudgetedArena(this, Arena.ofConfined(), Thread.currentThread());
  }

  /**
   * Opens a shared arena whose allocations count: {@link Arena#ofShared()} under this budget. What
   * does not fit the limit is refused by an {@link OutOfMemoryError}, after the same efforts; what
   * was allocated is credited when the arena is closed.
   *
   * @return a new arena, to be closed by any thread
   */
  public Arena ofShared() {
    return new BudgetedArena(this, Arena.ofShared(), null);
  }

  /**
   * Opens an automatic arena whose allocations count: like {@link Arena#ofAuto()} it can't be
   * closed, and its memory is freed after nothing can reach the arena or its segments, and after
   * the cleanup actions that were registered with it since. What does not fit the limit is refused
   * by an {@link OutOfMemoryError}, after the same efforts. Its allocations throw what {@link
   * #allocate(long, long)} throws.
   *
   * @return a new arena
   */
  public Arena ofAuto() {
    return new BudgetedArena.Automatic(this);
  }

  /**
   * Returns the limit: the most bytes handed out at once.
   *
   * @return bytes
   */
  public long limit() {
    return budget.limit();
  }

  /**
   * Returns the bytes handed out now, including unreachable memory that is not freed yet. A buffer
   * counts as its capacity, an empty one as a byte.
   *
   * @return bytes, from 0 to {@link #limit()}
   */
  public long reserved() {
    return budget.reserved();
  }

  @Override
  public String toString() {
    return "DirectMemory[reserved=" + reserved() + ", limit=" + limit() + "]";
  }

  Budget budget() {
    return budget;
  }

  /** Number of blocks handed out. Looks at every block. */
  long blocks() {
    return Blocks.count(this);
  }

  KeptMemory keptMemory() {
    return keptMemory;
  }

  /**
   * Allocates a buffer as {@link #allocate(int)} does, for programs that know of no {@link #free}:
   * a bare one, if there are any.
   */
  ByteBuffer allocateBare(int capacity) {
    if (!BareBuffers.areAvailable()) {
      return allocate(capacity);
    }
    ByteBuffer buffer = BareBuffers.withoutMemory(capacity);
    Block block = Block.ofBuffer(this, buffer);
    boolean done = false;
    try {
      BareBuffers.bind(buffer, addressFor(block, Block.byteSizeFor(capacity, 1)));
      done = true;
      return buffer;
    } finally {
      if (!done) {
        block.abandoned = true;
        Blocks.hasAbandoned = true;
        block.tryFree();
      }
    }
  }

  /**
   * Allocates a segment.
   *
   * @param cleanup new, and of this
   * @param arena whose end frees the block
   */
  MemorySegment allocate(long byteSize, long byteAlignment, Arena arena, Block.Cleanup cleanup) {
    Obstacle.ofThisJvm().check();
    requireValid(byteSize, byteAlignment);
    Block block = cleanup.block();
    boolean done = false;
    try {
      long address = addressFor(block, Block.byteSizeFor(byteSize, byteAlignment));
      long start = (address + byteAlignment - 1) & -byteAlignment;
      MemorySegment segment = cleanup.segment(start, byteSize, arena);
      done = true;
      return segment;
    } finally {
      if (!done) {
        block.abandoned = true;
        Blocks.hasAbandoned = true;
        block.tryFree();
      }
    }
  }

  /** Allocates memory for a block; the caller abandons the block if this fails. */
  private static long addressFor(Block block, long byteSize) {
    block.reserve(byteSize);
    Reclaimer.start();
    long address = block.allocate(byteSize);
    if (address == 0) {
      throw new OutOfMemoryError(
          "The system has no memory: asked for " + byteSize + " bytes within the limit");
    }
    return address;
  }

  private static void requireValid(long byteSize, long byteAlignment) {
    if (byteSize < 0 || Long.bitCount(byteAlignment) != 1 || byteAlignment < 0) {
      throw new IllegalArgumentException(
          "byteSize must not be negative and byteAlignment must be a power of two: byteSize="
              + byteSize
              + ", byteAlignment="
              + byteAlignment);
    }
  }

  private IllegalArgumentException foreign(MemorySegment view) {
    return new IllegalArgumentException(
        "Memory is freed by the DirectMemory that allocated it: " + view + ", " + this);
  }

  private static IllegalStateException freedBefore(MemorySegment view) {
    return new IllegalStateException("Direct memory is freed once: " + view);
  }

  private static IllegalStateException inUse(MemorySegment view, IllegalStateException cause) {
    return new IllegalStateException(
        "Direct memory is freed when no call works on it any more: "
            + view
            + "; wait until that call has returned",
        cause);
  }
}
