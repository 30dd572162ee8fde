package dev.rockpool.bench;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;

/** In what kind of JVM a benchmark runs, and the proof that it does. */
enum Conditions {
  /** As programs run by default. */
  USUAL,

  /** No compiler at all. */
  INTERPRETED,

  /** The first compiler alone: nothing is scalar-replaced. */
  C1,

  /** With Rockpool's agent, which takes over {@link Arena#ofConfined()}. */
  UNDER_AGENT;

  /** For all: Rockpool makes segments by a restricted method, and stays off where it is denied. */
  static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

  static final String NO_COMPILER = "-Xint";
  static final String C1_ONLY = "-XX:TieredStopAtLevel=1";

  /** Found from the project's folder. */
  static final String AGENT = "-javaagent:agent/target/rockpool-agent.jar";

  private static final int LAST_TIER = 4;

  /**
   * Checks that this JVM, and the arenas that it hands out as the JDK's, are what was asked for.
   *
   * @throws IllegalStateException if they are not
   */
  void check() {
    String info = System.getProperty("java.vm.info", "");
    boolean interpreted = info.startsWith("interpreted mode");
    require(interpreted == (this == INTERPRETED), "the JVM runs in " + info);
    if (!interpreted) {
      int lastTier = lastTier();
      require(lastTier == (this == C1 ? 1 : LAST_TIER), "TieredStopAtLevel is " + lastTier);
    }
    try (Arena arena = Arena.ofConfined()) {
      String name = arena.getClass().getName();
      require(
          name.startsWith("jdk.internal.") == (this != UNDER_AGENT),
          "Arena.ofConfined() makes a " + name);
    }
  }

  /** Whether there is the compiler that makes objects which don't escape disappear. */
  boolean haveC2() {
    return this != INTERPRETED && this != C1;
  }

  private static int lastTier() {
    return Integer.parseInt(
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .getVMOption("TieredStopAtLevel")
            .getValue());
  }

  private void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalStateException(
          "This benchmark is for conditions " + this + ": " + otherwise);
    }
  }
}
