package dev.rockpool.bench;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.rockpool.internal.Carrier;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/** In what kind of JVM and on what kind of thread a benchmark runs, and the proof that it does. */
enum Conditions {
  /** As programs run by default, on a platform thread. */
  USUAL,

  /** No compiler at all. */
  INTERPRETED(Trait.NO_COMPILER),

  /** The first compiler alone: nothing is scalar-replaced. */
  C1(Trait.C1_ONLY),

  /** With Rockpool's agent, which takes over {@link Arena#ofConfined()}. */
  UNDER_AGENT(Trait.AGENT),

  /** On a virtual thread whose carrier Rockpool can't reach: public API only, shared slots. */
  OF_VIRTUAL(Trait.VIRTUAL),

  /** On a virtual thread, with java.lang open to Rockpool: the carrier's own slabs. */
  OF_VIRTUAL_OPENED(Trait.VIRTUAL, Trait.OPENED),

  /** On a virtual thread with the agent, to which java.lang is always open. */
  OF_VIRTUAL_UNDER_AGENT(Trait.VIRTUAL, Trait.AGENT),

  /** With the agent, which records arenas. */
  RECORDED(Trait.AGENT, Trait.RECORD),

  /** On a virtual thread with the agent, which records arenas. */
  OF_VIRTUAL_RECORDED(Trait.VIRTUAL, Trait.AGENT, Trait.RECORD);

  /** For all: Rockpool makes segments by a restricted method, and stays off where it is denied. */
  static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

  static final String NO_COMPILER = "-Xint";
  static final String C1_ONLY = "-XX:TieredStopAtLevel=1";

  /** Found from the project's folder. */
  static final String AGENT = "-javaagent:agent/target/rockpool-agent.jar";

  /** Has JMH run benchmarks on virtual threads. */
  static final String VIRTUAL = "-Djmh.executor=VIRTUAL";

  /** For a rival that the JDK keeps to itself. */
  static final String EXPORT_FOREIGN = "--add-exports=java.base/jdk.internal.foreign=ALL-UNNAMED";

  static final String OPEN_JAVA_LANG = "--add-opens=java.base/java.lang=ALL-UNNAMED";

  /** What makes conditions differ from the usual ones. */
  private enum Trait {
    NO_COMPILER,
    C1_ONLY,
    AGENT,
    RECORD,
    VIRTUAL,
    OPENED
  }

  private static final int LAST_TIER = 4;

  private final boolean noCompiler;
  private final boolean c1Only;
  private final boolean agent;
  private final boolean recorded;
  private final boolean virtual;
  private final boolean opened;

  Conditions(Trait... traits) {
    noCompiler = has(Trait.NO_COMPILER, traits);
    c1Only = has(Trait.C1_ONLY, traits);
    agent = has(Trait.AGENT, traits);
    recorded = has(Trait.RECORD, traits);
    virtual = has(Trait.VIRTUAL, traits);
    opened = has(Trait.OPENED, traits);
  }

  private static boolean has(Trait trait, Trait[] traits) {
    return Arrays.asList(traits).contains(trait);
  }

  /**
   * Checks that this JVM, the current thread, and the arenas that are handed out as the JDK's, are
   * what was asked for.
   *
   * @throws IllegalStateException if they are not
   */
  void check() {
    String info = System.getProperty("java.vm.info", "");
    boolean interpreted = info.startsWith("interpreted mode");
    require(interpreted == noCompiler, "the JVM runs in " + info);
    if (!interpreted) {
      int lastTier = lastTier();
      require(lastTier == (c1Only ? 1 : LAST_TIER), "TieredStopAtLevel is " + lastTier);
    }
    Thread thread = Thread.currentThread();
    require(thread.isVirtual() == virtual, "the thread is " + thread);
    try (Arena arena = Arena.ofConfined()) {
      String name = arena.getClass().getName();
      require(name.contains(".Rockpool") == agent, "Arena.ofConfined() makes a " + name);
      require(name.endsWith("RecordedArena") == recorded, "Arena.ofConfined() makes a " + name);
    }
    if (virtual) {
      boolean reachable = Carrier.isReachable() && (!agent || AgentPool.reachesCarriers());
      require(
          reachable == (agent || opened),
          "the carrier can " + (reachable ? "" : "not ") + "be reached");
    }
  }

  /** Whether there is the compiler that makes objects which don't escape disappear. */
  boolean haveC2() {
    return !noCompiler && !c1Only;
  }

  /** Whether the arenas that the JDK would make are Rockpool's. */
  boolean haveAgent() {
    return agent;
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
