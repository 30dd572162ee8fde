package dev.rockpool.bench;

import dev.rockpool.internal.Carrier;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * The kind of JVM and of thread that a benchmark runs in, as the arguments of its JVM ask for it,
 * and the proof that Rockpool and JMH heeded them.
 *
 * @param arguments of the JVM
 */
record Conditions(List<String> arguments) {
  /** For all: Rockpool makes segments by a restricted method, and stays off where it is denied. */
  static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

  /** Lets the agent's pool start before the first iteration, not after some thousand arenas. */
  static final String AT_ONCE = "-Drockpool.start.after=0";

  /** For a rival that the JDK keeps to itself. */
  static final String EXPORT_FOREIGN = "--add-exports=java.base/jdk.internal.foreign=ALL-UNNAMED";

  /** From this version on, the agent leaves confined arenas to the JDK's own pool. */
  private static final int JDK_WITH_POOL = 28;

  static Conditions ofThisJvm() {
    return new Conditions(ManagementFactory.getRuntimeMXBean().getInputArguments());
  }

  private boolean has(String pattern) {
    return arguments.stream().anyMatch(argument -> argument.matches(pattern));
  }

  /** Whether the arenas that the JDK would make are Rockpool's. */
  boolean isUnderAgent() {
    return has("-javaagent:.*\\brockpool-agent\\b.*")
        && Runtime.version().feature() < JDK_WITH_POOL;
  }

  /**
   * Fails unless the current thread, and the arenas that are handed out as the JDK's, are what was
   * asked for.
   */
  void check() {
    Thread thread = Thread.currentThread();
    require(thread.isVirtual() == has("-Djmh.executor=VIRTUAL"), "the thread is " + thread);
    try (Arena arena = Arena.ofConfined()) {
      String type = arena.getClass().getName();
      require(type.contains(".Rockpool") == isUnderAgent(), "Arena.ofConfined() makes a " + type);
      require(
          type.endsWith("RecordedArena") == has("-javaagent:.*[=,]record\\b.*"),
          "Arena.ofConfined() makes a " + type);
    }
    if (thread.isVirtual() && !isUnderAgent()) {
      boolean isReachable = Carrier.isReachable();
      require(
          isReachable == has("--add-opens=java.base/java.lang=ALL-UNNAMED"),
          "the carrier can " + (isReachable ? "" : "not ") + "be reached");
    }
  }

  private void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalStateException("This JVM was started with " + arguments + ": " + otherwise);
    }
  }
}
