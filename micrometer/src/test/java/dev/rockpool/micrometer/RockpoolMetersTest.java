package dev.rockpool.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.ArenaPoolMXBean;
import dev.rockpool.arena.Arenas;
import dev.rockpool.direct.DirectMemory;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.MBeanServer;
import javax.management.MBeanServerDelegate;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import javax.management.relation.MBeanServerNotificationFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Meters follow what a pool and a budget really do. */
class RockpoolMetersTest {
  private static final Path DASHBOARD = Path.of("grafana-dashboard.json");
  private static final Pattern METER = Pattern.compile("rockpool_[a-z_]+");

  private static final ObjectName AGENT = agent();

  private final MeterRegistry registry = new SimpleMeterRegistry();

  private static ObjectName agent() {
    try {
      return new ObjectName("dev.rockpool:type=Agent");
    } catch (MalformedObjectNameException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Test
  void arenasBlocksAndAllocationsByTheJdkAreCounted() {
    ArenaPool pool = ArenaPool.builder().blockByteSize(64).blocksPerThread(1).build();
    RockpoolMeters.of(pool, "mine").bindTo(registry);

    open(pool::take, 8);
    open(pool::take, 8);
    open(pool::take, 1 << 20);
    try (Arena outer = pool.take()) {
      assertThat(outer.allocate(8).byteSize()).isEqualTo(8);
      open(pool::take, 8);
    }

    assertThat(count("rockpool.arenas", "mine")).as("all but the large one").isEqualTo(4);
    assertThat(count("rockpool.pool.blocks.allocated", "mine"))
        .as("for the first, and the inner one")
        .isEqualTo(2);
    assertThat(count("rockpool.pool.jdk.allocations", "mine")).isEqualTo(1);
    assertThat(gauge("rockpool.pool.memory.kept", "mine")).isEqualTo(64);
    assertThat(gauge("rockpool.pool.threads", "mine")).isEqualTo(1);
    assertThat(
            registry
                .get("rockpool.check.findings")
                .tags("pool", "mine", "kind", "overrun")
                .functionCounter()
                .count())
        .isZero();
  }

  @Test
  void directMemoryIsWhatTheBudgetHandsOut() {
    DirectMemory memory = DirectMemory.ofLimit(1 << 20);
    RockpoolMeters.of(memory, "mine").bindTo(registry);

    MemorySegment segment = memory.allocate(1000, 8);

    assertThat(registry.get("rockpool.direct.memory.used").tags("budget", "mine").gauge().value())
        .isEqualTo(memory.reserved())
        .isGreaterThanOrEqualTo(1000);
    assertThat(registry.get("rockpool.direct.memory.max").tags("budget", "mine").gauge().value())
        .isEqualTo(1 << 20);
    memory.free(segment);
    assertThat(registry.get("rockpool.direct.memory.used").tags("budget", "mine").gauge().value())
        .isZero();
  }

  @Test
  void theSharedPoolIsSeenByJmxOnceItIsUsed() throws Exception {
    ObjectName pool = new ObjectName(ArenaPoolMXBean.NAME);
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    CountDownLatch registered = new CountDownLatch(1);
    MBeanServerNotificationFilter filter = new MBeanServerNotificationFilter();
    filter.enableObjectName(pool);
    server.addNotificationListener(
        MBeanServerDelegate.DELEGATE_NAME, (event, none) -> registered.countDown(), filter, null);
    RockpoolMeters.ofJvm().bindTo(registry);

    open(Arenas::ofConfined, 8);
    if (!server.isRegistered(pool)) {
      assertThat(registered.await(1, TimeUnit.MINUTES)).isTrue();
    }

    assertThat(count("rockpool.arenas", "shared")).isPositive();
    assertThat(count("rockpool.pool.blocks.allocated", "shared")).isPositive();
    assertThat(gauge("rockpool.pool.memory.kept", "shared")).isPositive();
  }

  /** The agent's answers. */
  public interface AgentMXBean {
    Map<String, Long> largestSites(int most);

    long getLimit();
  }

  @Test
  void linesThatHoldMostHaveGaugesWhileTheyDo() throws Exception {
    Map<String, Long> sites = new ConcurrentHashMap<>(Map.of("direct a.B.c:1", 7L));
    PrometheusMeterRegistry scraped = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    RockpoolMeters.ofLargestSites().bindTo(scraped);
    RockpoolMeters.ofJvm().bindTo(scraped);
    assertThat(scraped.scrape()).contains("rockpool_sites 0.0").doesNotContain("site=");
    register(sites);
    awaitLine(scraped, "rockpool_site_used_bytes{kind=\"direct\",site=\"a.B.c:1\"} 7.0");
    assertThat(scraped.scrape()).contains("rockpool_sites 1.0", "rockpool_limit_max_bytes NaN");
    sites.put("direct a.B.c:1", 8L);
    awaitLine(scraped, "rockpool_site_used_bytes{kind=\"direct\",site=\"a.B.c:1\"} 8.0");
    sites.clear();
    sites.put("malloc (others)", 9L);
    awaitLine(scraped, "rockpool_site_used_bytes{kind=\"malloc\",site=\"(others)\"} 9.0");
    assertThat(scraped.scrape()).doesNotContain("a.B.c:1");
  }

  private static void register(Map<String, Long> sites) throws Exception {
    AgentMXBean agent =
        new AgentMXBean() {
          @Override
          public Map<String, Long> largestSites(int most) {
            assertThat(most).isEqualTo(10);
            return sites;
          }

          @Override
          public long getLimit() {
            return 0;
          }
        };
    ManagementFactory.getPlatformMBeanServer()
        .registerMBean(new StandardMBean(agent, AgentMXBean.class, true), AGENT);
  }

  @AfterEach
  void unregister() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    if (server.isRegistered(AGENT)) {
      server.unregisterMBean(AGENT);
    }
  }

  private static void awaitLine(PrometheusMeterRegistry scraped, String line)
      throws InterruptedException {
    while (scraped.scrape().lines().noneMatch(line::equals)) {
      Thread.sleep(100);
    }
  }

  @Test
  void aMeterIsBoundToSomething() {
    assertThatNullPointerException().isThrownBy(() -> RockpoolMeters.of((ArenaPool) null, "a"));
    assertThatNullPointerException().isThrownBy(() -> RockpoolMeters.of(ArenaPool.shared(), null));
    assertThatNullPointerException().isThrownBy(() -> RockpoolMeters.of((DirectMemory) null, "a"));
  }

  @Test
  void thePublishedDashboardAsksOnlyForMetersThatAScrapeHas() throws Exception {
    register(Map.of("direct a.B.c:1", 7L));
    PrometheusMeterRegistry scraped = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    RockpoolMeters.ofLargestSites().bindTo(scraped);
    awaitLine(scraped, "rockpool_sites 1.0");
    RockpoolMeters.ofJvm().bindTo(scraped);
    RockpoolMeters.of(DirectMemory.ofLimit(1), "mine").bindTo(scraped);

    List<String> expressions = new ArrayList<>();
    collectExpressions(JsonParser.parseString(Files.readString(DASHBOARD)), expressions);

    String scrape = scraped.scrape();
    assertThat(expressions).isNotEmpty();
    for (String expression : expressions) {
      Matcher meters = METER.matcher(expression);
      assertThat(meters.find()).as(expression).isTrue();
      do {
        assertThat(scrape.lines())
            .anyMatch(line -> line.matches(Pattern.quote(meters.group()) + "[{ ].*"));
      } while (meters.find());
    }
    for (String line : scrape.lines().filter(each -> !each.startsWith("#")).toList()) {
      String meter = line.split("[{ ]", 2)[0];
      assertThat(expressions).anyMatch(expression -> expression.contains(meter));
    }
  }

  private static void collectExpressions(JsonElement in, List<String> found) {
    if (in instanceof JsonObject object) {
      if (object.has("expr")) {
        found.add(object.get("expr").getAsString());
      }
      object.asMap().values().forEach(each -> collectExpressions(each, found));
    } else if (in.isJsonArray()) {
      in.getAsJsonArray().forEach(each -> collectExpressions(each, found));
    }
  }

  private static void open(Supplier<Arena> pool, int byteSize) {
    try (Arena arena = pool.get()) {
      arena.allocate(byteSize);
    }
  }

  private double count(String meter, String pool) {
    return registry.get(meter).tags("pool", pool).functionCounter().count();
  }

  private double gauge(String meter, String pool) {
    return registry.get(meter).tags("pool", pool).gauge().value();
  }
}
