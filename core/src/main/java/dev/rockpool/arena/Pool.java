package dev.rockpool.arena;

import dev.rockpool.arena.PoolStatistics.State;
import dev.rockpool.internal.Carrier;
import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.Foundations;
import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.NativeMemory;
import dev.rockpool.internal.SizeSetting;
import dev.rockpool.internal.SwitchSetting;
import dev.rockpool.internal.Usability;
import java.lang.foreign.Arena;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A pool of slabs. An arena finds the slabs of the current thread here.
 *
 * <p>{@code byThreadId} is a cache in front of {@code registry}. The element for a thread is at its
 * id modulo the length, and holds the slabs of the thread that came last. Elements are read and
 * written without synchronization. A reader uses an element only if {@code threadId}, a final
 * field, is the reader's own id or its carrier's. Then the reader runs on the thread that owns the
 * slabs. Another thread may have put them here, after a fence; the reader needs none, because all
 * its reads of the slabs depend on that of the element. The JVM never reuses a thread id, so slabs
 * of an ended thread never match another thread.
 *
 * <p>A record, because C2 trusts the final fields of records: reached from a static final field,
 * the pool and its sizes are constants in compiled code.
 *
 * @param state whether the pool is on, and if not, why
 * @param slabByteSize bytes in a slab, a power of two; 0 if the pool is off
 * @param byThreadId the cache, its length a power of two
 * @param registry the slabs of all platform threads
 * @param shared slabs of the same size for virtual threads whose carrier can't be reached or has no
 *     slab left
 * @param young slabs of the same size for platform threads that get none of their own yet. A set of
 *     their own, because such a thread may keep an arena for as long as it lives.
 * @param larger slabs for arenas that outgrow a run, except those of young threads
 * @param others counts arenas that no slab counts
 * @param admission decides which arenas get no slab
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and not seen outside this package
record Pool(
    State state,
    int slabByteSize,
    @Nullable ThreadSlabs[] byThreadId,
    SlabRegistry registry,
    SharedSlabs shared,
    SharedSlabs young,
    SharedSlabs larger,
    StripedCounts others,
    Admission admission) {
  /** Length of the cache: with a hundred threads at work, most have an element of their own. */
  private static final int CACHE_LENGTH = 1024;

  /**
   * Bytes in a larger slab: room for a path, a line of text or a page, beside other allocations of
   * a call.
   */
  static final int LARGER_BYTE_SIZE = 8 << 10;

  /** Whether the agent defined these classes in java.base, where {@link ForceInline} works. */
  static final boolean IN_JAVA_BASE = Pool.class.getModule() == Object.class.getModule();

  /**
   * The shared pool, for {@link Arenas} and {@link ArenaPool#shared()}. A class of its own: if its
   * initialization fails for lack of room, other pools can still be made.
   */
  static final class Shared {
    static final Pool POOL = Made.shared();
  }

  /**
   * Makes the pools that classes hold in final fields. Such a class stays broken if its
   * initialization fails for lack of heap or stack. So the agent has its pools made first, and
   * tries again after a failure. One thread at a time.
   */
  static final class Made {
    private static @Nullable Pool shared;
    private static @Nullable Pool ofCalls;

    static Pool shared() {
      Pool made = shared;
      if (made == null) {
        Foundations.requireRoom();
        made =
            of(
                SizeSetting.SLAB_SIZE.read(),
                SizeSetting.SLABS_PER_THREAD.read(),
                SizeSetting.SHARED_SLOTS.read(),
                IN_JAVA_BASE ? SizeSetting.FIRST_ARENAS.read() : 0);
        made.keepUp(ArenaPoolMXBean.NAME);
        shared = made;
      }
      return made;
    }

    /** Returns the pool of {@link CallArenas}. */
    static Pool ofCalls() {
      Pool made = ofCalls;
      if (made == null) {
        Foundations.requireRoom();
        made =
            of(
                CallArenas.SLAB_BYTE_SIZE,
                CallArenas.SLABS_PER_THREAD,
                SizeSetting.SHARED_SLOTS.defaultValue());
        CallArenas.CallArena.linkAll();
        made.keepUp(ArenaPoolMXBean.CALLS);
        ofCalls = made;
      }
      return made;
    }
  }

  /** Has the housekeeper free unused memory of this pool, and show the pool under that name. */
  private void keepUp(String name) {
    BooleanSupplier monitor = new PoolMonitor(this, name);
    if (slabByteSize != 0) {
      Housekeeper.add(new Upkeep(this));
    }
    Housekeeper.add(monitor); // also tells why the pool is off
  }

  /**
   * Makes a pool for slabs of {@code slabByteSize} bytes. The pool is off if {@code slabByteSize}
   * or {@code slabsPerThread} is 0, slabs can't be used in this JVM, or arenas are checked.
   */
  static Pool of(int slabByteSize, int slabsPerThread, int sharedSlots) {
    return of(slabByteSize, slabsPerThread, sharedSlots, 0);
  }

  /** Makes a pool that serves the first arenas of each platform thread by shared slabs. */
  static Pool of(int slabByteSize, int slabsPerThread, int sharedSlots, int firstArenas) {
    return of(
        state(slabByteSize == 0 || slabsPerThread == 0),
        slabByteSize,
        slabsPerThread,
        sharedSlots,
        firstArenas);
  }

  /** Makes a pool that is off, without reading any setting. */
  static Pool off() {
    return of(State.OFF, 0, 0, 0, 0);
  }

  private static Pool of(
      State state, int slabByteSize, int slabsPerThread, int sharedSlots, int firstArenas) {
    boolean on = state == State.ON;
    if (on) { // if this fails there is no pool, so no arena fails later
      Foundations.initialize();
      SharedSlabs.linkAll();
      PooledArena.linkAll();
    }
    int size = on ? slabByteSize : 0;
    return new Pool(
        state,
        size,
        new ThreadSlabs[CACHE_LENGTH],
        new SlabRegistry(size, slabsPerThread),
        SharedSlabs.of(size, on ? sharedSlots : 0),
        SharedSlabs.of(size, on && firstArenas != 0 ? sharedSlots : 0),
        SharedSlabs.of(LARGER_BYTE_SIZE, on && size < LARGER_BYTE_SIZE ? sharedSlots : 0),
        new StripedCounts(),
        new Admission(on ? firstArenas : 0));
  }

  private static State state(boolean isOff) {
    SwitchSetting check = SwitchSetting.CHECK;
    // Null if the program's own system properties object opens an arena while check is read.
    if (check != null && check.isOn()) {
      return CheckedArena.stateOfThisJvm();
    }
    return isOff ? State.OFF : stateOfThisJvm();
  }

  private static State stateOfThisJvm() {
    return switch (Usability.ofThisJvm()) {
      case USABLE -> State.ON;
      case DENIED -> State.DENIED;
      case UNSUITED -> State.UNSUITED;
    };
  }

  /** Opens an arena on this pool. */
  Arena open() {
    return open(NativeMemory.confinedArena());
  }

  /**
   * Opens an arena on this pool, for callers that are hot.
   *
   * <p>C2 inlines constructors down to a certain depth, counted from the compiled method, and keeps
   * an object in the heap if a constructor remains a call. The JDK's confined arena ends six calls
   * below the program's. So the caller opens {@code regular}, and constructors are called here:
   * then this arena ends nearly as high.
   *
   * @param regular from {@link NativeMemory#confinedArena}, and in no other hands
   */
  @ForceInline
  Arena open(Arena regular) {
    if (slabByteSize == 0 || (admission.leavesVirtualThreads && Waiting.isOnVirtualThread())) {
      return openWithoutSlabs(regular);
    }
    return IN_JAVA_BASE ? new InlinedArena(this, regular) : new PooledArena(this, regular);
  }

  /**
   * Asked beside many virtual threads that wait inside their arenas. A class of its own, not
   * initialized before, for the reason that {@link SlabFirstArena#fallback} has one. Inlined by
   * force, as all that decides on the class of the arena: else C2 compiles each later use of the
   * arena for both classes.
   */
  private static final class Waiting {
    @ForceInline
    static boolean isOnVirtualThread() {
      return Thread.currentThread().isVirtual();
    }
  }

  @ForceInline
  private Arena openWithoutSlabs(Arena regular) {
    if (state == State.CHECKED) {
      return new CheckedArena(Quarantine.SHARED);
    }
    return IN_JAVA_BASE ? Arena.ofConfined() : regular;
  }

  /**
   * Returns the most slabs that one arena takes from a thread: half of them, rounded up, to leave
   * slabs for nested arenas.
   */
  @ForceInline
  int longestRun() {
    return (registry.slabsPerThread() + 1) >> 1;
  }

  /**
   * Returns the slabs of {@code current}, the current thread, or of its carrier, if they are in the
   * cache; else null. Slabs of a carrier must be used at once, see {@link Carrier}.
   */
  @ForceInline
  @Nullable ThreadSlabs cachedSlabsOf(Thread current) {
    ThreadSlabs found = cachedSlabsOf(current.threadId()); // never of a virtual thread
    return found != null || !current.isVirtual() ? found : cachedSlabsOfCarrier();
  }

  @ForceInline
  private @Nullable ThreadSlabs cachedSlabsOfCarrier() {
    return Carrier.isReachable() ? cachedSlabsOf(Carrier.currentId()) : null;
  }

  /** Returns the slabs of the thread with that id, if they are in the cache. */
  @ForceInline
  @Nullable ThreadSlabs cachedSlabsOf(long id) {
    ThreadSlabs found = byThreadId[(int) id & (byThreadId.length - 1)];
    return found != null && found.threadId == id ? found : null;
  }

  /**
   * Returns the slabs of {@code current}, the current thread, or of its carrier; makes them if
   * there are none. Slabs of a carrier must be used at once.
   *
   * @return null for a young thread; if the carrier can't be reached, or has changed meanwhile; or
   *     if memory runs out
   */
  @Nullable ThreadSlabs slabsOf(Thread current) {
    ThreadSlabs cached = cachedSlabsOf(current);
    if (cached != null) {
      return cached;
    }
    if (!current.isVirtual()) {
      return slabsOfYoungThread(current);
    }
    if (Carrier.isReachable()) {
      cacheSlabsOfCarrier();
    }
    return cachedSlabsOfCarrier(); // calls nothing that might unmount
  }

  /** Takes locks, so the virtual thread may be on another carrier when this returns. */
  private void cacheSlabsOfCarrier() {
    ThreadSlabs known = registry.known(Carrier.currentId());
    Thread carrier = known == null ? Carrier.current() : null;
    ThreadSlabs slabs = carrier == null ? known : registry.slabsOf(carrier);
    if (slabs != null) {
      slabs.isOfCarrier = true;
      cache(slabs);
    }
  }

  /** Called at a thread's first allocations, or after another thread took its element. */
  private @Nullable ThreadSlabs slabsOfYoungThread(Thread thread) {
    long id = thread.threadId();
    return registry.known(id) == null && admission.isAmongFirst(id)
        ? null
        : slabsOfPlatformThread(thread);
  }

  private @Nullable ThreadSlabs slabsOfPlatformThread(Thread thread) {
    ThreadSlabs slabs = registry.slabsOf(thread);
    if (slabs != null) {
      cache(slabs);
    }
    return slabs;
  }

  private void cache(ThreadSlabs slabs) {
    // Publishes the fields: for a carrier's slabs, other threads read the element.
    VarHandle.releaseFence();
    byThreadId[(int) slabs.threadId & (byThreadId.length - 1)] = slabs;
  }

  /** Returns the slots for a slab of the usual size that {@code owner} shares with others. */
  @ForceInline
  SharedSlabs slotsFor(Thread owner) {
    return owner.isVirtual() ? shared : young;
  }

  /** Counts an arena that {@code owner} is closing and that used the fallback. */
  void countFallback(Thread owner, byte reason) {
    boolean isFirst = reason == PooledArena.FIRST_OF_THREAD;
    ThreadSlabs own = isFirst ? null : cachedSlabsOf(owner.threadId());
    if (own == null) {
      others.addFallback(reason);
      if (reason == PooledArena.NONE_LEFT && owner.isVirtual()) {
        admission.refused(this);
      }
    } else if (reason == PooledArena.TOO_LARGE) {
      own.tooLarge++;
    } else {
      own.noneLeft++;
    }
  }

  /** Returns the number of slabs of a thread, or 0 if the pool is off. */
  int slabsPerThread() {
    return slabByteSize == 0 ? 0 : registry.slabsPerThread();
  }

  /** Returns counts and memory, see {@link ArenaPool#statistics}. */
  PoolStatistics statistics() {
    registry.sweep();
    Counts counts = counts();
    boolean isChecked = state == State.CHECKED;
    return new PoolStatistics(
        state,
        counts.served,
        counts.tooLarge,
        counts.noneLeft,
        counts.firstOfThread,
        byteSize(),
        registry.threads(),
        isChecked ? Quarantine.SHARED.overruns() : 0,
        isChecked ? Quarantine.SHARED.lateWrites() : 0);
  }

  /** Returns the counts of closed arenas; may be behind threads at work. */
  Counts counts() {
    Counts counts = registry.counts();
    others.addTo(counts);
    counts.served += shared.served() + young.served() + larger.served();
    return counts;
  }

  /** Returns how many arenas of virtual threads were served; may be behind threads at work. */
  long servedOnVirtualThreads() {
    return shared.served()
        + larger.servedOnVirtualThreads()
        + registry.servedByCarriers()
        + others.served();
  }

  /** Returns the size of the pool's native memory, in bytes. */
  long byteSize() {
    return registry.byteSize() + shared.byteSize() + young.byteSize() + larger.byteSize();
  }

  /** Returns the number of slabs owned by arenas; exact while no thread is at work. */
  int owned() {
    return registry.owned() + shared.owned() + young.owned() + larger.owned();
  }

  /** Checks all slabs; call while no thread is at work. */
  void checkInvariants() {
    registry.checkInvariants();
    shared.checkInvariants();
    young.checkInvariants();
    larger.checkInvariants();
  }

  /**
   * Counts of closed arenas, by how they were served. Not safe for use by several threads at once.
   */
  static final class Counts {
    long served;
    long tooLarge;
    long noneLeft;
    long firstOfThread;

    void add(Counts other) {
      served += other.served;
      tooLarge += other.tooLarge;
      noneLeft += other.noneLeft;
      firstOfThread += other.firstOfThread;
    }

    void add(ThreadSlabs thread) {
      served += thread.served;
      tooLarge += thread.tooLarge;
      noneLeft += thread.noneLeft;
    }
  }

  /**
   * Counts arenas that no slab counts: those closed on threads without slabs, or on another
   * carrier, and buffers that the linker is refused. Threads count in a few places, by id, so that
   * they seldom write to the same cache line. Not LongAdders: these may allocate at each count, and
   * first uses at a full heap would break that class for the program.
   */
  static final class StripedCounts {
    private static final int STRIPES = 16;

    private final long[] counts = new long[STRIPES * SharedSlabs.LINE];

    void addServed(int arenas) {
      add(PooledArena.SERVED, arenas);
    }

    void addFallback(byte reason) {
      add(reason, 1);
    }

    /** Loses a count that finds no stack: closing an arena must not fail for lack of it. */
    private void add(byte kind, int arenas) {
      try {
        int stripe = (int) Thread.currentThread().threadId() & (STRIPES - 1);
        SharedSlabs.add(counts, stripe * SharedSlabs.LINE + kind, arenas);
      } catch (VirtualMachineError noSpace) {
        return;
      }
    }

    /** Returns the count of arenas of virtual threads that were closed on another carrier. */
    long served() {
      Counts sum = new Counts();
      addTo(sum);
      return sum.served;
    }

    void addTo(Counts sum) {
      for (int at = 0; at < counts.length; at += SharedSlabs.LINE) {
        sum.served += counts[at + PooledArena.SERVED];
        sum.tooLarge += counts[at + PooledArena.TOO_LARGE];
        sum.noneLeft += counts[at + PooledArena.NONE_LEFT];
        sum.firstOfThread += counts[at + PooledArena.FIRST_OF_THREAD];
      }
    }
  }

  /**
   * Frees unused memory of a pool: slabs of ended threads, idle shared slabs, and all unowned slabs
   * once the pool is unreachable.
   *
   * <p>Every open arena refers to its pool. So once the pool is unreachable, no arena can release a
   * slab. Slabs still owned then belong to arenas that were never closed, and are not freed.
   */
  static final class Upkeep implements Housekeeper.Upkeep {
    private final WeakReference<Pool> pool;
    private final SlabRegistry registry;
    private final SharedSlabs shared;
    private final SharedSlabs young;
    private final SharedSlabs larger;

    Upkeep(Pool pool) {
      this.pool = new WeakReference<>(pool);
      this.registry = pool.registry();
      this.shared = pool.shared();
      this.young = pool.young();
      this.larger = pool.larger();
    }

    @Override
    public boolean getAsBoolean() {
      if (pool.refersTo(null)) {
        freeAll();
        return false;
      }
      registry.returnAbandoned();
      registry.sweep();
      shared.trim();
      young.trim();
      larger.trim();
      return true;
    }

    @Override
    public void freeAll() {
      registry.freeAll();
      shared.freeAll();
      young.freeAll();
      larger.freeAll();
    }
  }
}
