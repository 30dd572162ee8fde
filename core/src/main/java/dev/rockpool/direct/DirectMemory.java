package dev.rockpool.direct;

import dev.rockpool.internal.BareBuffers;
import dev.rockpool.internal.Foundations;
import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.SizeSetting;
import dev.rockpool.internal.StackSpace;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Direct memory under a budget: buffers, segments and arenas that together never reserve more bytes
 * than a limit. Memory is zeroed before it is handed out.
 *
 * <table class="striped">
 * <caption>Ways to direct memory</caption>
 * <thead>
 * <tr><th scope="col">from</th><th scope="col">freed by</th><th scope="col">threads</th></tr>
 * </thead>
 * <tbody>
 * <tr><th scope="row">{@link #allocate(int)}, {@link #allocate(long, long)}</th>
 *     <td>{@code free}, or the collector</td><td>any</td></tr>
 * <tr><th scope="row">{@link #ofConfined()}</th><td>{@code close}</td><td>the owner</td></tr>
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
 * memory.free(buffer); // now; otherwise some time after the buffer is unreachable
 * }
 *
 * <p><b>When the limit is reached</b>, a thread that asks for memory waits. One waiting thread
 * frees unreachable memory and asks for garbage collections, for all. Requests are served in FIFO
 * order, so that small ones do not starve a large one. Once nothing was freed for half a second,
 * smaller requests overtake the first one, one time only; then the first one is refused. A request
 * above the limit is refused at once. An interrupt does not end the wait, and is kept. With {@code
 * -XX:+DisableExplicitGC}, only collections that the JVM starts by itself find unreachable memory.
 *
 * <p><b>Freed memory</b> may be kept for the next request of the same size, which gets it zeroed.
 * Kept memory is within the limit, and is given back when another request needs the room. Each
 * second a quarter of the unused blocks of each size is given back.
 *
 * <p>Safe for use by any thread, virtual threads included. A budget counts only the memory of its
 * own methods, not that of {@link ByteBuffer#allocateDirect} or of other budgets. Buffers, segments
 * and {@link #ofAuto()}, but not {@link #ofConfined()} and {@link #ofShared()}, need <a
 * href="https://openjdk.org/jeps/472">native access</a> for Rockpool, addresses of 64 bits, and a
 * linker that finds the C library.
 */
public final class DirectMemory {
  /** Whether all classes that this class uses are initialized, see {@link Foundations}. */
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
      initializeArenasOfTheJdk();
      Reclaimer.initialize();
      Obstacle.NONE.check(); // initializes the enum
      StackSpace.require(); // closing must not wait for the program's class loader
      new DirectMemory(new Budget(limit, remedy), MemorySource.SYSTEM);
      ready = true;
    }
    return new DirectMemory(new Budget(limit, remedy), MemorySource.SYSTEM);
  }

  /** The JDK's classes would stay broken if their first use met the end of a stack. */
  private static void initializeArenasOfTheJdk() {
    Arena.ofShared().close();
    Arena.ofConfined().close();
    Objects.requireNonNull(Arena.ofAuto());
  }

  /** Made at the first use, because finding the limit needs JMX. */
  private static final class Global {
    /** The lock of the write to {@code memory}, for the reason that {@code Housekeeper} has one. */
    private static final Object LOCK = new Object();

    private static volatile @Nullable DirectMemory memory;

    /** Holds no lock, because system properties may be the program's own object. */
    private static DirectMemory create() {
      Foundations.requireMoreRoom();
      String remedy = "-D" + SizeSetting.DIRECT_LIMIT.property();
      DirectMemory created = of(limit(), remedy);
      Housekeeper.add(new DirectMonitor.Showing(created));
      return publish(created);
    }

    private static DirectMemory publish(DirectMemory created) {
      synchronized (LOCK) {
        DirectMemory known = memory;
        if (known == null) {
          memory = created;
          return created;
        }
        return known;
      }
    }

    /** Returns the limit in bytes; without a flag, the largest heap size, as in the JVM. */
    private static long limit() {
      long ours = SizeSetting.DIRECT_LIMIT.readLong();
      long limit = ours != 0 ? ours : DirectMonitor.jvmLimit();
      return limit > 0 ? limit : Runtime.getRuntime().maxMemory();
    }
  }

  /**
   * Returns the direct memory that the whole program shares. Its limit is the system property
   * {@code rockpool.direct.limit}, else the JVM's own limit for direct memory ({@code
   * -XX:MaxDirectMemorySize}, else the largest heap size). The platform's MBean server shows it as
   * a {@link java.lang.management.BufferPoolMXBean} named {@code rockpool-direct}; {@code
   * getPlatformMXBeans} does not list it.
   *
   * @return the same at each call
   * @throws OutOfMemoryError if the heap has too little room for a first use; a later call tries
   *     again
   * @throws StackOverflowError if the stack has too little room for a first use
   */
  public static DirectMemory global() {
    DirectMemory known = Global.memory;
    return known != null ? known : Global.create();
  }

  /**
   * Makes a direct memory with a limit of its own.
   *
   * @param byteSize the limit: the most bytes reserved at any instant
   * @return a new direct memory, with nothing reserved
   * @throws IllegalArgumentException if {@code byteSize} is not positive
   * @throws OutOfMemoryError if the heap has too little room for a first use; a later call tries
   *     again
   * @throws StackOverflowError if the stack has too little room for a first use
   */
  public static DirectMemory ofLimit(long byteSize) {
    if (byteSize <= 0) {
      throw new IllegalArgumentException("byteSize must be positive: byteSize=" + byteSize);
    }
    return of(byteSize, "the argument of DirectMemory.ofLimit");
  }

  /**
   * Allocates a buffer, as {@link ByteBuffer#allocateDirect} does: zeroed, direct, big-endian,
   * position 0, limit and capacity {@code capacity}. Any thread may use it, also with channels, but
   * on Windows not with {@link java.nio.channels.AsynchronousFileChannel}. Its memory is freed
   * after the buffer and every slice, duplicate, view and segment of it are unreachable, or at once
   * by {@link #free(Buffer)}.
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
   * @param byteAlignment of the segment (in bytes); above 16, padding is reserved as well
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
   * Frees the memory of a buffer now. Each later access to the buffer, or to a slice, duplicate,
   * view or segment of its memory, throws an {@link IllegalStateException} on all threads. Any of
   * these may be given instead of the buffer, with the same effect. Any thread may call this, while
   * others access the buffer.
   *
   * <p>The price of that safety: the JVM stops all threads for a moment, some tens of microseconds
   * with few threads, and more with many. Neither an arena from {@link #ofConfined()} nor the
   * freeing of unreachable memory needs such a stop.
   *
   * @param buffer from {@link #allocate(int)} of this object, or a view of one
   * @throws IllegalArgumentException if {@code buffer} has another origin; nothing has changed then
   * @throws IllegalStateException if the memory was freed before, or a call that uses it, such as a
   *     read from a channel, has not returned; nothing has changed then
   */
  public void free(Buffer buffer) {
    free(MemorySegment.ofBuffer(buffer));
  }

  /**
   * Frees the memory of a segment now; see {@link #free(Buffer)}.
   *
   * @param segment from {@link #allocate(long, long)} of this object, or a slice or view of one
   * @throws IllegalArgumentException if {@code segment} has another origin; nothing has changed
   *     then
   * @throws IllegalStateException if the memory was freed before, or a call that uses it has not
   *     returned; nothing has changed then
   */
  public void free(MemorySegment segment) {
    MemorySegment.Scope scope = segment.scope();
    try {
      Block block = Blocks.find(scope);
      if (!scope.isAlive()) {
        throw freedBefore(segment);
      }
      Arena lifetime = block == null || block.memory != this ? null : block.lifetime();
      if (lifetime == null) {
        throw foreign(segment);
      }
      close(lifetime, segment);
    } finally {
      // Keeps the lifetime of the block from being collected before it was asked for.
      Reference.reachabilityFence(scope);
    }
  }

  /** The JDK marks the arena as closing first; cut off there, each later close would spin. */
  private static void close(Arena lifetime, MemorySegment view) {
    StackSpace.require();
    try {
      lifetime.close();
    } catch (IllegalStateException refused) {
      throw lifetime.scope().isAlive() ? inUse(view, refused) : freedBefore(view);
    }
  }

  /**
   * Opens a confined arena whose allocations count: {@link Arena#ofConfined()} under this budget.
   * An allocation that does not fit the limit waits like {@link #allocate(int)}, and may throw an
   * {@link OutOfMemoryError}. Closing the arena credits its allocations.
   *
   * @return a new arena, owned by the current thread, which closes it
   */
  public Arena ofConfined() {
    return new BudgetedArena(this, Arena.ofConfined(), Thread.currentThread());
  }

  /**
   * Opens a shared arena whose allocations count: {@link Arena#ofShared()} under this budget. An
   * allocation that does not fit the limit waits like {@link #allocate(int)}, and may throw an
   * {@link OutOfMemoryError}. Closing the arena credits its allocations.
   *
   * @return a new arena, which any thread may close
   */
  public Arena ofShared() {
    return new BudgetedArena(this, Arena.ofShared(), null);
  }

  /**
   * Opens an automatic arena whose allocations count: {@link Arena#ofAuto()} under this budget. The
   * arena can't be closed. A segment's memory is freed after the arena and all its segments are
   * unreachable, and after the cleanup actions that were registered later than the segment.
   * Allocations wait and throw like {@link #allocate(long, long)}.
   *
   * @return a new arena
   */
  public Arena ofAuto() {
    return new BudgetedArena.Automatic(this);
  }

  /**
   * Returns the limit: the most bytes reserved at any instant.
   *
   * @return bytes
   */
  public long limit() {
    return budget.limit();
  }

  /**
   * Returns the bytes reserved now, including unreachable memory that is not freed yet. A buffer
   * reserves its capacity, an empty buffer one byte.
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

  long blocks() {
    return Blocks.count(this);
  }

  KeptMemory keptMemory() {
    return keptMemory;
  }

  /**
   * Allocates a buffer as {@link #allocate(int)} does, for programs that do not know {@link #free}:
   * a bare buffer, if the JVM allows bare buffers.
   */
  ByteBuffer allocateBare(int capacity) {
    if (!BareBuffers.areAvailable()) {
      return allocate(capacity);
    }
    ByteBuffer buffer = BareBuffers.withoutMemory(capacity);
    Block block = new Block(this, buffer);
    try {
      long address = addressFor(block, Block.byteSizeFor(capacity, 1));
      Blocks.indexByAddress(block);
      BareBuffers.bind(buffer, address);
      return buffer;
    } catch (Throwable failure) {
      block.abandoned = true; // here and not in a method: there may be no stack for a call
      Blocks.hasAbandoned = true;
      block.tryFree();
      throw failure;
    }
  }

  /** Allocates a segment; {@code arena} runs the new {@code cleanup}, which frees the block. */
  MemorySegment allocate(long byteSize, long byteAlignment, Arena arena, Block.Cleanup cleanup) {
    Obstacle.ofThisJvm().check();
    requireValid(byteSize, byteAlignment);
    Block block = cleanup.block();
    try {
      long address = addressFor(block, Block.byteSizeFor(byteSize, byteAlignment));
      long start = (address + byteAlignment - 1) & -byteAlignment;
      return cleanup.segment(start, byteSize, arena);
    } catch (Throwable failure) {
      block.abandoned = true;
      Blocks.hasAbandoned = true;
      block.tryFree();
      throw failure;
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
    return new IllegalStateException("Direct memory must be freed once: " + view);
  }

  private static IllegalStateException inUse(MemorySegment view, IllegalStateException cause) {
    return new IllegalStateException(
        "Direct memory is freed when no call works on it any more: "
            + view
            + "; wait until that call has returned",
        cause);
  }
}
