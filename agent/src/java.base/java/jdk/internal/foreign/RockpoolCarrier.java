package jdk.internal.foreign;

import jdk.internal.access.JavaLangAccess;
import jdk.internal.access.SharedSecrets;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The platform thread that carries the current virtual thread, from within java.base. The library's
 * class of that name says what may be done with it; it is the one here called Public.
 */
final class RockpoolCarrier {
  private static final boolean AT_HOME = isAtHome();

  private RockpoolCarrier() {}

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
  static boolean isReachable() {
    return AT_HOME || RockpoolPublicCarrier.isReachable();
  }

  @ForceInline
  public static long currentId() {
    return AT_HOME
        ? Home.LANG.currentCarrierThread().threadId()
        : RockpoolPublicCarrier.currentId();
  }

  static Thread current() {
    return AT_HOME ? Home.LANG.currentCarrierThread() : RockpoolPublicCarrier.current();
  }
}
