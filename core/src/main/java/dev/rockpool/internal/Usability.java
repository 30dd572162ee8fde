package dev.rockpool.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** What this JVM permits and promises, and whether its stack has room. */
public final class Usability {
  private static final int SMALLEST_PAGE = 4096;

  /** Calls that take more stack than those of a refund, in interpreted code as well. */
  public static final int REFUND_CALLS = 40;

  /** Calls that take more stack than a wait, which starts a thread. */
  public static final int WAIT_CALLS = 400;

  private Usability() {}

  /**
   * Whether this JVM has a compiler with escape analysis, which removes arenas. Interpreted, or
   * compiled by C1 alone ({@code -Xint}, {@code -XX:TieredStopAtLevel=1}), making a segment from an
   * address costs more than malloc and free. So there the JDK's own arenas are faster.
   */
  public static boolean isOptimized() {
    String mode = System.getProperty("java.vm.info", "");
    return !mode.contains("interpreted mode") && !mode.contains("emulated-client");
  }

  /** Whether Rockpool's memory can have the addresses that the JDK promises for its own. */
  public static boolean canReplaceJdkMemory() {
    return !promisesPageAlignment() && NativeMemory.canAllocate();
  }

  /**
   * Whether this JVM was started with {@code -Dsun.nio.PageAlignDirectMemory=true}. Then each
   * segment and each direct buffer of the JDK starts on a page, a promise that Rockpool's would
   * break. The JDK hides that property from the program, so the test is for its effect. Without the
   * property, malloc does not start three successive blocks on a page each.
   */
  private static boolean promisesPageAlignment() {
    try (Arena arena = Arena.ofConfined()) {
      long bits = 0;
      for (int i = 0; i < 3; i++) {
        bits |= arena.allocate(1).address();
      }
      return bits % SMALLEST_PAGE == 0;
    }
  }

  /**
   * Whether Rockpool may make segments from addresses; the JVM may print a warning. In java.base
   * this is not asked: the question initializes classes of the JDK for layouts. The program may not
   * have used these, and would find them broken if the heap ended meanwhile.
   */
  @SuppressWarnings("restricted")
  public static boolean isNativeAccessAllowed() {
    if (Usability.class.getModule() == Object.class.getModule()) {
      return true;
    }
    try {
      MemorySegment _ = MemorySegment.NULL.reinterpret(0);
      return true;
    } catch (IllegalCallerException denied) {
      return false;
    }
  }

  /** Returns the option of {@code java} that allows it. */
  public static String nativeAccessFlag() {
    Module module = Usability.class.getModule();
    return "--enable-native-access=" + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
  }

  /**
   * Checks that this JVM can have native memory of Rockpool's.
   *
   * @throws IllegalCallerException if native access is denied
   * @throws UnsupportedOperationException if this JVM has no 64-bit addresses, or no linker that
   *     finds the C library
   */
  public static void requireNativeMemory() {
    if (!isNativeAccessAllowed()) {
      throw new IllegalCallerException(
          "Direct memory needs native access: start java with " + nativeAccessFlag());
    }
    if (!NativeMemory.canAllocate()) {
      throw new UnsupportedOperationException(
          "Direct memory needs addresses of 64 bits, and a linker that finds calloc, free and"
              + " memset of the C library: this JVM lacks one of them; use"
              + " ByteBuffer.allocateDirect");
    }
  }

  /**
   * Fails where the stack is about to end, before anything is changed. Who charges bytes to a limit
   * and may have to refund them needs as much stack for the refund, and who waits must not leave a
   * lock behind: else a server that runs out of stack now and then would lose its limit for good.
   *
   * @param calls {@link #REFUND_CALLS} or {@link #WAIT_CALLS}
   * @throws StackOverflowError if there is no room for so many calls
   */
  public static void requireStack(int calls) {
    long unused = descend(calls, 1, 2, 3, 4, 5, 6, 7);
    assert unused != 0;
  }

  /** Parameters make frames large. */
  private static long descend(int left, long a, long b, long c, long d, long e, long f, long g) {
    return left == 0
        ? a ^ b ^ c ^ d ^ e ^ f ^ g ^ 8
        : descend(left - 1, b, c, d, e, f, g, a) + left;
  }
}
