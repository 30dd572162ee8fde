package jdk.internal.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import jdk.internal.misc.ScopedMemoryAccess;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Allocates, zeroes and frees native memory from within java.base, without a linker, a caller check
 * or a method handle. Memory is allocated as for the JDK's own arenas, so the JVM's native memory
 * tracking counts it.
 *
 * <p>The internal API used here may be missing or different in another JDK. So all of it is tested
 * once. If a test fails, the library's class {@code NativeMemory}, here {@code
 * RockpoolPublicNativeMemory}, is the fallback for all methods.
 */
final class RockpoolNativeMemory {
  static final int ALIGNMENT = RockpoolPublicNativeMemory.ALIGNMENT;
  static final int CACHE_LINE = RockpoolPublicNativeMemory.CACHE_LINE;

  /** The reason to use the fallback; null if there is none. */
  private static final String OBSTACLE = tryAll();

  private static final boolean AT_HOME = OBSTACLE == null;

  /**
   * Least bytes of an allocation that is an entry in the session's list of cleanup actions. JDK 28
   * pools smaller ones.
   */
  private static final int LEAST_IN_LIST = Runtime.version().feature() < 28 ? 0 : 65;

  private RockpoolNativeMemory() {}

  /** The JDK's own; another JDK may lack it. */
  private static final class Home {
    static final Unsafe UNSAFE = Unsafe.getUnsafe();
  }

  /** Tests all internal API used here; returns the first failure, or null. */
  private static String tryAll() {
    try {
      if (Home.UNSAFE.addressSize() != Long.BYTES) {
        return null; // nothing is allocated then
      }
      long address = Home.UNSAFE.allocateMemory(CACHE_LINE);
      try {
        String stores = tryStores(address);
        return stores != null ? stores : trySegments(address);
      } finally {
        Home.UNSAFE.freeMemory(address);
      }
    } catch (LinkageError | RuntimeException otherJdk) {
      return otherJdk.toString();
    }
  }

  private static String tryStores(long address) {
    Home.UNSAFE.setMemory(address, CACHE_LINE, (byte) -1);
    Home.UNSAFE.putLong(address + Long.BYTES, 0);
    Home.UNSAFE.putByte(address, (byte) 1);
    boolean seen =
        Home.UNSAFE.getByte(address) == 1
            && Home.UNSAFE.getByte(address + 1) == -1
            && Home.UNSAFE.getLong(address + Long.BYTES) == 0
            && Home.UNSAFE.getLong(address + CACHE_LINE - Long.BYTES) == -1;
    return seen ? null : "stores are not seen";
  }

  /** Pooled arenas rely on the refusal of segments for other threads and for closed arenas. */
  private static String trySegments(long address) {
    ConfinedSession session = new ConfinedSession(Thread.currentThread());
    Arena arena = new Confined(session);
    NativeMemorySegmentImpl segment = made(session, address, Long.BYTES);
    NativeMemorySegmentImpl slice = SegmentFactories.makeNativeSegmentUnchecked(address, 1);
    if (segment.address() != address
        || segment.byteSize() != Long.BYTES
        || segment.isReadOnly()
        || segment.scope() != session
        || !session.isAlive()
        || slice.address() != address
        || slice.byteSize() != 1
        || arena.scope() != session
        || allocating(arena).scope() != session) {
      return "segments are different: " + segment + ", " + slice;
    }
    arena.close();
    if (session.isAlive() || isMade(session, address) || endsByOneStore(session)) {
      return "segments do not end with their arena";
    }
    ConfinedSession kept = new ConfinedSession(Thread.currentThread());
    kept.acquire0();
    ConfinedSession withAction = new ConfinedSession(Thread.currentThread());
    withAction.addOrCleanupIfFail(Nothing.OTHER);
    ConfinedSession withActions = new ConfinedSession(Thread.currentThread());
    withActions.addOrCleanupIfFail(Nothing.ACTION);
    withActions.addOrCleanupIfFail(Nothing.OTHER);
    if (endsByOneStore(kept) || endsByOneStore(withAction) || endsByOneStore(withActions)) {
      return "arenas end in another way";
    }
    // Named and without inherited values: the program's names stay, and none of its code runs.
    Thread other = new Thread(null, null, "rockpool-test", 0, false);
    ConfinedSession ofOther = new ConfinedSession(other);
    return isMade(ofOther, address) || endsByOneStore(ofOther)
        ? "segments are made for any thread"
        : null;
  }

  private static boolean isMade(ConfinedSession session, long address) {
    try {
      return made(session, address, Long.BYTES) != null;
    } catch (IllegalStateException | WrongThreadException asExpected) {
      return false;
    }
  }

  static String obstacle() {
    return OBSTACLE;
  }

