package jdk.internal.foreign;

import jdk.internal.access.JavaLangAccess;
import jdk.internal.access.SharedSecrets;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Finds the platform thread that carries the current virtual thread, from within java.base.
 * Replaces the library's class {@code Carrier}, which states the rules of use. That class is the
 * fallback, under the name {@code RockpoolPublicCarrierThread}.
 */
final class RockpoolCarrierThread {
  private static final boolean AT_HOME = isAtHome();

  static final long NONE = RockpoolPublicCarrierThread.NONE;

  private RockpoolCarrierThread() {}

  /** The JDK's own; another JDK may lack it. */
  private static final class Home {
    static final JavaLangAccess LANG = SharedSecrets.getJavaLangAccess();
  }

  private static boolean isAtHome() {
    try {
      return Home.LANG.currentCarrierThread() != null;
    } catch (LinkageError otherJdk) {
      return false;
    }
  }

  @ForceInline
  static long platformThreadId() {
    if (!AT_HOME) {
      return RockpoolPublicCarrierThread.platformThreadId();
    }
    Thread current = Thread.currentThread();
    return (current.isVirtual() ? Home.LANG.currentCarrierThread() : current).threadId();
  }

  @ForceInline
  static boolean isReachable() {
    return AT_HOME || RockpoolPublicCarrierThread.isReachable();
  }

  @ForceInline
  public static long currentId() {
    return AT_HOME
        ? Home.LANG.currentCarrierThread().threadId()
        : RockpoolPublicCarrierThread.currentId();
  }

  static Thread current() {
    return AT_HOME ? Home.LANG.currentCarrierThread() : RockpoolPublicCarrierThread.current();
  }
}
