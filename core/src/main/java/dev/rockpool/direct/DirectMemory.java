package dev.rockpool.direct;

import com.google.errorprone.annotations.MustBeClosed;
import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.Notices;
import dev.rockpool.internal.Request;
import dev.rockpool.internal.Setting;
import dev.rockpool.internal.Usability;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
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
 * <p><b>When the limit is reached</b>, a thread that asks for memory helps to free what is
 * unreachable, and then waits. Threads that wait share garbage collections, which a thread of
 * Rockpool asks for. Requests are served in FIFO order, so that small ones do not starve a large
 * one. Once nothing was freed for half a second, smaller requests overtake the first one, one time
 * only; if that frees nothing either, the first one is refused. A request above the limit is
 * refused at once. An interrupt does not end the wait, and is kept. With {@code
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
  /** Whether all classes that this class uses are initialized. */
  private static volatile boolean isReady;

  /** The budget that {@link #global()} is to have; null for one of its own. */
  private static volatile @Nullable Budget budgetOfAgent;

  private final Budget budget;
  private final MemorySource source;
  private final KeptMemory keptMemory;
  private final WaitingLine line;

  /** Holds what the methods of this class hand out. */
  private final Holder own = new Holder(this, "direct", "");

  /** Those that hold memory by themselves, under the agent's limit. */
  private final Holders holders = new Holders(this);

  DirectMemory(Budget budget, MemorySource source) {
    this.budget = budget;
    this.source = source;
    this.keptMemory = new KeptMemory(source, budget);
    this.line = new WaitingLine(this);
  }

  private static DirectMemory of(Budget budget) {
    if (!isReady) {
      Usability.requireHeap(); // an initialization that fails would break the class for good
      useOnce();
      isReady = true;
    }
    return new DirectMemory(budget, MemorySource.SYSTEM);
  }

  /** Makes {@link #global()} with that budget, unless it was made before; returns it. */
  static DirectMemory global(Budget budget) {
    budgetOfAgent = budget;
    return global();
  }

  /** Initializes classes: after this, freeing does not need the program's class loader. */
  private static void useOnce() {
    long limit = MemorySource.PAGES_FROM;
    DirectMemory tried = new DirectMemory(new Budget(limit, ""), MemorySource.SYSTEM);
    new BudgetedArena(tried.own(), Arena.ofConfined(), Thread.currentThread()).close();
    if (Obstacle.ofThisJvm() == Obstacle.NONE) {
      tried.free(tried.allocate(1, 1));
      tried.free(tried.allocate(limit, 1));
    }
    Housekeeper.ensureRunning();
  }

  /** Made at the first use, because finding the limit needs JMX. */
  private static final class Global {
    static final DirectMemory MEMORY = create();

    private static DirectMemory create() {
      Budget agents = budgetOfAgent;
      String remedy = "-D" + Setting.DIRECT_LIMIT.key();
      DirectMemory created = of(agents == null ? new Budget(limit(), remedy) : agents);
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
   * Returns the direct memory that the whole program shares. Its limit is the system property
   * {@code rockpool.direct.limit}, else the JVM's own limit for direct memory ({@code
   * -XX:MaxDirectMemorySize}, else the largest heap size). The platform's MBean server shows it as
   * a {@link java.lang.management.BufferPoolMXBean} named {@code rockpool-direct}; {@code
   * getPlatformMXBeans} does not list it.
   *
   * @return the same at each call
   * @throws OutOfMemoryError if the heap has too little room for a first use; a later call tries
   *     again
   */
  public static DirectMemory global() {
    if (!isReady) {
      Usability.requireHeap(); // as above
    }
    return Global.MEMORY;
  }

  /**
   * Makes a direct memory with a limit of its own.
   *
   * @param byteSize the limit: the most bytes reserved at any instant
   * @return a new direct memory, with nothing reserved
   * @throws IllegalArgumentException if {@code byteSize} is not positive
   * @throws OutOfMemoryError if the heap has too little room for a first use; a later call tries
   *     again
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
   * @throws OutOfMemoryError if the limit leaves no room and none could be made, or if the system
   *     has no memory
   * @throws IllegalCallerException if native access is denied to Rockpool
   * @throws UnsupportedOperationException if this JVM has no 64-bit addresses, or no linker that
   *     finds the C library
   */
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    Arena lifetime = Arena.ofShared();
    return allocate(own, byteSize, byteAlignment, lifetime, lifetime);
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
      if (block == null || block.holder.memory != this || block.lifetime == null) {
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
   * Opens a confined arena whose allocations count: {@link Arena#ofConfined()} under this budget.
   * An allocation that does not fit the limit waits like {@link #allocate(int)}, and may throw an
   * {@link OutOfMemoryError}. Closing the arena credits its allocations.
   *
   * @return a new arena, owned by the current thread, which closes it
   */
  @MustBeClosed
  @SuppressWarnings("exports") // users compile without the annotation
  public Arena ofConfined() {
    return new BudgetedArena(own, Arena.ofConfined(), Thread.currentThread());
  }

  /**
   * Opens a shared arena whose allocations count: {@link Arena#ofShared()} under this budget. An
   * allocation that does not fit the limit waits like {@link #allocate(int)}, and may throw an
   * {@link OutOfMemoryError}. Closing the arena credits its allocations.
   *
   * @return a new arena, which any thread may close
   */
  @MustBeClosed
  @SuppressWarnings("exports") // users compile without the annotation
  public Arena ofShared() {
    return new BudgetedArena(own, Arena.ofShared(), null);
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
    return new BudgetedArena.Automatic(own, Arena.ofAuto());
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
    return keptMemory.handedOut();
  }

  @Override
  public String toString() {
    return "DirectMemory[reserved=" + reserved() + ", limit=" + limit() + "]";
  }

  WaitingLine line() {
    return line;
  }

  KeptMemory keptMemory() {
    return keptMemory;
  }

  /** Returns the bytes of buffers and automatic arenas that are handed out. */
  long bytesOfBuffers() {
    Map<String, Long> named = holders.bytesByKind();
    return named.isEmpty()
        ? reserved()
        : named.getOrDefault("direct", 0L) + named.getOrDefault("automatic", 0L) + own.bytes();
  }

  /** Returns all bytes that are taken, by kind of holder; kept ones are a kind of their own. */
  Map<String, Long> takenByKind() {
    Map<String, Long> bytes = holders.bytesByKind();
    bytes.put("kept", keptMemory.kept());
    return bytes;
  }

  Holder own() {
    return own;
  }

  Holders holders() {
    return holders;
  }

  Budget budget() {
    return budget;
  }

  /** Returns the bytes that are taken from the system: those reserved, and those kept. */
  long taken() {
    return budget.taken();
  }

  /**
   * Reserves bytes; waits if there is no room. Before that, helps to free what is unreachable. A
   * budget that only warns has one thread a minute wait, so that there is a collection at times.
   *
   * @throws OutOfMemoryError if the bytes are refused
   */
  void reserve(long byteSize) {
    if (byteSize == 0) {
      return;
    }
    boolean fits = byteSize <= limit();
    if (fits) {
      do {
        if (!line.isOccupied() && tryReserve(byteSize)) {
          return;
        }
      } while (Reclaimer.tryFreeSome());
    }
    boolean isSilent = budget.warns() && !budget.claimWarning();
    if (fits && !isSilent && line.await(byteSize)) {
      return;
    }
    if (budget.warns() && budget.tryTakeOverLimit(byteSize)) {
      if (!isSilent) {
        Notices.print(budget.message(byteSize, taken() - byteSize, holders.largest(), ""));
      }
      return;
    }
    long inUse = holders.isEmpty() ? reserved() : taken();
    throw budget.refuse(byteSize, inUse, holders.largest());
  }

  /** Reserves if there is room now, or kept memory makes room. */
  boolean tryReserve(long byteSize) {
    while (!budget.tryTake(byteSize)) {
      if (!keptMemory.tryGiveUpOne()) {
        return budget.tryTake(byteSize); // another thread may have given up the last one
      }
    }
    return true;
  }

  /**
   * Credits bytes, after their memory was freed or could not be allocated. A waiter enters the line
   * before its look at the bytes, so at least one of the two threads sees the other.
   */
  void credit(long byteSize) {
    budget.credit(byteSize);
    if (line.isOccupied()) {
      line.credited();
    }
  }

  /** Reserves bytes for a holder, and returns the address of that much zeroed memory. */
  long acquire(long byteSize, Holder holder) {
    long address = line.isOccupied() ? 0 : keptMemory.takeZeroed(byteSize);
    if (address != 0) {
      holder.add(byteSize);
      return address;
    }
    holder.reserve(byteSize);
    address = source.allocateZeroed(byteSize);
    while (address == 0 && keptMemory.tryGiveUpOne()) {
      address = source.allocateZeroed(byteSize);
    }
    if (address == 0) {
      holder.credit(byteSize);
      throw new OutOfMemoryError(
          "The system has no memory: asked for " + byteSize + " bytes within the limit");
    }
    return address;
  }

  /** Keeps or frees the memory of blocks of this object, which the caller has removed. */
  void release(List<Block> blocks) {
    long freed = 0;
    for (Block block : blocks) {
      block.holder.add(-block.byteSize);
      if (!keptMemory.tryKeep(block.address, block.byteSize)) {
        source.free(block.address, block.byteSize);
        freed += block.byteSize;
      }
    }
    credit(freed);
  }

  /** Allocates a segment of an arena; {@code lifetime} is null if the arena is automatic. */
  @SuppressWarnings("restricted")
  MemorySegment allocate(
      Holder holder, long byteSize, long byteAlignment, Arena arena, @Nullable Arena lifetime) {
    Obstacle.ofThisJvm().check();
    checkRequest(byteSize, byteAlignment);
    long total = Request.total(byteSize, byteAlignment);
    long address = acquire(total, holder);
    long start = (address + byteAlignment - 1) & -byteAlignment;
    return MemorySegment.ofAddress(start)
        .reinterpret(byteSize, arena, Block.ofScope(holder, address, total, lifetime));
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
