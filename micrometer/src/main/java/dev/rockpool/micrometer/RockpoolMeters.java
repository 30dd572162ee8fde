package dev.rockpool.micrometer;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.PoolStatistics;
import dev.rockpool.direct.DirectMemory;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;

/**
 * Binds meters of Rockpool to a {@link MeterRegistry}.
 *
 * {@snippet :
 * RockpoolMeters.ofJvm().bindTo(registry);
 * }
 *
 * <table>
 * <caption>The meters</caption>
 * <tr><th>name</th><th>kind</th><th>tags</th><th>meaning</th></tr>
 * <tr><td>{@code rockpool.arenas}</td><td>counter</td><td>{@code pool}</td>
 *   <td>arenas that were closed after they had used a block</td></tr>
 * <tr><td>{@code rockpool.pool.blocks.allocated}</td><td>counter</td><td>{@code pool}</td>
 *   <td>blocks that were allocated, because none was kept for an arena</td></tr>
 * <tr><td>{@code rockpool.pool.jdk.allocations}</td><td>counter</td><td>{@code pool}</td>
 *   <td>allocations that the JDK served, because they did not fit a block</td></tr>
 * <tr><td>{@code rockpool.pool.memory.kept}</td><td>gauge, bytes</td><td>{@code pool}</td>
 *   <td>native memory in kept blocks</td></tr>
 * <tr><td>{@code rockpool.pool.threads}</td><td>gauge</td><td>{@code pool}</td>
 *   <td>live platform threads that have kept blocks</td></tr>
 * <tr><td>{@code rockpool.check.findings}</td><td>counter</td><td>{@code pool}, {@code kind}</td>
 *   <td>writes outside of segments, if arenas are checked: {@code overrun} or {@code late}</td></tr>
 * <tr><td>{@code rockpool.direct.memory.used}</td><td>gauge, bytes</td><td>{@code budget}</td>
 *   <td>direct memory that is handed out</td></tr>
 * <tr><td>{@code rockpool.direct.memory.max}</td><td>gauge, bytes</td><td>{@code budget}</td>
 *   <td>its limit; not with {@link #ofJvm}, because JMX does not have it</td></tr>
 * <tr><td>{@code rockpool.limit.used}</td><td>gauge, bytes</td><td>{@code kind}</td>
 *   <td>native memory that the agent counts, with option {@code limit} or {@code count}, by what
 *   holds it</td></tr>
 * <tr><td>{@code rockpool.limit.total}</td><td>gauge, bytes</td><td></td>
 *   <td>the sum of these</td></tr>
 * <tr><td>{@code rockpool.limit.max}, {@code rockpool.limit.highest}</td><td>gauge, bytes</td>
 *   <td></td><td>that limit, and the most that was in use at once</td></tr>
 * <tr><td>{@code rockpool.limit.refused}</td><td>counter</td><td></td>
 *   <td>requests beyond that limit</td></tr>
 * <tr><td>{@code rockpool.self}</td><td>gauge, bytes</td><td>{@code part}</td>
 *   <td>memory that Rockpool itself takes then: {@code blocks} and {@code tables}</td></tr>
 * <tr><td>{@code rockpool.process.resident}, {@code rockpool.process.memory}</td>
 *   <td>gauge, bytes</td><td></td>
 *   <td>the resident set of the process, and the memory of its container</td></tr>
 * <tr><td>{@code rockpool.site.used}</td><td>gauge, bytes</td><td>{@code kind}, {@code site}</td>
 *   <td>the ten lines that hold most of what the agent counts; by {@link #ofLargestSites} only, as
 *   {@code rockpool.sites}, their number</td></tr>
 * </table>
 *
 * <p>All methods are safe for use by several threads at once. A binder keeps its pool or {@link
 * DirectMemory} reachable, as does the registry once the binder is bound.
 *
 * @since 0.1.0
 */