  static void initialize() {
    if (!AT_HOME) {
      RockpoolPublicNativeMemory.initialize();
    }
  }

  static boolean has64BitAddresses() {
    return AT_HOME
        ? Home.UNSAFE.addressSize() == Long.BYTES
        : RockpoolPublicNativeMemory.has64BitAddresses();
  }

  static boolean canAllocate() {
    return AT_HOME || RockpoolPublicNativeMemory.canAllocate();
  }

  static long allocateZeroed(long byteSize) {
    if (!AT_HOME) {
      return RockpoolPublicNativeMemory.allocateZeroed(byteSize);
    }
    long address;
    try {
      address = Home.UNSAFE.allocateMemory(byteSize);
    } catch (OutOfMemoryError none) {
      return 0;
    }
    if (byteSize == CACHE_LINE) {
      zeroLine(address);
    } else {
      fill(address, byteSize);
    }
    return address;
  }

  static boolean touchesNew() {
    return AT_HOME;
  }

  static void free(long address) {
    if (AT_HOME) {
      Home.UNSAFE.freeMemory(address);
    } else {
      RockpoolPublicNativeMemory.free(address);
    }
  }

  @ForceInline
  static MemorySegment segment(long address, long byteSize, Arena arena) {
    return RockpoolPublicNativeMemory.segment(address, byteSize, arena); // only where checked
  }

  /**
   * A confined arena that allocates nothing. Where C2 has no profile yet, it inlines next to
   * nothing but constructors, and methods that are marked and whose owner it knows. Each object
   * passed to another method is then garbage. So all that blocks need of an arena is done here, on
   * fields of known classes.
   */
  private static final class Confined implements Arena {
    final ConfinedSession session;

    @ForceInline
    Confined(ConfinedSession session) {
      this.session = session;
    }

    @Override
    @ForceInline
    public MemorySegment.Scope scope() {
      return session;
    }

    @Override
    @ForceInline
    public void close() {
      end(session);
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
      return allocating(this).allocate(byteSize, byteAlignment);
    }
  }

  @ForceInline
  static Arena confinedArena() {
    return AT_HOME
        ? new Confined(new ConfinedSession(Thread.currentThread()))
        : RockpoolPublicNativeMemory.confinedArena();
  }

  @ForceInline
  static MemorySegment confinedSegment(long address, long byteSize, Arena arena) {
    if (!AT_HOME) {
      return RockpoolPublicNativeMemory.confinedSegment(address, byteSize, arena);
    }
    ConfinedSession session = ((Confined) arena).session;
    prepare(session, byteSize);
    return new NativeMemorySegmentImpl(address, byteSize, false, session);
  }

  /** As {@link #confinedSegment}, for the tests that precede {@code AT_HOME}. */
  private static NativeMemorySegmentImpl made(
      ConfinedSession session, long address, long byteSize) {
    prepare(session, byteSize);
    return new NativeMemorySegmentImpl(address, byteSize, false, session);
  }

  /** Checks that the session is open and the current thread's, before a segment is made. */
  @ForceInline
  private static void prepare(ConfinedSession session, long byteSize) {
    try {
      session.checkValidStateRaw();
    } catch (ScopedMemoryAccess.ScopedAccessError refusal) {
      throw refusal.newRuntimeException();
    }
    if (LEAST_IN_LIST == 0 || byteSize >= LEAST_IN_LIST) {
      takeFirstPlace((ConfinedSession.ConfinedResourceList) session.resourceList);
    }
  }

  /**
   * Takes the place of the memory in the list of cleanup actions. That list runs the action that
   * came first before all others, and those in LIFO order. In the JDK's arenas, memory nearly
   * always comes first.
   */
  @ForceInline
  private static void takeFirstPlace(ConfinedSession.ConfinedResourceList list) {
    if (list.cache == null) {
      list.cache = Nothing.ACTION;
    }
  }

  /** A cleanup action that does nothing. */
  private static final class Nothing extends MemorySessionImpl.ResourceList.ResourceCleanup {
    static final Nothing ACTION = new Nothing();
    static final Nothing OTHER = new Nothing();

    @Override
    @ForceInline
    public void cleanup() {}
  }

  @ForceInline
  static boolean isOpenAndOwned(Arena arena) {
    if (!AT_HOME) {
      return RockpoolPublicNativeMemory.isOpenAndOwned(arena);
    }
    ConfinedSession session = ((Confined) arena).session;
    return session.state == MemorySessionImpl.OPEN && session.owner == Thread.currentThread();
  }

  @ForceInline
  static boolean isOpen(Arena arena) {
    return AT_HOME
        ? ((Confined) arena).session.state >= MemorySessionImpl.OPEN
        : RockpoolPublicNativeMemory.isOpen(arena);
  }

