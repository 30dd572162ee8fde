package jdk.internal.foreign;

import jdk.internal.access.JavaLangAccess;
import jdk.internal.access.SharedSecrets;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Replaces the library's class {@code Carrier}, which states the rules of use. Finds the platform
 * thread that carries the current virtual thread from within java.base.
 */
final class RockpoolCarrier {
  static final long NONE = 0;

  private RockpoolCarrier() {}

  /** Another JDK may lack it. */
  private static final class Home {
    static final JavaLangAccess LANG = SharedSecrets.getJavaLangAccess();
  }

  @ForceInline
  static long platformThreadId() {
    Thread current = Thread.currentThread();
    if (!current.isVirtual()) {
      return current.threadId();
    }
    return isReachable() ? currentId() : NONE;
  }

  /**
   * Also initializes what the carrier is found with: later, a stack may end there, or a wait begin.
   */
  @ForceInline
  static boolean isReachable() {
    return RockpoolInternals.USABLE && Home.LANG != null;
  }

  @ForceInline
  static long currentId() {
    return current().threadId();
  }

  @ForceInline
  static Thread current() {
    return Home.LANG.currentCarrierThread();
  }
}
