package dev.rockpool.internal;

import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

/**
 * First uses of classes. A class whose initialization fails with a StackOverflowError or
 * OutOfMemoryError stays broken until the JVM ends, and so does each call that needs the class.
 * Therefore an entry point calls {@link #requireRoom}, uses all classes behind it once, and sets a
 * flag only after success. Without room, nothing is initialized, and a later call tries again. The
 * exception is the library's {@code Arenas.ofConfined}, which can't afford a flag.
 */
public final class Foundations {
  /**
   * Frames of some 70 bytes once C2 has compiled {@link #descend}, three times as many before. More
   * frames exceed the smallest stacks. Fewer do not cover linking a native function.
   */
  private static final int FRAMES = 440;

  /** Extra frames for a first use that itself calls {@link #requireRoom}. */
  private static final int MORE_FRAMES = 20;

  private static final int HEAP_BYTES = 1 << 20;

  /** Pause between two collections, as a multiple of the time that one takes. */
  private static final int PAUSE = 10;

  /** Time from which on the next collection may start; 0 before the first. */
  private static volatile long nextCollectionNanos;

  private Foundations() {}

  /**
   * Ensures that stack and heap suffice for first uses of classes. Allocates nothing on trial,
   * because an OutOfMemoryError of the JVM's own would end a program that runs with {@code
   * -XX:+ExitOnOutOfMemoryError}.
   *
   * @throws StackOverflowError if there is too little stack
   * @throws OutOfMemoryError if there is too little heap
   */
  public static void requireRoom() {
    require(FRAMES, HEAP_BYTES, true);
  }

  /** Whether {@link #requireRoom} would succeed. */
  public static boolean hasRoom() {
    try {
      requireRoom();
      return true;
    } catch (StackOverflowError | OutOfMemoryError none) {
      return false;
    }
  }

  /** As {@link #requireRoom()}, for first uses that take JMX, or require room themselves. */
  public static void requireMoreRoom() {
    require(FRAMES + MORE_FRAMES, 2 * HEAP_BYTES, true);
  }

  /** As {@link #requireMoreRoom()}, for callers that have a fallback and ask again and again. */
  public static void requireMoreRoomSeldomCollecting() {
    long next = nextCollectionNanos;
    boolean collects = next == 0 || System.nanoTime() - next >= 0;
    require(FRAMES + MORE_FRAMES, 2 * HEAP_BYTES, collects);
  }

  /** Whether the heap suffices for first uses. Collects no garbage: background tasks come again. */
  public static boolean hasHeap() {
    return freeHeap() >= HEAP_BYTES;
  }

  private static void require(int frames, int heapBytes, boolean collects) {
    if (freeHeap() < heapBytes) {
      if (collects) {
        long start = System.nanoTime();
        System.gc();
        long end = System.nanoTime();
        nextCollectionNanos = (end + PAUSE * (end - start)) | 1;
      }
      long free = freeHeap();
      if (free < heapBytes) {
        throw new OutOfMemoryError(
            "First uses of classes need "
                + heapBytes
                + " bytes of heap: "
                + free
                + " are free; raise -Xmx");
      }
    }
    Object r = "r";
    Object n = "n";
    Objects.requireNonNull(descend(frames, r, n, r, n, r, n, r, n, r, n, r, n));
  }

  private static long freeHeap() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
  }

  /** Keeps its arguments for after the recursive call, so that compiled frames are large, too. */
  @SuppressWarnings("ReferenceEquality") // any test would do
  private static Object descend(
      int frames,
      Object a,
      Object b,
      Object c,
      Object d,
      Object e,
      Object f,
      Object g,
      Object h,
      Object i,
      Object j,
      Object k,
      Object l) {
    Object z = frames == 0 ? a : descend(frames - 1, b, c, d, e, f, g, h, i, j, k, l, a);
    return z == a ? b : z == c ? d : z == e ? f : z == g ? h : z == i ? j : z == k ? l : z;
  }

  /** Initializes the classes that arenas and adapted calls need; needs native access. */
  public static void initialize() {
    NativeMemory.initialize();
    Carrier.isReachable();
    LockSupport.unpark(null); // which the housekeeper might be the first to use, at a full heap
  }
}
