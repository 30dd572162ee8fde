package dev.rockpool.arena;

import dev.rockpool.arena.PoolStatistics.State;
import dev.rockpool.internal.Carrier;
import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.Foundations;
import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.SizeSetting;
import dev.rockpool.internal.SwitchSetting;
import dev.rockpool.internal.Usability;
import java.lang.foreign.Arena;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The slabs of a pool, and how an arena finds those of the current thread.
 *
 * <p>{@code byThreadId} is a cache in front of {@code registry}: the slot for a thread is its id
 * modulo the length, and holds the slabs of the thread that came last. A slot is read and written
 * without synchronisation. That is sound because a reader uses what it finds only if {@code
 * threadId}, a final field, is its own id or that of its carrier: then it runs on the very thread
 * that object was made for. Ids of threads are not used twice within a JVM, so what an ended thread
 * left in a slot is never mistaken for somebody's own.
 *
 * <p>A record, because C2 trusts the final fields of records: reached from a static final field,
 * sizes and the table are constants in compiled code.
 *
 * @param state whether the pool is on, and if not, why
 * @param slabByteSize bytes in a slab, a power of two; 0 if the pool is off
 * @param byThreadId the cache, its length a power of two
 * @param registry the slabs of all platform threads
 * @param shared slabs of the same size for virtual threads, where their carrier can't be reached or
 *     has none left
 * @param larger slabs for arenas of any thread that outgrow a run of its own slabs
 * @param others counts what is closed on threads without slabs of their own
 * @param admission says where no slab is looked for
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and not seen outside this package
record SlabTable(
    State state,
    int slabByteSize,
    @Nullable ThreadSlabs[] byThreadId,
    SlabRegistry registry,
    SharedSlabs shared,
    SharedSlabs larger,
    StripedCounts others,
    Admission admission) {
  /** With a hundred threads at work, most have a slot of their own; 4 KiB of heap. */
  private static final int SLOTS = 1024;

  /**
   * Bytes in a larger slab: a path, a line of text, or a page, and what else a call needs beside
   * it.
   */
  static final int LARGER_BYTE_SIZE = 8 << 10;

  /** Whether the agent defined these classes, in java.base, where {@link ForceInline} is heeded. */
  private static final boolean IN_JAVA_BASE =
      SlabTable.class.getModule() == Object.class.getModule();

  /** The pool that {@link Arenas} and {@link ArenaPool#shared()} use. */
  static final SlabTable SHARED =
      of(
          SizeSetting.SLAB_SIZE.read(),
          SizeSetting.SLABS_PER_THREAD.read(),
          SizeSetting.SHARED_SLOTS.read(),
          IN_JAVA_BASE ? SizeSetting.FIRST_ARENAS.read() : 0);

  static {
    if (SHARED.slabByteSize != 0) {
      Housekeeper.add(new PoolUpkeep(SHARED));
    }
    if (SHARED.slabByteSize != 0 || SHARED.state == State.CHECKED) {
      Housekeeper.add(new PoolMonitor());
    }
  }

  /**
   * A table for slabs of {@code slabByteSize}; off if that or {@code slabsPerThread} is 0, slabs
   * can't be used at all, or arenas are to be checked.
   */
  static SlabTable of(int slabByteSize, int slabsPerThread, int sharedSlots) {
    return of(slabByteSize, slabsPerThread, sharedSlots, 0);
  }

  /** The same, where the first arenas of each platform thread are the JDK's. */
  static SlabTable of(int slabByteSize, int slabsPerThread, int sharedSlots, int firstArenas) {
    return of(
        state(slabByteSize == 0 || slabsPerThread == 0),
        slabByteSize,
        slabsPerThread,
        sharedSlots,
        firstArenas);
  }

  /** A table that is off, whatever the settings say: none is read. */
  static SlabTable off() {
    return of(State.OFF, 0, 0, 0, 0);
  }

  private static SlabTable of(
      State state, int slabByteSize, int slabsPerThread, int sharedSlots, int firstArenas) {
    boolean on = state == State.ON;
    if (on) {
      Foundations.initialize(); // or there is no table, and no arena that might fail for it
    }
    int size = on ? slabByteSize : 0;
    return new SlabTable(
        state,
        size,
        new ThreadSlabs[SLOTS],
        new SlabRegistry(size, slabsPerThread),
        SharedSlabs.of(size, on ? sharedSlots : 0),
        SharedSlabs.of(LARGER_BYTE_SIZE, on && size < LARGER_BYTE_SIZE ? sharedSlots : 0),
        new StripedCounts(),
        new Admission(on ? firstArenas : 0));
  }

  private static State state(boolean isOff) {
    SwitchSetting check = SwitchSetting.CHECK;
    // Null while it is being read, by properties of the program's that open an arena themselves.
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
  @ForceInline
  Arena open() {
    if (slabByteSize == 0) {
      return openWithoutSlabs();
    }
    return IN_JAVA_BASE ? new InlinedArena(this) : new PooledArena(this);
  }

  @ForceInline
  private Arena openWithoutSlabs() {
    return state == State.CHECKED ? new CheckedArena(Quarantine.SHARED) : Arena.ofConfined();
  }

  /**
   * The most slabs that one arena takes from a thread: half of them, so that arenas opened while it
   * is open find some, too.
   */
  @ForceInline
  int longestRun() {
    return (registry.slabsPerThread() + 1) >> 1;
  }

  /**
   * The slabs of {@code current}, the current thread, or of its carrier; null if there are none.
   * Those of a carrier must be used at once, see {@link Carrier}.
   */
  @ForceInline
  @Nullable ThreadSlabs slabsOf(Thread current) {
    ThreadSlabs found = cachedSlabsOf(current.threadId());
    return found != null ? found : slabsNotCached(current);
  }

  /** On virtual threads always: the cache has slabs by the ids of platform threads. */
  @ForceInline
  private @Nullable ThreadSlabs slabsNotCached(Thread current) {
    return current.isVirtual() ? slabsOfCarrier() : slabsOfYoungThread(current);
  }

  /** The slabs of the thread with that id, as far as they are where they are found fastest. */
  @ForceInline
  @Nullable ThreadSlabs cachedSlabsOf(long id) {
    ThreadSlabs found = byThreadId[(int) id & (byThreadId.length - 1)];
    return found != null && found.threadId == id ? found : null;
  }

  /** Between its look for the carrier and its return there is nothing that might unmount. */
  @ForceInline
  private @Nullable ThreadSlabs slabsOfCarrier() {
    if (!Carrier.isReachable()) {
      return null;
    }
    ThreadSlabs found = cachedSlabsOf(Carrier.currentId());
    if (found != null) {
      return found;
    }
    cacheSlabsOfCarrier();
    return cachedSlabsOf(Carrier.currentId());
  }

  /** Takes locks: when this returns, the virtual thread may be on another carrier. */
  private void cacheSlabsOfCarrier() {
    ThreadSlabs known = registry.known(Carrier.currentId());
    if (known != null) {
      cache(known);
      return;
    }
    Thread carrier = Carrier.current();
    if (carrier != null) {
      slabsOfPlatformThread(carrier);
    }
  }

  private @Nullable ThreadSlabs slabsOfYoungThread(Thread thread) {
    return isYoung(thread.threadId()) ? null : slabsOfPlatformThread(thread);
  }

  /** Whether a platform thread is to have no slabs yet, as of another arena that asks for them. */
  boolean isYoung(long threadId) {
    return registry.known(threadId) == null && admission.isAmongFirst(threadId);
  }

  /** The first allocation on a thread, or one after another thread took its slot. */
  private @Nullable ThreadSlabs slabsOfPlatformThread(Thread thread) {
    ThreadSlabs slabs = registry.slabsOf(thread);
    if (slabs != null) {
      cache(slabs);
    }
    return slabs;
  }

  private void cache(ThreadSlabs slabs) {
    // If this thread is virtual, another one reads it: with all that is in it.
    VarHandle.releaseFence();
    byThreadId[(int) slabs.threadId & (byThreadId.length - 1)] = slabs;
  }

  /** Counts an arena, being closed by {@code owner}, to which the pool had to say no. */
  void countRegular(Thread owner, boolean tooLarge) {
    ThreadSlabs own = cachedSlabsOf(owner.threadId());
    if (own == null) {
      others.addRegular(tooLarge);
    } else if (tooLarge) {
      own.tooLarge++;
    } else {
      own.noneLeft++;
    }
  }

  /** Arenas closed so far, a little behind those at work. */
  PoolCounts counts() {
    PoolCounts counts = registry.counts();
    others.addTo(counts);
    counts.served += shared.served() + larger.served();
    return counts;
  }

  /** Native memory of the pool (in bytes). */
  long byteSize() {
    return registry.byteSize() + shared.byteSize() + larger.byteSize();
  }

  /** How many slabs are owned by arenas; exact while no thread is at work. */
  int owned() {
    return registry.owned() + shared.owned() + larger.owned();
  }

  /** Checks all slabs; call while no thread is at work. */
  void checkInvariants() {
    registry.checkInvariants();
    shared.checkInvariants();
    larger.checkInvariants();
  }
}
