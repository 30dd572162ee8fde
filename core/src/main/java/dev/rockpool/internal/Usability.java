package dev.rockpool.internal;

import java.lang.foreign.Arena;

/**
 * Whether blocks may be handed out in this JVM, and if not, why. Determined at the first request; a
 * reason that the user can remove is printed once on standard error.
 */
public enum Usability {
  /** Blocks may be handed out. */
  USABLE,

  /** Native access is denied to Rockpool, which therefore can't make segments from addresses. */
  DENIED,

  /** The JDK's own arenas are faster in this JVM, or promise an alignment that blocks lack. */
  UNSUITED;

  private static final int SMALLEST_PAGE = 4096;

  public static Usability ofThisJvm() {
    return Found.ANSWER;
  }

  /** Whether our direct buffers may replace the JDK's; says nothing about speed. */
  public static boolean canReplaceDirectBuffers() {
    return NativeMemory.has64BitAddresses()
        && !promisesPageAlignment()
        && NativeMemory.canAllocate();
  }

  private static final class Found {
    static final Usability ANSWER = find();
  }

  private static Usability find() {
    if (!isOptimized() || !NativeMemory.has64BitAddresses() || promisesPageAlignment()) {
      return UNSUITED;
    }
    if (!mayReinterpret()) {
      return DENIED;
    }
    return NativeMemory.canAllocate() ? USABLE : UNSUITED; // and that was said
  }

  /**
   * Whether this JVM has a compiler with escape analysis, which removes arenas. Interpreted, or
   * compiled by C1 alone ({@code -Xint}, {@code -XX:TieredStopAtLevel=1}), making a segment from an
   * address costs more than malloc and free. So there the JDK's own arenas are faster.
   */
  private static boolean isOptimized() {
    String mode = System.getProperty("java.vm.info", "");
    return !mode.contains("interpreted mode") && !mode.contains("emulated-client");
  }

  /**
   * Whether this JVM was started with {@code -Dsun.nio.PageAlignDirectMemory=true}. Then each
   * segment and each direct buffer of the JDK starts on a page, a promise that ours would break.
   * The JDK hides that property from the program, so the test is for its effect. Without the
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

  private static boolean mayReinterpret() {
    if (isNativeAccessAllowed()) {
      return true;
    }
    Notices.print(
        "Native access is denied to Rockpool, so arenas are the JDK's own. To have them pooled,"
            + " start java with "
            + nativeAccessFlag()
            + ".");
    return false;
  }

  /**
   * Whether Rockpool may make segments from addresses; the JVM may print a warning. In java.base
   * this is not asked: the question initializes classes of the JDK for layouts. The program may not
   * have used these, and would find them broken if the heap ended meanwhile.
   */
  public static boolean isNativeAccessAllowed() {
    if (Usability.class.getModule() == Object.class.getModule()) {
      return true;
    }
    try {
      NativeMemory.segment(0, 0, Arena.global());
      return true;
    } catch (IllegalCallerException denied) {
      return false;
    }
  }

  public static String nativeAccessFlag() {
    Module module = Usability.class.getModule();
    return "--enable-native-access=" + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
  }
}