public final class RockpoolMeters {
  private static final String ARENA_POOL = "dev.rockpool:type=ArenaPool";
  static final String AGENT = "dev.rockpool:type=Agent";
  private static final List<String> KINDS =
      List.of("confined", "shared", "automatic", "global", "direct", "unsafe", "malloc", "pool");
  private static final String DIRECT_MEMORY = "java.nio:type=BufferPool,name=rockpool-direct";

  private RockpoolMeters() {}

  /**
   * Returns a binder for the pool that this JVM's arenas share, for the global {@link
   * DirectMemory}, and for the agent's limit. Reads them through JMX, so it works for the library
   * and the agent. If both are in the JVM, it reads the one whose MBean was registered first.
   *
   * <p>Until a second after the first pooled arena, counters are 0 and gauges are {@code NaN}. The
   * same holds for direct memory and its first buffer.
   *
   * @return a binder with the tags {@code pool=shared} and {@code budget=global}
   */
  public static MeterBinder ofJvm() {
    return registry -> {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      bindPool(registry, "shared", attribute -> read(server, ARENA_POOL, attribute));
      bindUsed(registry, "global", () -> read(server, DIRECT_MEMORY, "TotalCapacity"));
      bindLimit(registry, server);
    };
  }

  /**
   * Returns a binder for a pool of the program's own.
   *
   * @param pool the pool
   * @param name value of the tag {@code pool}, to tell pools apart
   * @return a binder
   * @throws NullPointerException if an argument is null
   */
  public static MeterBinder of(ArenaPool pool, String name) {
    Objects.requireNonNull(pool);
    Objects.requireNonNull(name);
    return registry -> bindPool(registry, name, attribute -> ofPool(pool, attribute));
  }

  /**
   * Returns a binder for a {@link DirectMemory}.
   *
   * @param memory the direct memory
   * @param name value of the tag {@code budget}, to tell several apart
   * @return a binder
   * @throws NullPointerException if an argument is null
   */
  public static MeterBinder of(DirectMemory memory, String name) {
    Objects.requireNonNull(memory);
    Objects.requireNonNull(name);
    return registry -> {
      bindUsed(registry, name, memory::reserved);
      Gauge.builder("rockpool.direct.memory.max", memory::limit)
          .description("Limit of direct memory")
          .baseUnit(BaseUnits.BYTES)
          .tags("budget", name)
          .register(registry);
    };
  }

  /**
   * Returns a binder for the ten lines of the program that hold most of what the agent counts, with
   * option {@code limit} or {@code count}. Not a part of {@link #ofJvm}, because each line that
   * comes among the ten is another series: in a fleet, count them first.
   *
   * <p>The lines are looked up whenever the registry reads the gauges, so a line that comes among
   * the ten has a gauge from the next reading on.
   *
   * @return a binder of {@code rockpool.site.used}
   */
  public static MeterBinder ofLargestSites() {
    return registry ->
        new LargestSites(ManagementFactory.getPlatformMBeanServer()).bindTo(registry);
  }

  /** Gauges are not a number without the agent, or if it does not count. */
  private static void bindLimit(MeterRegistry registry, MBeanServer server) {
    for (String kind : KINDS) {
      Gauge.builder("rockpool.limit.used", () -> readRow(server, "LimitInUseByKind", kind))
          .description("Native memory that the agent counts, by what holds it")
          .baseUnit(BaseUnits.BYTES)
          .tags("kind", kind)
          .register(registry);
    }
    for (String part : List.of("blocks", "tables")) {
      Gauge.builder("rockpool.self", () -> readRow(server, "Self", part))
          .description("Memory that Rockpool itself takes")
          .baseUnit(BaseUnits.BYTES)
          .tags("part", part)
          .register(registry);
    }
    ToDoubleFunction<String> agent = attribute -> read(server, AGENT, attribute);
    Map.of(
            "limit.total", "LimitInUse",
            "limit.highest", "LimitHighest",
            "process.resident", "Resident",
            "process.memory", "Memory")
        .forEach(
            (meter, attribute) ->
                Gauge.builder("rockpool." + meter, () -> agent.applyAsDouble(attribute))
                    .description("Native memory: in use, most in use at once, of the process")
                    .baseUnit(BaseUnits.BYTES)
                    .register(registry));
    Gauge.builder(
            "rockpool.limit.max",
            () -> {
              double limit = agent.applyAsDouble("Limit");
              return limit == 0 ? Double.NaN : limit; // else all is infinitely beyond it
            })
        .description("Limit of native memory")
        .baseUnit(BaseUnits.BYTES)
        .register(registry);
    counter("rockpool.limit.refused", agent, "LimitRefused")
        .description("Requests beyond the agent's limit of native memory")
        .register(registry);
  }

