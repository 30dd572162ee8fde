package dev.rockpool.internal;

/**
 * First uses of direct memory. A class whose initialization runs out of memory stays broken until
 * the JVM ends, and so does each call that needs the class. Arenas then go on as the JDK's; direct
 * memory has nothing to go on with, and so asks here before.
 */
public final class Foundations {
  private static final int HEAP_BYTES = 1 << 20;

  private Foundations() {}

  /**
   * Ensures that the heap suffices for first uses of classes. Allocates nothing on trial, because
   * an OutOfMemoryError of the JVM's own would end a program that runs with {@code
   * -XX:+ExitOnOutOfMemoryError}.
   *
   * @throws OutOfMemoryError if there is too little heap
   */
  public static void requireRoom() {
    if (!hasHeap()) {
      System.gc();
    }
    if (!hasHeap()) {
      throw new OutOfMemoryError(
          "A first use of direct memory needs "
              + HEAP_BYTES
              + " bytes of heap: "
              + freeHeap()
              + " are free; raise -Xmx");
    }
  }

  /** Whether the heap suffices for first uses, without a collection. */
  public static boolean hasHeap() {
    return freeHeap() >= HEAP_BYTES;
  }

  private static long freeHeap() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
  }
}
