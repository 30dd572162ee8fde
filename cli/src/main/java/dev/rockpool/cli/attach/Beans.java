package dev.rockpool.cli.attach;

import static dev.rockpool.cli.page.Table.printable;

import dev.rockpool.arena.ArenaPoolMXBean;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.RunningJvm;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanFeatureInfo;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import javax.management.remote.JMXConnector;
import jdk.management.jfr.RemoteRecordingStream;
import org.jspecify.annotations.Nullable;

/**
 * The MBeans of a running JVM as plain maps, lists, texts and numbers. Names of attributes begin
 * with a small letter. Texts have a question mark in place of each control character: a line break
 * in one could look like a line of ours, which some machines read as a command.
 */
public final class Beans implements AutoCloseable {
  public static final String POOL = ArenaPoolMXBean.NAME;
  public static final String AGENT = "dev.rockpool:type=Agent";

  /** Rockpool registers its beans about a second after JMX was started. */
  private static final long PATIENCE_NANOS = 3_000_000_000L;

  private final RunningJvm jvm;
  private final JMXConnector connector;
  private final MBeanServerConnection server;

  public Beans(RunningJvm jvm) {
    this.jvm = jvm;
    connector = jvm.connect();
    server = jvm.ask(connector::getMBeanServerConnection);
  }

