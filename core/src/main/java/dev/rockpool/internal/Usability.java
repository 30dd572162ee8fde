package dev.rockpool.internal;

import java.lang.foreign.Arena;

/**
 * Whether slabs may be handed out in this JVM, and if not, why. Found out when it is first asked
 * for; where the user can do something about a no, it is said once on standard error.
 */
public enum Usability {
  /** Slabs may be handed out. */
  USABLE,

  /** Native access is denied to Rockpool, so it can't make segments from addresses. */
  DENIED,

  /** The JDK's own arenas are the faster ones here, or promise what a slab can't. */
  UNSUITED;

  private static final int SMALLEST_PAGE = 4096;

  /** The answer for this JVM. */
  public static Usability ofThisJvm() {
    return Found.ANSWER;
  }

  /** Whether direct buffers of ours may stand in for the JDK's; not whether they are faster. */
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
   * Whether this JVM has a compiler that makes arenas vanish. Interpreted, or compiled by C1 alone
   * ({@code -Xint}, {@code -XX:TieredStopAtLevel=1}), making a segment from an address costs more
   * than malloc and free, so there the JDK's own arenas are the faster ones.
   */
  private static boolean isOptimized() {
    String mode = System.getProperty("java.vm.info", "");
    return !mode.contains("interpreted mode") && !mode.contains("emulated-client");
  }

  /**
   * Whether this JVM was started with {@code -Dsun.nio.PageAlignDirectMemory=true}: then each
   * segment and each direct buffer of the JDK starts on a page, a promise that ours would break.
   * The JDK hides that property from the program, so look at what it does: without it, malloc does
   * not put three bytes in a row at the start of a page each.
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

  /** Whether Rockpool may make segments from addresses, if need be with a warning of the JVM. */
  public static boolean isNativeAccessAllowed() {
    try {
      NativeMemory.segment(0, 0, Arena.global());
      return true;
    } catch (IllegalCallerException denied) {
      return false;
    }
  }

  /** The flag that grants native access to Rockpool. */
  public static String nativeAccessFlag() {
    Module module = Usability.class.getModule();
    return "--enable-native-access=" + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
  }
}
