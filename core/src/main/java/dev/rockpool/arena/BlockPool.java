package dev.rockpool.arena;

import dev.rockpool.arena.PoolStatistics.State;
import dev.rockpool.internal.Account;
import dev.rockpool.internal.Carrier;
import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.NativeMemory;
import dev.rockpool.internal.Notices;
import dev.rockpool.internal.Setting;
import dev.rockpool.internal.Usability;
import java.lang.foreign.Arena;
import java.lang.ref.PhantomReference;
import org.jspecify.annotations.Nullable;

/**
 * A pool of blocks: finds the {@link ThreadBlocks} of the current thread or its carrier, allocates
 * a fresh block where none is kept, and takes back those of a closed arena.
 *
 * <p>{@code byThreadId} is a cache in front of {@link PoolMemory}. The element for a thread is at
 * its id modulo the length, and has the blocks of the thread that came last. It is read and written
 * without synchronization: a reader uses only blocks whose {@code threadId}, a final field, is that
 * of the platform thread that runs the reader. The JVM never reuses the id of an ended thread.
 *
 * <p>A record, because C2 trusts the final fields of records: reached from a static final field,
 * the pool and its sizes are constants in compiled code.
 *
 * @param blockByteSize bytes in a block of the usual size; 0 if the pool is off
 * @param blocksPerThread blocks that a thread keeps at most
 * @param largeByteSize bytes in the block of an arena that outgrows its first one; 0 if there are
 *     none, because usual blocks are as large
 * @param account holds what arenas of this pool take beyond their blocks
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and not seen outside this package
record BlockPool(
    State state,
    int blockByteSize,
    int blocksPerThread,
    int largeByteSize,
    @Nullable ThreadBlocks[] byThreadId,
    PoolMemory memory,
    Account account) {
  /** Length of the cache: with a hundred threads at work, most have an element of their own. */
  private static final int CACHE_LENGTH = 1024;

  /** Room for a path, a line of text or a page, beside other allocations of a call. */
  static final int LARGE_BYTE_SIZE = 8 << 10;

  /** Least bytes in a fresh block. */
  private static final int LEAST_FRESH = NativeMemory.CACHE_LINE;

  /** Added to the address of a fresh block; addresses are multiples of 16. */
  static final long FRESH_TAG = 1;

  /** Whether the agent defined these classes in java.base, where {@link ForceInline} works. */
  static final boolean IN_JAVA_BASE = BlockPool.class.getModule() == Object.class.getModule();

  /** The account of the shared pool, which the agent sets before it makes that pool. */
  static volatile Account accountOfShared = Account.NONE;

  /** The shared pool, for {@link Arenas} and {@link ArenaPool#shared()}. */
  static final class Shared {
    static final BlockPool POOL = make();

    private static BlockPool make() {
      BlockPool made =
          of(Setting.BLOCK_SIZE.read(), Setting.BLOCKS_PER_THREAD.read(), accountOfShared);
      made.registerMaintenance();
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
    boolean isOff = blockByteSize == 0 || blocksPerThread == 0;
    State state = state(isOff);
    if (state != State.ON) {
      return new BlockPool(state, 0, 0, account);
    }
    NativeMemory.initialize(); // if this fails there is no pool, so no arena fails later
    Carrier.isReachable(); // initializes the class, for the reason that it states
    return new BlockPool(state, blockByteSize, blocksPerThread, account);
  }

  /** Makes a pool that is off, without reading any setting. */
  static BlockPool off() {
    return new BlockPool(State.OFF, 0, 0, Account.NONE);
  }

  private BlockPool(State state, int blockByteSize, int blocksPerThread, Account account) {
    this(
        state,
        blockByteSize,
        blocksPerThread,
        blockByteSize < LARGE_BYTE_SIZE ? LARGE_BYTE_SIZE : 0,
        new ThreadBlocks[CACHE_LENGTH],
        new PoolMemory(blockByteSize, blocksPerThread, account),
        account);
  }

  /** Returns this pool, with the same blocks, for a holder of what its arenas take beyond them. */
  BlockPool heldBy(Account holder) {
    return new BlockPool(
        state, blockByteSize, blocksPerThread, largeByteSize, byThreadId, memory, holder);
  }

  private static State state(boolean isOff) {
    return isOff && !Setting.isCheckOn() ? State.OFF : OfThisJvm.STATE;
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
              "Checked arenas need addresses of 64 bits, and allocations that may start within a"
                  + " page: arenas are the JDK's own. Start java on a 64-bit JVM, without"
                  + " -Dsun.nio.PageAlignDirectMemory=true.");
        }
        return State.UNSUITED;
      }
      if (isChecked) {
        CheckedArena.initialize();
      }
      return isChecked ? State.CHECKED : State.ON;
    }
  }

  /** Has the housekeeper free the memory of ended threads, and all of it after the pool. */
  void registerMaintenance() {
    if (blockByteSize != 0) {
      Housekeeper.add(new Upkeep(this));
    }
  }

  /**
   * Frees the blocks of ended threads, and all kept ones once the pool is unreachable; by a phantom
   * reference, because a finalizer may still use what a weak one does not show. Every open arena
   * refers to its pool. So by then, owned blocks are those of arenas that were never closed, whose
   * segments may be alive.
   */
  private static final class Upkeep implements Housekeeper.Upkeep {
    private final PhantomReference<BlockPool> pool;
    private final PoolMemory memory;

    Upkeep(BlockPool pool) {
      this.pool = new PhantomReference<>(pool, null);
      memory = pool.memory;
    }

    @Override
    public boolean getAsBoolean() {
      if (pool.refersTo(null)) {
        freeAll();
        return false;
      }
      memory.freeEnded();
      return true;
    }

    @Override
    public void freeAll() {
      memory.freeAll();
    }
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
   * below the program's. So the caller opens {@code lifetime}, and constructors are called here:
   * then this arena ends nearly as high.
   *
   * @param lifetime from {@link NativeMemory#confinedArena}, and in no other hands
   */
  @ForceInline
  Arena open(Arena lifetime) {
    return blockByteSize == 0 ? openWithoutBlocks(lifetime) : new BlockArena(this, lifetime);
  }

  @ForceInline
  private Arena openWithoutBlocks(Arena lifetime) {
    if (state == State.CHECKED) {
      return new CheckedArena(Quarantine.SHARED);
    }
    return IN_JAVA_BASE ? Arena.ofConfined() : lifetime;
  }

  /** Whether blocks may serve an arena with that many bytes in all; false if the pool is off. */
  @ForceInline
  boolean fits(long byteSize) {
    return byteSize <= Math.max(blockByteSize, largeByteSize) && blockByteSize != 0;
  }

  // ---- Slow paths are static, and take no arena, because an arena would escape into them.

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
    ThreadBlocks made = memory.ofCurrentThread(); // takes locks, so the carrier may change
    if (made != null) {
      byThreadId[(int) made.threadId & (byThreadId.length - 1)] = made;
    }
    return cached();
  }

  /**
   * Returns the most bytes that an arena can ask of its next block.
   *
   * @param limit bytes in the block that the arena has; 0 if it has none
   */
  static int mostBytes(BlockPool pool, int limit) {
    if (limit == 0) {
      return Math.max(pool.blockByteSize, pool.largeByteSize);
    }
    return limit <= pool.blockByteSize ? pool.largeByteSize : 0;
  }

  /**
   * Returns a zeroed block with room for {@code needed} bytes, which is the caller's from now on: a
   * kept one, or a fresh one plus {@link #FRESH_TAG}; 0 if there is no memory for one.
   */
  static long take(BlockPool pool, int needed, boolean isLarge) {
    ThreadBlocks here = pool.cached();
    long kept = here != null ? here.take(isLarge) : isLarge ? 0 : pool.memory.striped.take();
    if (kept != 0) {
      return kept;
    }
    long fresh = pool.memory.allocate(pool.freshByteSize(needed, isLarge));
    return fresh == 0 ? 0 : fresh + FRESH_TAG;
  }

  /** Returns the bytes in a block that {@link #take} has returned. */
  @ForceInline
  int byteSize(long taken, int needed, boolean isLarge) {
    return (taken & FRESH_TAG) != 0 ? freshByteSize(needed, isLarge) : usualByteSize(isLarge);
  }

  /** A large one has some bytes more than needed now, because the arena is growing. */
  @ForceInline
  private int freshByteSize(int needed, boolean isLarge) {
    int least = isLarge ? 2 * blockByteSize : LEAST_FRESH;
    return Math.min(Math.max(needed, least), usualByteSize(isLarge));
  }

  @ForceInline
  private int usualByteSize(boolean isLarge) {
    return isLarge ? largeByteSize : blockByteSize;
  }

  /** Keeps the one block of an arena, zeroed, where the thread has kept none before. */
  static void keepFirst(BlockPool pool, long block, int served) {
    pool.keep(pool.findOrMake(), block, false);
    if (served != 0) {
      pool.count(BlockArena.KEPT);
    }
  }

  /**
   * Gives back what a closed arena owns, and counts the arena; see the fields of {@link
   * BlockArena}.
   */
  static void giveBackAll(
      BlockPool pool,
      long outgrown,
      int outgrownUsed,
      long block,
      int used,
      int byteSize,
      byte servedBy) {
    if (byteSize != 0) {
      boolean isLarge = byteSize > pool.blockByteSize;
      boolean isUsual = byteSize == pool.usualByteSize(isLarge);
      pool.giveBack(block, isUsual ? used : -byteSize, isLarge);
    }
    if (outgrown != 0) {
      pool.giveBack(outgrown, outgrownUsed, false);
    }
    if (used != 0 || outgrown != 0 || servedBy != BlockArena.KEPT) { // else it did not allocate
      pool.count(servedBy);
    }
  }

  /**
   * Keeps a block of which so many bytes were used, or frees one whose size is negative. Then makes
   * one to be kept, if the thread keeps fewer than it may. Where the pool holds too much of a
   * limit, frees the block, and makes none.
   */
  private void giveBack(long block, int usedOrFreed, boolean isLarge) {
    if (!memory.account.mayKeep()) {
      memory.free(block, usedOrFreed < 0 ? -usedOrFreed : usualByteSize(isLarge));
      ThreadBlocks here = cached();
      if (here != null && isLarge && usedOrFreed >= 0) {
        here.forgetLarge();
      }
      return;
    }
    if (usedOrFreed >= 0) {
      NativeMemory.zero(block, usedOrFreed);
      keep(findOrMake(), block, isLarge);
      return;
    }
    memory.free(block, -usedOrFreed);
    ThreadBlocks here = findOrMake();
    if (here != null ? here.lacks(isLarge) : !isLarge && memory.striped.hasNone()) {
      long made = memory.allocate(usualByteSize(isLarge));
      ThreadBlocks now = cached();
      if (made != 0 && now != null) {
        now.keepNew(made, isLarge);
      } else if (made != 0) {
        keep(null, made, isLarge);
      }
    }
  }

  private void keep(@Nullable ThreadBlocks here, long block, boolean isLarge) {
    if (here != null) {
      here.keep(block, isLarge);
    } else if (isLarge || !memory.striped.tryKeep(block)) {
      memory.free(block, usualByteSize(isLarge));
    }
  }

  private void count(byte servedBy) {
    ThreadBlocks here = cached();
    if (here != null) {
      here.closed[servedBy]++;
    } else {
      memory.closed[servedBy].increment();
    }
  }
}