  private static void bindUsed(MeterRegistry registry, String budget, Supplier<Number> bytes) {
    Gauge.builder("rockpool.direct.memory.used", bytes)
        .description("Direct memory that is handed out")
        .baseUnit(BaseUnits.BYTES)
        .tags("budget", budget)
        .register(registry);
  }

  /**
   * Binds the figures of a pool, which takes the names that its MBean has for them. The gauges keep
   * {@code pool} reachable; counters would not.
   */
  private static void bindPool(MeterRegistry registry, String name, ToDoubleFunction<String> pool) {
    counter("rockpool.arenas", pool, "ArenasClosed")
        .description("Arenas that were closed after they had used a block")
        .tags("pool", name)
        .register(registry);
    counter("rockpool.pool.blocks.allocated", pool, "BlocksAllocated")
        .description("Blocks that were allocated, because none was kept for an arena")
        .tags("pool", name)
        .register(registry);
    counter("rockpool.pool.jdk.allocations", pool, "AllocationsByJdk")
        .description("Allocations that the JDK served, because no block had room for them")
        .tags("pool", name)
        .register(registry);
    Map.of("overrun", "Overruns", "late", "LateWrites")
        .forEach(
            (kind, attribute) ->
                counter("rockpool.check.findings", pool, attribute)
                    .description("Writes outside of segments, where arenas are checked")
                    .tags("pool", name, "kind", kind)
                    .register(registry));
    Gauge.builder("rockpool.pool.memory.kept", () -> pool.applyAsDouble("BytesKept"))
        .description("Native memory in blocks that no arena uses")
        .baseUnit(BaseUnits.BYTES)
        .tags("pool", name)
        .register(registry);
    Gauge.builder("rockpool.pool.threads", () -> pool.applyAsDouble("Threads"))
        .description("Live platform threads that have kept blocks")
        .baseUnit(BaseUnits.THREADS)
        .tags("pool", name)
        .register(registry);
  }

  private static FunctionCounter.Builder<ToDoubleFunction<String>> counter(
      String meter, ToDoubleFunction<String> pool, String attribute) {
    return FunctionCounter.builder(
        meter,
        pool,
        figures -> {
          // Not a number until there is a pool, and a counter would pass that on for ever.
          double count = figures.applyAsDouble(attribute);
          return Double.isNaN(count) ? 0 : count;
        });
  }

  /** Reads a component of the statistics by the name that the MBean has for it. */
  private static double ofPool(ArenaPool pool, String attribute) {
    try {
      String component =
          attribute.substring(0, 1).toLowerCase(Locale.ROOT) + attribute.substring(1);
      Object value = PoolStatistics.class.getMethod(component).invoke(pool.statistics());
      return ((Number) value).doubleValue();
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static double readRow(MBeanServer server, String attribute, String key) {
    try {
      TabularData rows = (TabularData) server.getAttribute(new ObjectName(AGENT), attribute);
      CompositeData row = rows.get(new Object[] {key});
      return row == null ? Double.NaN : ((Number) row.get("value")).doubleValue();
    } catch (JMException notYet) {
      return Double.NaN;
    }
  }

  /** Reads a figure by JMX; NaN if there is no such MBean yet. */
  private static double read(MBeanServer server, String name, String attribute) {
    try {
      return ((Number) server.getAttribute(new ObjectName(name), attribute)).doubleValue();
    } catch (JMException notYet) {
      return Double.NaN;
    }
  }
}
