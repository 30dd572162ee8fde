package jdk.internal.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import jdk.internal.misc.ScopedMemoryAccess;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Replaces the library's class {@code NativeMemory}, which states the rules of use. Allocates,
 * zeroes and frees native memory from within java.base, without a linker, a caller check or a
 * method handle. Memory is allocated as for the JDK's own arenas, so the JVM's native memory
 * tracking counts it.
 *
 * <p>Where {@link RockpoolInternals} are not usable, {@link #canAllocate} is false. Then nobody
 * calls the other methods, except for {@link #confinedArena}.
 */
final class RockpoolNativeMemory {
  static final int ALIGNMENT = 16;
  static final int CACHE_LINE = 64;

  /**
   * Least bytes of an allocation that is an entry in the session's list of cleanup actions. JDK 28
   * pools smaller ones.
   */
  private static final int LEAST_IN_LIST = Runtime.version().feature() < 28 ? 0 : 65;

  private RockpoolNativeMemory() {}

  /** Another JDK may lack it. */
  private static final class Home {
    static final Unsafe UNSAFE = Unsafe.getUnsafe();
  }

  /** Nothing to prepare: no call is linked. */
  static void initialize() {}

  static boolean has64BitAddresses() {
    return !RockpoolInternals.USABLE || Home.UNSAFE.addressSize() == Long.BYTES;
  }

  static boolean canAllocate() {
    return RockpoolInternals.USABLE;
  }

  static long allocateZeroed(long byteSize) {
    long address;
    try {
      address = Home.UNSAFE.allocateMemory(byteSize);
    } catch (OutOfMemoryError none) {
      return 0;
    }
    if (byteSize == CACHE_LINE) {
      zeroLine(address);
    } else {
      zeroBulk(address, byteSize);
    }
    return address;
  }

  static void free(long address) {
    Home.UNSAFE.freeMemory(address);
  }

  /**
   * A confined arena that allocates nothing. Where C2 has no profile yet, it inlines next to
   * nothing but constructors, and methods that are marked and whose owner it knows. Each object
   * passed to another method is then garbage. So all that blocks need of an arena is done here, on
   * fields of known classes.
   */
  static final class Confined implements Arena {
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

    /**
     * Closes the session, nearly always by one store: the JDK's methods check the same, and walk an
     * empty list. Where C2 has no profile yet, it would not inline them, and each session would be
     * garbage.
     */
    @Override
    @ForceInline
    public void close() {
      if (endsByOneStore()) {
        session.state = MemorySessionImpl.CLOSED;
      } else if (!SlowClose.never) {
        session.close();
      }
    }

    /** Whether its owner closes an open session that no call keeps and that has nothing to do. */
    @ForceInline
    boolean endsByOneStore() {
      ConfinedSession.ConfinedResourceList list =
          (ConfinedSession.ConfinedResourceList) session.resourceList;
      return session.state == MemorySessionImpl.OPEN
          && session.owner == Thread.currentThread()
          && session.acquireCount == 0
          && list.fst == null
          && (list.cache == null || list.cache == Nothing.ACTION);
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
      return allocating(this).allocate(byteSize, byteAlignment);
    }
  }

  /**
   * Not initialized before its field is read, for the reason that BlockArena's fallback has such a
   * class. A field, because C2 takes a call that has no profile yet for rare.
   */
  private static final class SlowClose {
    static boolean never;
  }

  @ForceInline
  static Arena confinedArena() {
    return RockpoolInternals.USABLE ? newConfined(Thread.currentThread()) : Arena.ofConfined();
  }

  @ForceInline
  static Confined newConfined(Thread owner) {
    return new Confined(new ConfinedSession(owner));
  }

  @ForceInline
  static MemorySegment confinedSegment(long address, long byteSize, Arena arena) {
    return made(((Confined) arena).session, address, byteSize);
  }

  /** Checks that the session is open and the current thread's, before a segment is made. */
  @ForceInline
  static NativeMemorySegmentImpl made(ConfinedSession session, long address, long byteSize) {
    try {
      session.checkValidStateRaw();
    } catch (ScopedMemoryAccess.ScopedAccessError refusal) {
      throw refusal.newRuntimeException();
    }
    if (LEAST_IN_LIST == 0 || byteSize >= LEAST_IN_LIST) {
      takeFirstPlace((ConfinedSession.ConfinedResourceList) session.resourceList);
    }
    return new NativeMemorySegmentImpl(address, byteSize, false, session);
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
  static final class Nothing extends MemorySessionImpl.ResourceList.ResourceCleanup {
    static final Nothing ACTION = new Nothing();
    static final Nothing OTHER = new Nothing();

    @Override
    @ForceInline
    public void cleanup() {}
  }

  @ForceInline
  static boolean isOpenAndOwned(Arena arena) {
    ConfinedSession session = ((Confined) arena).session;
    return session.state == MemorySessionImpl.OPEN && session.owner == Thread.currentThread();
  }

  @ForceInline
  static boolean isOpen(Arena arena) {
    return ((Confined) arena).session.state >= MemorySessionImpl.OPEN;
  }

  @ForceInline
  static boolean isClosedByOwner(Arena arena) {
    ConfinedSession session = ((Confined) arena).session;
    return session.state < MemorySessionImpl.OPEN && session.owner == Thread.currentThread();
  }

  @ForceInline
  static void close(Arena arena) {
    ((Confined) arena).close();
  }

  /**
   * Not the session's own arena: on JDK 28 that takes a block from a pool of the JDK, which only
   * its own close gives back.
   */
  static Arena allocating(Arena arena) {
    return new ArenaImpl(((Confined) arena).session);
  }

  @ForceInline
  static MemorySegment slice(long address, long byteSize) {
    return SegmentFactories.makeNativeSegmentUnchecked(address, byteSize);
  }

  /**
   * Zeroes the first {@code byteSize} bytes of a block; for small arenas, rounded up to 32. The
   * code for arenas of one or two cache lines is inlined where they are closed, and therefore
   * short; the rest is compiled once.
   */
  @ForceInline
  static void zero(long address, int byteSize) {
    if (byteSize <= CACHE_LINE) {
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

  /** Plain stores for few cache lines, because a call of the JVM takes longer to begin. */
  private static void zeroMore(long address, int byteSize) {
    if (byteSize > 4 * CACHE_LINE) {
      zeroBulk(address, byteSize);
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

  /**
   * Zeroes an odd number of bytes, and then the last byte. For an even number the JVM fills by the
   * word; for an odd one, with the processor's widest stores (18 against 5 ns for 1 KiB, JDK 25 to
   * 28).
   */
  static void zeroBulk(long address, long byteSize) {
    Home.UNSAFE.setMemory(address, byteSize - 1 | 1, (byte) 0);
    Home.UNSAFE.putByte(address + byteSize - 1, (byte) 0);
  }

  static void checkZero(long address, int byteSize, String what) {
    for (long offset = 0; offset < byteSize; offset += Long.BYTES) {
      if (Home.UNSAFE.getLong(address + offset) != 0) {
        throw new AssertionError(what + " holds data at byte " + offset);
      }
    }
  }
}
