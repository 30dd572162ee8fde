package dev.rockpool.bench;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.rockpool.internal.Carrier;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The kind of JVM and of thread that a benchmark runs in, as the arguments of its JVM ask for it,
 * and the proof that they were heeded.
 *
 * @param traits the differences from programs as they run by default, on a platform thread
 */
record Conditions(Set<Trait> traits) {
  /** For all: Rockpool makes segments by a restricted method, and stays off where it is denied. */
  static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

  /** Lets the agent's pool start before the first iteration, not after some thousand arenas. */
  static final String AT_ONCE = "-Drockpool.start.after=0";

  /** Has JMH run benchmarks on virtual threads. */
  static final String VIRTUAL = "-Djmh.executor=VIRTUAL";

  /** For a rival that the JDK keeps to itself. */
  static final String EXPORT_FOREIGN = "--add-exports=java.base/jdk.internal.foreign=ALL-UNNAMED";

  /** A difference, and the JVM's argument for it. */
  enum Trait {
    /** No compiler at all. */
    NO_COMPILER("-Xint"),

    /** The first compiler alone: nothing is scalar-replaced. */
    C1_ONLY("-XX:TieredStopAtLevel=1"),

    /** Rockpool's agent, which takes over {@link Arena#ofConfined()} and reaches carriers. */
    AGENT("-javaagent:.*\\brockpool-agent\\b.*"),

    /** The agent's option to record arenas. */
    RECORD("-javaagent:.*\\brockpool-agent\\b.*[=,]record\\b.*"),

    /** A virtual thread; by public API alone Rockpool can't reach its carrier. */
    VIRTUAL(Conditions.VIRTUAL),

    /** The carrier of a virtual thread in reach of the library. */
    OPENED("--add-opens=java.base/java.lang=ALL-UNNAMED");

    private final Pattern argument;

    Trait(String argument) {
      this.argument = Pattern.compile(argument);
    }
  }

  static Conditions ofThisJvm() {
    return of(ManagementFactory.getRuntimeMXBean().getInputArguments());
  }

  static Conditions of(List<String> arguments) {
    return new Conditions(
        Stream.of(Trait.values())
            .filter(trait -> arguments.stream().anyMatch(a -> trait.argument.matcher(a).matches()))
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Trait.class))));
  }

  /**
   * Fails unless this JVM, the current thread, and the arenas that are handed out as the JDK's are
   * what was asked for.
   */
  void check() {
    String info = System.getProperty("java.vm.info", "");
    boolean interpreted = info.startsWith("interpreted mode");
    require(interpreted == traits.contains(Trait.NO_COMPILER), "the JVM runs in " + info);
    if (!interpreted) {
      String lastTier =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
              .getVMOption("TieredStopAtLevel")
              .getValue();
      require(
          lastTier.equals(traits.contains(Trait.C1_ONLY) ? "1" : "4"),
          "TieredStopAtLevel is " + lastTier);
    }
    Thread thread = Thread.currentThread();
    require(thread.isVirtual() == traits.contains(Trait.VIRTUAL), "the thread is " + thread);
    try (Arena arena = Arena.ofConfined()) {
      String name = arena.getClass().getName();
      require(name.contains(".Rockpool") == haveAgent(), "Arena.ofConfined() makes a " + name);
      require(
          name.endsWith("RecordedArena") == traits.contains(Trait.RECORD),
          "Arena.ofConfined() makes a " + name);
    }
    if (thread.isVirtual()) {
      boolean reachable = Carrier.isReachable() && (!haveAgent() || agentReachesCarriers());
      require(
          reachable == (haveAgent() || traits.contains(Trait.OPENED)),
          "the carrier can " + (reachable ? "" : "not ") + "be reached");
    }
  }

  /** Whether there is the compiler that makes objects which don't escape disappear. */
  boolean haveC2() {
    return !traits.contains(Trait.NO_COMPILER) && !traits.contains(Trait.C1_ONLY);
  }

  /** Whether the arenas that the JDK would make are Rockpool's. */
  boolean haveAgent() {
    return traits.contains(Trait.AGENT);
  }

  /** Whether the agent serves the current virtual thread from the blocks of its carrier. */
  private static boolean agentReachesCarriers() {
    try {
      Class<?> carrier = Class.forName("java.lang.foreign.RockpoolCarrier");
      long id = (long) carrier.getMethod("id").invoke(null);
      return id != Thread.currentThread().threadId();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("The agent is not there, or not of this build", e);
    }
  }

  private void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalStateException("This JVM was started for " + traits + ": " + otherwise);
    }
  }
}
