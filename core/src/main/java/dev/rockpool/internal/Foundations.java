package dev.rockpool.internal;

/**
 * The classes that arenas and adapted calls stand on and whose initialization takes more than a few
 * frames. One that is initialized where the stack or the heap is at its end stays broken, for as
 * long as the JVM runs, and with it each call that needs it.
 */
public final class Foundations {
  private Foundations() {}

  /**
   * Has them all initialized. For the initialization of a class that those who use it can do
   * without: then that fails, rather than an arena in use. Takes native access.
   */
  public static void initialize() {
    NativeMemory.initialize();
    Carrier.isReachable();
  }
}