  @ForceInline
  static boolean isClosedByOwner(Arena arena) {
    if (!AT_HOME) {
      return RockpoolPublicNativeMemory.isClosedByOwner(arena);
    }
    ConfinedSession session = ((Confined) arena).session;
    return session.state < MemorySessionImpl.OPEN && session.owner == Thread.currentThread();
  }

  @ForceInline
  static void close(Arena arena) {
    if (AT_HOME) {
      end(((Confined) arena).session);
    } else {
      RockpoolPublicNativeMemory.close(arena);
    }
  }

  /**
   * Closes a session, nearly always by one store: the JDK's methods check the same, and walk an
   * empty list. Where C2 has no profile yet, it would not inline them, and each session would be
   * garbage.
   */
  @ForceInline
  private static void end(ConfinedSession session) {
    if (endsByOneStore(session)) {
      session.state = MemorySessionImpl.CLOSED;
    } else if (!Otherwise.never) {
      session.close();
    }
  }

  /** Whether its owner closes an open session that no call keeps and that has nothing to do. */
  @ForceInline
  private static boolean endsByOneStore(ConfinedSession session) {
    ConfinedSession.ConfinedResourceList list =
        (ConfinedSession.ConfinedResourceList) session.resourceList;
    return session.state == MemorySessionImpl.OPEN
        && session.owner == Thread.currentThread()
        && session.acquireCount == 0
        && list.fst == null
        && (list.cache == null || list.cache == Nothing.ACTION);
  }

  /**
   * Not initialized before its field is read, for the reason that BlockArena's fallback has such a
   * class. A field, because C2 takes a call that has no profile yet for rare.
   */
  private static final class Otherwise {
    static boolean never;
  }

  /**
   * Not the session's own arena: on JDK 28 that takes a block from a pool of the JDK, which only
   * its own close gives back.
   */
  static Arena allocating(Arena arena) {
    return arena instanceof Confined confined
        ? new ArenaImpl(confined.session)
        : RockpoolPublicNativeMemory.allocating(arena);
  }

  @ForceInline
  static MemorySegment slice(long address, long byteSize) {
    return AT_HOME
        ? SegmentFactories.makeNativeSegmentUnchecked(address, byteSize)
        : RockpoolPublicNativeMemory.slice(address, byteSize);
  }

  /**
   * Zeroes the first {@code byteSize} bytes of a block; for small arenas, rounded up to 32. The
   * code for arenas of one or two cache lines is inlined where they are closed, and therefore
   * short; the rest is compiled once.
   */
  @ForceInline
  static void zero(long address, int byteSize) {
    if (!AT_HOME) {
      RockpoolPublicNativeMemory.zero(address, byteSize);
    } else if (byteSize <= CACHE_LINE) {
      zero32(address);
      if (byteSize > CACHE_LINE / 2) {
        zero32(address + CACHE_LINE / 2);
      }
    } else if (byteSize <= 2 * CACHE_LINE) {
      zeroLine(address);
      zeroLine(address + byteSize - CACHE_LINE); // may overlap the first one
    } else {
      zeroMore(address, byteSize);
    }
  }

  @ForceInline
  private static void zeroLine(long address) {
    zero32(address);
    zero32(address + CACHE_LINE / 2);
  }

  /** Plain stores for few cache lines, because a call of {@link #fill} takes longer to begin. */
  private static void zeroMore(long address, int byteSize) {
    if (byteSize > 4 * CACHE_LINE) {
      fill(address, byteSize);
      return;
    }
    for (int done = 0; done < byteSize; done += CACHE_LINE / 2) {
      zero32(address + done);
    }
  }

  @ForceInline
  private static void zero32(long address) {
    Home.UNSAFE.putLong(address, 0);
    Home.UNSAFE.putLong(address + 8, 0);
    Home.UNSAFE.putLong(address + 16, 0);
    Home.UNSAFE.putLong(address + 24, 0);
  }

  static void zeroBulk(long address, long byteSize) {
    if (AT_HOME) {
      fill(address, byteSize);
    } else {
      RockpoolPublicNativeMemory.zeroBulk(address, byteSize);
    }
  }

  /**
   * Zeroes an odd number of bytes, and then the last byte. For an even number the JVM fills by the
   * word; for an odd one, with the processor's widest stores (18 against 5 ns for 1 KiB, JDK 25 to
   * 28).
   */
  private static void fill(long address, long byteSize) {
    Home.UNSAFE.setMemory(address, byteSize - 1 | 1, (byte) 0);
    Home.UNSAFE.putByte(address + byteSize - 1, (byte) 0);
  }

  static void checkZero(long address, int byteSize, String what) {
    RockpoolPublicNativeMemory.checkZero(address, byteSize, what);
  }
}
