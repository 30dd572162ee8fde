package dev.rockpool.arena;

import dev.rockpool.arena.PoolStatistics.State;
import dev.rockpool.internal.Account;
import dev.rockpool.internal.Carrier;
import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.Lifetime;
import dev.rockpool.internal.NativeMemory;
import dev.rockpool.internal.Notices;
import dev.rockpool.internal.Setting;
import dev.rockpool.internal.Usability;
import java.lang.foreign.Arena;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A pool of blocks: finds the {@link ThreadBlocks} of the current thread or its carrier, allocates
 * a block where none is kept, and takes back that of a closed arena.
 *
 * <p>{@code byThreadId} is a cache in front of {@link PoolMemory}. The element for a thread is at
 * its id modulo the length, and has the blocks of the thread that came last. It is read and written
 * without synchronization: a reader uses only blocks whose {@code threadId}, a final field, is that
 * of the platform thread that runs the reader. The JVM never reuses the id of an ended thread.
 *
 * <p>A record, because C2 trusts the final fields of records: reached from a static final field,
 * the pool and its sizes are constants in compiled code.
 *
 * @param blockByteSize bytes in a block; 0 if the pool is off
 * @param account holds what arenas of this pool take beyond their blocks
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and not seen outside this package
record BlockPool(
    State state,
    int blockByteSize,
    @Nullable ThreadBlocks[] byThreadId,
    PoolMemory memory,
    Account account) {
  /** Length of the cache: with a hundred threads at work, most have an element of their own. */
  private static final int CACHE_LENGTH = 1024;

  /** The account of the shared pool, which the agent sets before it makes that pool. */
  static volatile Account accountOfShared = Account.NONE;

  /** The shared pool, for {@link Arenas} and {@link ArenaPool#shared()}. */
  static final class Shared {
    static final BlockPool POOL = make();

    private static BlockPool make() {
      BlockPool made =
          of(Setting.BLOCK_SIZE.read(), Setting.BLOCKS_PER_THREAD.read(), accountOfShared);
      Housekeeper.add(new PoolMonitor()); // also tells why the pool is off
      return made;
    }
  }

  /**
   * Makes a pool. It is off if one of the numbers is 0, blocks can't be used in this JVM, or arenas
   * are checked.
   */
  static BlockPool of(int blockByteSize, int blocksPerThread) {
    return of(blockByteSize, blocksPerThread, Account.NONE);
  }

  /** As above. The account holds all blocks, and what arenas take beyond them. */
  static BlockPool of(int blockByteSize, int blocksPerThread, Account account) {
    boolean isOff = (blockByteSize == 0 || blocksPerThread == 0) && !Setting.isCheckOn();
    State state = isOff ? State.OFF : OfThisJvm.STATE;
    if (state != State.ON) {
      return new BlockPool(state, 0, 0, account);
    }
    NativeMemory.initialize(); // if this fails there is no pool, so no arena fails later
    Carrier.isReachable(); // initializes the class, with the same intent
    BlockPool made = new BlockPool(state, blockByteSize, blocksPerThread, account);
    Housekeeper.add(new PoolUpkeep(new PhantomReference<>(made.byThreadId, null), made.memory));
    return made;
  }

  /** Makes a pool that is off, without reading any setting. */
  static BlockPool off() {
    return new BlockPool(State.OFF, 0, 0, Account.NONE);
  }

  private BlockPool(State state, int blockByteSize, int blocksPerThread, Account account) {
    this(
        state,
        blockByteSize,
        new ThreadBlocks[CACHE_LENGTH],
        new PoolMemory(blockByteSize, blocksPerThread, account),
        account);
  }

  /**
   * Returns a view of this pool, with the same blocks, for a holder of what its arenas take beyond
   * them. A view keeps the blocks as this pool does, see {@link PoolUpkeep}.
   */
  BlockPool heldBy(Account holder) {
    return new BlockPool(state, blockByteSize, byThreadId, memory, holder);
  }

  /** Whether arenas can be pooled or checked here; determined, and its reason printed, once. */
  private static final class OfThisJvm {
    static final State STATE = find();

    private static State find() {
      boolean isChecked = Setting.isCheckOn();
      if (!isChecked && !Usability.isOptimized()) {
        return State.UNSUITED;
      }
      if (!Usability.isNativeAccessAllowed()) {
        Notices.print(
            "Native access is denied to Rockpool, so arenas are the JDK's own. To have them "
                + (isChecked ? "checked" : "pooled")
                + (", start java with " + Usability.nativeAccessFlag() + "."));
        return State.DENIED;
      }
      if (!Usability.canReplaceJdkMemory()) {
        if (isChecked && NativeMemory.canAllocate()) { // else that was printed
          Notices.print(
              "Checked arenas need allocations that may start within a page: arenas are the JDK's"
                  + " own. Start java without -Dsun.nio.PageAlignDirectMemory=true.");
        }
        return State.UNSUITED;
      }
      if (isChecked) {
        CheckedArena.initialize();
      }
      return isChecked ? State.CHECKED : State.ON;
    }
  }

  /**
   * Frees the blocks of ended threads, and all kept ones once the pool and its views are
   * unreachable; by a phantom reference, because a finalizer may still use what a weak one does not
   * show. The reference is to the cache, which the pool and all views have in common. Every open
   * arena refers to its pool. So by then, owned blocks are those of arenas that were never closed,
   * whose segments may be alive.
   */
  private record PoolUpkeep(PhantomReference<@Nullable ThreadBlocks[]> cache, PoolMemory memory)
      implements BooleanSupplier {
    @Override
    public boolean getAsBoolean() {
      if (cache.refersTo(null)) {
        memory.freeAll();
        return false;
      }
      memory.freeEnded();
      return true;
    }
  }

  /** Opens an arena on this pool. */
  Arena open() {
    return open(Lifetime.open());
  }

  /**
   * Opens an arena on this pool, for callers that are hot.
   *
   * <p>C2 inlines constructors down to a certain depth, counted from the compiled method, and keeps
   * an object in the heap if a constructor remains a call. The JDK's confined arena ends six calls
   * below the program's. So the caller opens {@code lifetime}, and constructors are called here:
   * then this arena ends nearly as high.
   *
   * @param lifetime open, the current thread's, and in no other hands
   */
  @ForceInline
  Arena open(Lifetime lifetime) {
    return blockByteSize == 0 ? openWithoutBlocks(lifetime) : new BlockArena(this, lifetime);
  }

  private Arena openWithoutBlocks(Lifetime lifetime) {
    return state == State.CHECKED ? new CheckedArena(Quarantine.SHARED) : lifetime.ofJdk();
  }

  /** Whether a block may serve an arena with that many bytes in all; false if the pool is off. */
  @ForceInline
  boolean fits(long byteSize) {
    return byteSize <= blockByteSize && blockByteSize != 0;
  }

  /**
   * Returns the blocks of the current thread or its carrier, to be used at once, see {@link
   * Carrier}; null if they are not in the cache.
   */
  @ForceInline
  @Nullable ThreadBlocks cached() {
    long id = Carrier.platformThreadId();
    ThreadBlocks found = byThreadId[(int) id & (byThreadId.length - 1)];
    return found != null && found.threadId == id ? found : null;
  }

  /** As {@link #cached}, but finds or makes them unless the thread is to keep none. */
  private @Nullable ThreadBlocks findOrMake() {
    ThreadBlocks known = cached();
    if (known != null) {
      return known;
    }
    ThreadBlocks made = memory.findOrMake(); // takes locks, so the carrier may change
    if (made != null) {
      byThreadId[(int) made.threadId & (byThreadId.length - 1)] = made;
    }
    return cached();
  }

  // ---- Slow paths are static, and take no arena, because an arena would escape into them.

  /**
   * Returns a zeroed block, which is the caller's from now on: one that is found kept, or a new
   * one; 0 if the JDK is to serve.
   */
  static long takeOrAllocate(BlockPool pool) {
    ThreadBlocks here = pool.cached();
    long kept = here != null ? here.take() : pool.memory.striped.take();
    return kept != 0 ? kept : pool.memory.allocate();
  }

  /** Releases the block of an arena, if it has one, after a cleanup action has thrown. */
  @SuppressWarnings("ReachabilityFenceUsage") // needed only if all went well
  static void releaseAfterFailure(BlockPool pool, long block, int used) {
    if (block != 0) {
      NativeMemory.zero(block, used);
      release(pool, block, used == 0 ? 0 : 1);
      Reference.reachabilityFence(pool); // as where an arena is closed
    }
  }

  /** Keeps or frees a zeroed block; the slow way, for threads that are not in the cache. */
  static void release(BlockPool pool, long block, int arenasClosed) {
    ThreadBlocks here = pool.findOrMake();
    if (here != null) {
      here.arenasClosed += arenasClosed;
      here.keepOrFree(block);
      return;
    }
    if (!pool.memory.striped.tryKeep(block)) {
      pool.memory.free(block);
    }
    pool.memory.arenasClosed.add(arenasClosed);
  }
}
