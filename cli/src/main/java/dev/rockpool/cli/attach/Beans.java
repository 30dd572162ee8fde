package dev.rockpool.cli.attach;

import dev.rockpool.arena.ArenaPoolMXBean;
import dev.rockpool.cli.support.RunningJvm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.Attribute;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import javax.management.remote.JMXConnector;
import jdk.management.jfr.RemoteRecordingStream;
import org.jspecify.annotations.Nullable;

/**
 * The MBeans of a running JVM as plain maps, lists, texts and numbers. Names of attributes begin
 * with a small letter.
 */
public final class Beans implements AutoCloseable {
  public static final String POOL = ArenaPoolMXBean.NAME;
  public static final String AGENT = "dev.rockpool:type=Agent";

  /** Rockpool registers its beans about a second after JMX was started. */
  private static final long PATIENCE_NANOS = 3_000_000_000L;

  private final RunningJvm jvm;
  private final JMXConnector connector;
  private final MBeanServerConnection server;

  private Beans(RunningJvm jvm, JMXConnector connector) throws IOException {
    this.jvm = jvm;
    this.connector = connector;
    server = connector.getMBeanServerConnection();
  }

  public static Beans of(RunningJvm jvm) {
    return asked(jvm, () -> new Beans(jvm, jvm.connect()));
  }

  private interface Question<T> {
    T ask() throws IOException, JMException;
  }

  private static <T> T asked(RunningJvm jvm, Question<T> question) {
    try {
      return question.ask();
    } catch (IOException | JMException e) {
      throw jvm.silent(e);
    }
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
    return asked(jvm, () -> server.isRegistered(new ObjectName(name)));
  }

  /** Returns all attributes of a bean, sorted by name, or null if the bean is not there. */
  public @Nullable Map<String, Object> attributes(String name) {
    try {
      return attributes(new ObjectName(name));
    } catch (InstanceNotFoundException absent) {
      return null;
    } catch (IOException | JMException e) {
      throw jvm.silent(e);
    }
  }

  private Map<String, Object> attributes(ObjectName name) throws IOException, JMException {
    String[] names =
        Arrays.stream(server.getMBeanInfo(name).getAttributes())
            .map(MBeanAttributeInfo::getName)
            .filter(each -> !each.equals("ObjectName"))
            .toArray(String[]::new);
    Map<String, Object> values = new TreeMap<>();
    for (Attribute each : server.getAttributes(name, names).asList()) {
      String key = each.getName();
      values.put(Character.toLowerCase(key.charAt(0)) + key.substring(1), plain(each.getValue()));
    }
    return values;
  }

  /** Returns the JVM's memory for direct buffers, Rockpool's included: each the attributes. */
  public List<Map<String, Object>> directMemory() {
    return asked(
        jvm,
        () -> {
          List<Map<String, Object>> pools = new ArrayList<>();
          ObjectName all = new ObjectName("java.nio:type=BufferPool,*");
          for (ObjectName name : server.queryNames(all, null)) {
            if (name.getKeyProperty("name").endsWith("direct")) {
              pools.add(attributes(name));
            }
          }
          pools.sort(Comparator.comparing(pool -> String.valueOf(pool.get("name"))));
          return pools;
        });
  }

  /** Returns the result of an operation without parameters. */
  Object invoke(String name, String operation) {
    return asked(jvm, () -> plain(server.invoke(new ObjectName(name), operation, null, null)));
  }

  /**
   * Returns a stream of flight recorder events, not started.
   *
   * @throws IllegalArgumentException if the JVM has no flight recorder
   */
  public RemoteRecordingStream stream() throws IOException {
    return new RemoteRecordingStream(server);
  }

  private static Object plain(Object value) {
    Map<String, Object> plain = new TreeMap<>();
    switch (value) {
      case CompositeData row ->
          row.getCompositeType().keySet().forEach(key -> plain.put(key, plain(row.get(key))));
      case TabularData map -> {
        for (Object row : (Collection<?>) map.values()) {
          CompositeData entry = (CompositeData) row;
          plain.put(String.valueOf(entry.get("key")), plain(entry.get("value")));
        }
      }
      case Object[] array -> {
        return Arrays.stream(array).map(Beans::plain).toList();
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
    try {
      connector.close();
    } catch (IOException e) {
      // The process is gone: nothing to leave.
    }
  }
}
