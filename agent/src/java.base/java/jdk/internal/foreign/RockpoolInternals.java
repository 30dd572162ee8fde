package jdk.internal.foreign;

import java.lang.foreign.MemorySegment;
import jdk.internal.access.SharedSecrets;
import jdk.internal.misc.Unsafe;

/**
 * Whether this JDK's internal API is as our classes expect it. All of it is tried once, before the
 * pool starts. If a trial fails, one line says so, and arenas and direct buffers are the JDK's.
 */
final class RockpoolInternals {
  static final boolean USABLE = tryAll();

  private static final int TRIED = 64;

  private RockpoolInternals() {}

  private static boolean tryAll() {
    String obstacle;
    try {
      obstacle = tryInternals();
    } catch (LinkageError | RuntimeException otherJdk) {
      obstacle = otherJdk.toString();
    }
    if (obstacle != null) {
      RockpoolNotices.print(
          "This JDK differs from those that Rockpool knows, and the program runs on without"
              + " Rockpool's arenas, direct buffers, limit and record: "
              + obstacle);
    }
    return obstacle == null;
  }

  /** Returns what differs, or null. */
  private static String tryInternals() {
    if (SharedSecrets.getJavaLangAccess().currentCarrierThread() == null) {
      return "carriers are unknown";
    }
    Unsafe unsafe = Unsafe.getUnsafe();
    if (unsafe.addressSize() != Long.BYTES) {
      return null; // nothing is allocated then
    }
    long address = unsafe.allocateMemory(TRIED);
    try {
      return tryStores(unsafe, address) ? trySegments(address) : "stores are lost";
    } finally {
      unsafe.freeMemory(address);
    }
  }

  private static boolean tryStores(Unsafe unsafe, long address) {
    unsafe.setMemory(address, TRIED, (byte) -1);
    unsafe.putLong(address + Long.BYTES, 0);
    unsafe.putByte(address, (byte) 1);
    return unsafe.getByte(address) == 1
        && unsafe.getByte(address + 1) == -1
        && unsafe.getLong(address + Long.BYTES) == 0
        && unsafe.getLong(address + TRIED - Long.BYTES) == -1;
  }

  /** Pooled arenas rely on the refusal of segments for other threads and for closed arenas. */
  private static String trySegments(long address) {
    RockpoolLifetime lifetime = RockpoolLifetime.open();
    MemorySegment segment = lifetime.segment(address, 8);
    NativeMemorySegmentImpl slice = SegmentFactories.makeNativeSegmentUnchecked(address, 1);
    if (segment.address() != address
        || segment.byteSize() != 8
        || segment.isReadOnly()
        || segment.scope() != lifetime.session
        || !lifetime.session.isAlive()
        || slice.address() != address
        || slice.byteSize() != 1
        || lifetime.scope() != lifetime.session
        || lifetime.ofJdk().scope() != lifetime.session) {
      return "segments are different: " + segment + ", " + slice;
    }
    lifetime.close();
    if (lifetime.session.isAlive()
        || canMakeSegment(lifetime, address)
        || lifetime.endsByOneStore()) {
      return "segments do not end with their arena";
    }
    if (endsByOneStore(true, 0) || endsByOneStore(false, 1) || endsByOneStore(false, 2)) {
      return "arenas end in another way";
    }
    // Named and without inherited values: the program's names stay, and none of its code runs.
    RockpoolLifetime ofOther =
        RockpoolLifetime.openFor(new Thread(null, null, "rockpool-test", 0, false));
    return canMakeSegment(ofOther, address) || ofOther.endsByOneStore()
        ? "segments are made for any thread"
        : null;
  }

  private static boolean canMakeSegment(RockpoolLifetime lifetime, long address) {
    try {
      return lifetime.segment(address, 8) != null;
    } catch (IllegalStateException | WrongThreadException asExpected) {
      return false;
    }
  }

  /** Whether one store would end a session that a call keeps, or that has cleanup actions. */
  private static boolean endsByOneStore(boolean isKept, int actions) {
    RockpoolLifetime lifetime = RockpoolLifetime.open();
    if (isKept) {
      lifetime.session.acquire0();
    }
    for (int i = 1; i <= actions; i++) {
      lifetime.session.addOrCleanupIfFail(
          i < actions ? RockpoolLifetime.Nothing.ACTION : RockpoolLifetime.Nothing.OTHER);
    }
    return lifetime.endsByOneStore();
  }
}
