package dev.rockpool.junit;

import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.jspecify.annotations.Nullable;

/** The native memory of this JVM by kind and line, which the agent counts and JMX shows. */
final class Book {
  /**
   * The agent's options that have it count all memory at the line that takes it. Option count looks
   * once a second how much is in use; a limit, even one that is never reached, knows the most.
   */
  private static final String OPTIONS = "limit=1024g,arenas=off";

  private static final String REASON =
      "Native memory is counted by Rockpool's agent, %s: give the JVM of the tests"
          + " -javaagent:PATH/rockpool-agent.jar="
          + OPTIONS
          + ". Maven, in the configuration of maven-surefire-plugin:"
          + " <argLine>-javaagent:PATH/rockpool-agent.jar="
          + OPTIONS
          + "</argLine>. Gradle: tasks.test { jvmArgs(\"-javaagent:PATH/rockpool-agent.jar="
          + OPTIONS
          + "\") }";

  /** Holds the agent's options while the agent is in this JVM. */
  private static final String AGENT = "rockpool.agent.options";

  /** The agent shows its MBean a second after JMX was started. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** As long as that, memory that was found to be unreachable does not wait to be freed. */
  private static final Duration QUIET = Duration.ofMillis(200);

  private static final String OURS = Book.class.getName() + ".";

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final ObjectName name;

  private Book() {
    try {
      name = new ObjectName("dev.rockpool:type=Agent");
    } catch (MalformedObjectNameException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Looked for once: an agent that is attached later does not count what was there before. */
  private static final class OfThisJvm {
    static final Book BOOK = new Book();
    static final @Nullable String MISSING = BOOK.missing();
  }

  static Book ofThisJvm() {
    return OfThisJvm.BOOK;
  }

  /** Returns why nothing is counted, and what to do; null if memory is counted. */
  static @Nullable String whatIsMissing() {
    return OfThisJvm.MISSING;
  }

  private @Nullable String missing() {
    String options = System.getProperty(AGENT);
    if (options == null) {
      return String.format(REASON, "which is not in this JVM");
    }
    boolean isShown = await(() -> server.isRegistered(name));
    return isShown && isCounted() ? null : String.format(REASON, "whose options are " + options);
  }

  /** Tries it, because several options decide. */
  private boolean isCounted() {
    try (Arena arena = Arena.ofConfined()) {
      return arena.allocate(1).isNative() && holdsOurs();
    } catch (IllegalStateException unknown) {
      return false; // an agent of another version
    }
  }

  private boolean holdsOurs() {
    return inUse().keySet().stream().anyMatch(site -> site.contains(OURS));
  }

  /** Returns the bytes that each line holds now, as in {@code shared com.acme.Orders.load:24}. */
  Map<String, Long> inUse() {
    return bySite(invoke("largestSites", "int", Integer.MAX_VALUE));
  }

  /** Restarts the highest figure, and has lines noted once all together hold more than that. */
  void watch(long byteSize) {
    invoke("watch", "long", byteSize);
  }

  /** Returns what the lines held that were noted. */
  Map<String, Long> watched() {
    try {
      return bySite(server.invoke(name, "watchedSites", null, null));
    } catch (JMException gone) {
      throw unreadable(gone);
    }
  }

  /** Returns the most bytes that all lines held at a time. */
  long highest() {
    try {
      return (Long) server.getAttribute(name, "LimitHighest");
    } catch (JMException gone) {
      throw unreadable(gone);
    }
  }

  private static Map<String, Long> bySite(Object table) {
    Map<String, Long> bytes = new TreeMap<>();
    for (Object row : ((TabularData) table).values()) {
      CompositeData entry = (CompositeData) row;
      bytes.put((String) entry.get("key"), (Long) entry.get("value"));
    }
    return bytes;
  }

  private Object invoke(String operation, String type, Object argument) {
    try {
      return server.invoke(name, operation, new Object[] {argument}, new String[] {type});
    } catch (JMException gone) {
      throw unreadable(gone);
    }
  }

  private static IllegalStateException unreadable(JMException gone) {
    return new IllegalStateException(
        "The agent must stay in the JVM while a test with @NativeMemory runs, and have the version"
            + " of rockpool-junit",
        gone);
  }

  /** Whether memory of this kind is freed once nothing refers to it. */
  static boolean isCollected(String site) {
    return site.startsWith("direct ") || site.startsWith("automatic ");
  }

  /**
   * Returns after all memory is freed that nothing refers to.
   *
   * <p>What a collection finds is freed by one thread for each kind, and what it found last may
   * come first. So memory of ours shows that the threads are at work, and they are done once
   * nothing more is freed for a while.
   */
  void collect() {
    System.gc();
    leaveGarbage();
    System.gc();
    if (!await(() -> !holdsOurs())) {
      throw new IllegalStateException(
          "Memory that nothing refers to must be freed by System.gc(), for tests with"
              + " @NativeMemory: start the JVM without -XX:+DisableExplicitGC");
    }
    long left = collected();
    for (long before = left + 1; left > 0 && left < before; left = collected()) {
      before = left;
      pause(QUIET);
    }
  }

  /** Returns the bytes in use that a collection may free. */
  private long collected() {
    return inUse().entrySet().stream()
        .filter(each -> isCollected(each.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private static void leaveGarbage() {
    ByteBuffer.allocateDirect(1).put((byte) 1);
    Arena.ofAuto().allocate(1).fill((byte) 1);
  }

  private static boolean await(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end >= 0) {
        return false;
      }
      if (!pause(Duration.ofMillis(1))) {
        return condition.getAsBoolean();
      }
    }
    return true;
  }

  /** Returns false if the thread is interrupted, which stays so. */
  private static boolean pause(Duration duration) {
    try {
      Thread.sleep(duration);
      return true;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
