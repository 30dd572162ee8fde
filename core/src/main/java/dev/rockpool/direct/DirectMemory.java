package dev.rockpool.direct;

import com.google.errorprone.annotations.MustBeClosed;
import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.NativeMemory;
import dev.rockpool.internal.Request;
import dev.rockpool.internal.Setting;
import dev.rockpool.internal.Usability;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;

/**
 * Direct memory under a limit: buffers, segments and arenas that together never reserve more bytes
 * than that. Memory is zeroed before it is handed out.
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
 * <p><b>When the limit is reached</b>, a thread that asks for memory helps to free what is
 * unreachable, and then waits for half a second at most, or until a running garbage collection
 * ends. If its request still does not fit, it gets an {@link OutOfMemoryError}. Requests that fit
 * are served meanwhile, and freed memory goes to the oldest waiters that it suffices for. So a
 * large request may be refused beside many small ones, although it would have fitted at some
 * moment. Waiting threads share garbage collections, which a thread of Rockpool asks for. If a
 * collection has just found nothing, and nothing was freed since, requests are refused at once. A
 * request above the limit is always refused at once. An interrupt does not end the wait, and is
 * kept. With {@code -XX:+DisableExplicitGC}, only collections that the JVM starts by itself find
 * unreachable memory. The same rules apply to allocations in arenas, whose bytes are credited when
 * the arena ends.
 *
 * <p>Safe for use by any thread, virtual threads included. Only the memory of these methods counts,
 * not that of {@link ByteBuffer#allocateDirect} or of other objects of this class. All of it needs
 * <a href="https://openjdk.org/jeps/472">native access</a> for Rockpool, addresses of 64 bits, and
 * a linker that finds the C library.
 *
 * @since 0.1.0
 */
public final class DirectMemory {
  /** Whether all classes that this class uses are initialized. */
  private static volatile boolean isReady;

  private final Budget budget;
  private final MemorySource source;

  DirectMemory(Budget budget, MemorySource source) {
    this.budget = budget;
    this.source = source;
    budget.setHolders(budget::inUse, () -> "");
  }

  private static DirectMemory of(Budget budget) {
    prepareOnce();
    return new DirectMemory(budget, MemorySource.SYSTEM);
  }

  /** Initializes classes: after this, freeing does not need the program's class loader. */
  private static void prepareOnce() {
    if (!isReady) {
      Usability.requireNativeMemory();
      NativeMemory.initialize();
      DirectMemory tried = new DirectMemory(new Budget(1, ""), MemorySource.SYSTEM);
      CountedArena.ofConfined(tried.budget).close();
      Budget.rehearse();
      tried.free(tried.allocate(1, 1));
      Housekeeper.ensureRunning();
      isReady = true;
    }
  }

  /** Made at the first use, because finding the limit needs JMX. */
  private static final class Global {
    static final DirectMemory MEMORY = create();

    private static DirectMemory create() {
      DirectMemory created = of(new Budget(limit(), "-D" + Setting.DIRECT_LIMIT.key()));
      Housekeeper.add(new DirectMonitor.Showing(created));
      return created;
    }

    /** Returns the limit in bytes; without a flag, the largest heap size, as in the JVM. */
    private static long limit() {
      long ours = Setting.DIRECT_LIMIT.readLong();
      long limit = ours != 0 ? ours : DirectMonitor.jvmLimit();
      return limit > 0 ? limit : Runtime.getRuntime().maxMemory();
    }
  }

  /**
   * Returns the direct memory that the whole program shares. The system property {@code
   * rockpool.direct.limit} sets its limit. The default is the JVM's own limit for direct memory
   * ({@code -XX:MaxDirectMemorySize}, or the maximum heap size). The platform's MBean server shows
   * it as a {@link java.lang.management.BufferPoolMXBean} named {@code rockpool-direct}; {@code
   * getPlatformMXBeans} does not list it.
   *
   * @return the same at each call
   * @throws IllegalCallerException if native access is denied to Rockpool
   * @throws UnsupportedOperationException if this JVM has no 64-bit addresses, or no linker that
   *     finds the C library
   */
  public static DirectMemory global() {
    prepareOnce(); // throws what an initializer would wrap
    return Global.MEMORY;
  }

  /**
   * Makes a direct memory with its own limit.
   *
   * @param byteSize the limit: the most bytes reserved at any instant
   * @return a new direct memory, with nothing reserved
   * @throws IllegalArgumentException if {@code byteSize} is not positive
   * @throws IllegalCallerException as {@link #global()}
   * @throws UnsupportedOperationException as {@link #global()}
   */
  public static DirectMemory ofLimit(long byteSize) {
    if (byteSize <= 0) {
      throw new IllegalArgumentException("byteSize must be positive: byteSize=" + byteSize);
    }
    return of(new Budget(byteSize, "the argument of DirectMemory.ofLimit"));
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
   * @throws OutOfMemoryError if the request does not fit the limit in time, or if the system has no
   *     memory
   */
  public ByteBuffer allocate(int capacity) {
    if (capacity < 0) {
      throw new IllegalArgumentException("capacity must not be negative: capacity=" + capacity);
    }
    return allocate(capacity, 1).asByteBuffer();
  }

  /**
   * Allocates a segment with a lifetime of its own: zeroed, for any thread, freed like a buffer.
   *
   * @param byteSize of the segment (in bytes)
   * @param byteAlignment of the segment (in bytes); above 16, padding is reserved as well
   * @return a new segment
   * @throws IllegalArgumentException if {@code byteSize} is negative or {@code byteAlignment} is
   *     not a power of two
   * @throws OutOfMemoryError as {@link #allocate(int)}
   */
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    checkRequest(byteSize, byteAlignment);
    long total = Request.total(byteSize, byteAlignment);
    Arena lifetime = Arena.ofShared();
    Block block = Block.ofScope(this, lifetime);
    block.takeMemory(acquire(total), total);
    return block.segment(byteSize, byteAlignment, lifetime);
  }