  /** Waits for beans that Rockpool is about to register, for some seconds. */
  void await(String... names) {
    long start = System.nanoTime();
    try {
      while (!Arrays.stream(names).allMatch(this::isThere)
          && System.nanoTime() - start < PATIENCE_NANOS) {
        Thread.sleep(50);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isThere(String name) {
    return jvm.ask(() -> server.isRegistered(new ObjectName(name)));
  }

  /** Returns all attributes of a bean, sorted by name, or null if the bean is not there. */
  public @Nullable Map<String, Object> attributes(String name) {
    return isThere(name) ? jvm.ask(() -> attributes(new ObjectName(name))) : null;
  }

  private Map<String, Object> attributes(ObjectName name) throws IOException, JMException {
    String[] names =
        Arrays.stream(server.getMBeanInfo(name).getAttributes())
            .map(MBeanFeatureInfo::getName)
            .filter(each -> !each.equals("ObjectName") && !each.isEmpty())
            .toArray(String[]::new);
    Map<String, Object> values = new TreeMap<>();
    for (Attribute each : server.getAttributes(name, names).asList()) {
      String key = each.getName();
      values.put(Character.toLowerCase(key.charAt(0)) + key.substring(1), plain(each.getValue()));
    }
    return values;
  }

  /**
   * Returns the JVM's memory for direct buffers, Rockpool's included: each the attributes. Beans of
   * the program may answer with anything, and are not asked.
   */
  public List<Map<String, Object>> directMemory() {
    return Stream.of("direct", "rockpool-direct")
        .map(name -> attributes("java.nio:type=BufferPool,name=" + name))
        .filter(Objects::nonNull)
        .toList();
  }

  /**
   * Returns what holds native memory, with the agent's options {@code limit} or {@code count}, as
   * two lines; empty without these.
   *
   * @param agent attributes of its MBean; null if that is not there
   */
  public static String limit(@Nullable Map<String, Object> agent) {
    if (agent == null || !counts(agent)) {
      return "";
    }
    long limit = number(agent, "limit");
    StringBuilder text =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "%s: %,d%s bytes in use, highest %,d",
                limit > 0 ? "limit" : "counted",
                number(agent, "limitInUse"),
                limit > 0 ? String.format(Locale.ROOT, " of %,d", limit) : "",
                number(agent, "limitHighest")));
    if (limit > 0) {
      text.append(
          String.format(Locale.ROOT, ", requests beyond it: %,d", number(agent, "limitRefused")));
    }
    Map<?, ?> kinds = agent.get("limitInUseByKind") instanceof Map<?, ?> map ? map : Map.of();
    String separator = "\n  ";
    for (Map.Entry<?, ?> kind : kinds.entrySet()) {
      if (kind.getValue() instanceof Long bytes && bytes != 0) {
        text.append(String.format(Locale.ROOT, "%s%s %,d", separator, kind.getKey(), bytes));
        separator = "; ";
      }
    }
    return text.append('\n').toString();
  }

  /** Whether the agent counts native memory, with or without a limit. */
  public static boolean counts(@Nullable Map<String, Object> agent) {
    return agent != null
        && agent.get("limitInUseByKind") instanceof Map<?, ?> kinds
        && !kinds.isEmpty();
  }

  /** Returns the lines that hold most native memory under the agent, with their bytes. */
  public Map<String, Long> largestSites(@Nullable Map<String, Object> agent, int most) {
    return largest("largestSites", agent, most);
  }

  /** Returns the lines that made most open objects which own C memory, with their numbers. */
  public Map<String, Long> openOwners(@Nullable Map<String, Object> agent, int most) {
    return largest("openOwners", agent, most);
  }

  /**
   * Returns the largest first; nothing without options limit and count.
   *
   * @param agent attributes of its MBean; null if that is not there
   */
  private Map<String, Long> largest(
      String operation, @Nullable Map<String, Object> agent, int most) {
    Map<String, Long> sites = new LinkedHashMap<>();
    if (counts(agent)) {
      Object[] arguments = {most};
      String[] types = {int.class.getName()};
      Object found =
          plain(jvm.ask(() -> server.invoke(new ObjectName(AGENT), operation, arguments, types)));
      Map<?, ?> bytes = found instanceof Map<?, ?> map ? map : Map.of();
      bytes.entrySet().stream()
          .filter(each -> each.getValue() instanceof Long)
          .sorted(Comparator.comparingLong(each -> -(Long) each.getValue()))
          .forEach(each -> sites.put(each.getKey().toString(), (Long) each.getValue()));
    }
    return sites;
  }

  Object invoke(String name, String operation) {
    return plain(jvm.ask(() -> server.invoke(new ObjectName(name), operation, null, null)));
  }

  /**
   * Returns the result of an operation with one text.
   *
   * @throws CommandFailure with the bean's own words, if it refuses
   */
  Object invoke(String name, String operation, String argument) {
    return jvm.ask(
        () -> {
          try {
            Object[] arguments = {argument};
            String[] types = {String.class.getName()};
            return plain(server.invoke(new ObjectName(name), operation, arguments, types));
          } catch (RuntimeMBeanException refused) {
            throw new CommandFailure(
                String.valueOf(refused.getTargetException().getMessage()), refused);
          }
        });
  }

  /**
   * Returns a stream of flight recorder events, not started.
   *
   * @throws IllegalArgumentException if the JVM has no flight recorder
   */
  public RemoteRecordingStream stream() {
    return jvm.ask(() -> new RemoteRecordingStream(server));
  }

  static Object plain(@Nullable Object value) {
    Map<String, Object> plain = new TreeMap<>();
    switch (value) {
      case CompositeData row ->
          row.getCompositeType().keySet().forEach(key -> plain.put(key, plain(row.get(key))));
      case TabularData map -> {
        for (Object row : map.values()) {
          if (row instanceof CompositeData entry && entry.containsKey("key")) {
            plain.put(printable(entry.get("key")), plain(entry.get("value")));
          }
        }
      }
      case Object[] array -> {
        return Arrays.stream(array).map(Beans::plain).toList();
      }
      case String text -> {
        return printable(text);
      }
      case null -> {
        return "";
      }
      default -> {
        return value;
      }
    }
    return plain;
  }

  /** Returns the number that a bean has as {@code name}, or 0. */
  public static long number(Map<String, Object> bean, String name) {
    return bean.get(name) instanceof Number number ? number.longValue() : 0;
  }

  @Override
  public void close() {
    jvm.leave(connector);
  }
}
