package dev.rockpool.internal;

/**
 * The classes that arenas and adapted calls need and whose initialization takes more than a few
 * frames. A class whose initialization fails with a StackOverflowError or OutOfMemoryError stays
 * broken until the JVM ends, and so does each call that needs the class.
 */
public final class Foundations {
  private Foundations() {}

  /**
   * Initializes them all; needs native access. Call from the static initializer of a class whose
   * users have a fallback: then that class fails, not an arena in use.
   */
  public static void initialize() {
    NativeMemory.initialize();
    Carrier.isReachable();
  }
}