  /**
   * Frees the memory of a buffer now. Each later access to the buffer, or to a slice, duplicate,
   * view or segment of its memory, throws an {@link IllegalStateException} on all threads. Any of
   * these may be given instead of the buffer, with the same effect. Any thread may call this, while
   * others access the buffer.
   *
   * <p>For that safety the JVM stops all threads for a moment, some tens of microseconds with few
   * threads, and more with many. Closing an arena from {@link #ofConfined()}, and freeing
   * unreachable memory, need no such stop.
   *
   * <p>A finalizer may call this for memory that only finalizers still reach. The memory is then
   * not freed now, but by the collector, once no finalizer can access it any more.
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
      Block block = Block.bin(scope).find(scope);
      if (!scope.isAlive()) {
        throw freedBefore(segment);
      }
      if (block == null || block.memory != this || block.lifetime == null) {
        throw new IllegalArgumentException(
            "Memory is freed by the DirectMemory that allocated it: " + segment + ", " + this);
      }
      Arena lifetime = block.lifetime.get();
      if (lifetime != null) { // else finalizers alone reach the memory, and the collector frees it
        close(lifetime, segment);
      }
    } finally {
      Reference.reachabilityFence(scope); // keeps the collector from being first
    }
  }

  private static void close(Arena lifetime, MemorySegment view) {
    try {
      lifetime.close();
    } catch (IllegalStateException refused) {
      throw lifetime.scope().isAlive()
          ? new IllegalStateException(
              "Direct memory is freed when no call works on it any more: "
                  + view
                  + "; wait until that call has returned",
              refused)
          : freedBefore(view);
    }
  }

  /**
   * Opens a confined arena whose allocations count: {@link Arena#ofConfined()} under this limit. An
   * allocation that does not fit the limit in time throws an {@link OutOfMemoryError}.
   *
   * @return a new arena, owned by the current thread, which closes it
   */
  @MustBeClosed
  @SuppressWarnings("exports") // users compile without the annotation
  public Arena ofConfined() {
    return CountedArena.ofConfined(budget);
  }

  /**
   * Opens a shared arena whose allocations count: {@link Arena#ofShared()} under this limit. An
   * allocation that does not fit the limit in time throws an {@link OutOfMemoryError}.
   *
   * @return a new arena, which any thread may close
   */
  @MustBeClosed
  @SuppressWarnings("exports") // users compile without the annotation
  public Arena ofShared() {
    return CountedArena.ofShared(budget);
  }

  /**
   * Opens an automatic arena whose allocations count: {@link Arena#ofAuto()} under this limit. The
   * arena can't be closed. Its memory is freed after the arena and all its segments are
   * unreachable. An allocation throws an {@link OutOfMemoryError} if it does not fit this limit in
   * time, or the JVM's own limit ({@code -XX:MaxDirectMemorySize}), because the memory is the
   * JDK's.
   *
   * @return a new arena
   */
  public Arena ofAuto() {
    return CountedArena.ofAuto(budget);
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
   * reserves its capacity.
   *
   * @return bytes, from 0 to {@link #limit()}
   */
  public long reserved() {
    return budget.inUse();
  }

  @Override
  public String toString() {
    return "DirectMemory[reserved=" + reserved() + ", limit=" + limit() + "]";
  }

  Budget budget() {
    return budget;
  }

  /** Returns the address of so much zeroed memory, whose bytes are charged. */
  long acquire(long byteSize) {
    Usability.requireStack(Usability.REFUND_CALLS);
    budget.charge(byteSize);
    long address = 0;
    try {
      address = source.allocateZeroed(byteSize);
    } finally {
      if (address == 0) {
        budget.refund(byteSize);
      }
    }
    if (address == 0) {
      throw new OutOfMemoryError(
          "The system has no memory: asked for " + byteSize + " bytes within the limit");
    }
    return address;
  }

  void release(long address, long byteSize) {
    source.free(address, byteSize);
    budget.refund(byteSize);
  }

  private static void checkRequest(long byteSize, long byteAlignment) {
    if (!Request.isValid(byteSize, byteAlignment)) {
      throw new IllegalArgumentException(
          "byteSize must not be negative and byteAlignment must be a power of two: byteSize="
              + byteSize
              + ", byteAlignment="
              + byteAlignment);
    }
  }

  private static IllegalStateException freedBefore(MemorySegment view) {
    return new IllegalStateException("Direct memory must be freed once: " + view);
  }
}
