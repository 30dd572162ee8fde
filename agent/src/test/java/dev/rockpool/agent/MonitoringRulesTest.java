package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.instrumentation.jmx.engine.JmxMetricInsight;
import io.opentelemetry.instrumentation.jmx.engine.MetricConfiguration;
import io.opentelemetry.instrumentation.jmx.yaml.RuleParser;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.prometheus.jmx.JmxCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The files in examples/monitoring, read by those for whom they are. */
class MonitoringRulesTest {
  private static final Path FOLDER = Path.of("../examples/monitoring");
  private static final List<String> KINDS =
      List.of("automatic", "confined", "direct", "global", "malloc", "pool", "shared", "unsafe");

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

  @BeforeEach
  void register() throws Exception {
    AgentReport report = new AgentReport("1", AgentOptions.parse("count"));
    report.limit = new Figures();
    server.registerMBean(report, new ObjectName(AgentMXBean.NAME));
  }

  @AfterEach
  void unregister() throws Exception {
    server.unregisterMBean(new ObjectName(AgentMXBean.NAME));
  }

  /** Each kind has a hundred bytes more than the one before. */
  private static final class Figures extends UncalledLimit {

    @Override
    public Map<String, Long> figures() {
      return Map.of("limit", 9000L, "inUse", 3600L, "highest", 4000L, "refused", 5L);
    }

    @Override
    public Map<String, Long> inUseByKind() {
      Map<String, Long> bytes = new TreeMap<>();
      for (String kind : KINDS) {
        bytes.put(kind, 100L * (1 + KINDS.indexOf(kind)));
      }
      return bytes;
    }

    @Override
    public Map<String, Long> largestSites(int most) {
      return Map.of();
    }

    @Override
    public Map<String, Long> self() {
      return Map.of("blocks", 7L, "tables", 8L);
    }
  }

  private static Set<String> scrape() throws Exception {
    PrometheusRegistry registry = new PrometheusRegistry();
    new JmxCollector(FOLDER.resolve("jmx-exporter.yaml").toFile(), JmxCollector.Mode.AGENT)
        .register(registry);
    Set<String> lines = new TreeSet<>();
    for (MetricSnapshot metric : registry.scrape()) {
      String name = metric.getMetadata().getPrometheusName();
      for (DataPointSnapshot point : metric.getDataPoints()) {
        StringJoiner labels = new StringJoiner(",", "{", "}").setEmptyValue("");
        point.getLabels().forEach(each -> labels.add(each.getName() + "=" + each.getValue()));
        lines.add(
            point instanceof CounterDataPointSnapshot counter
                ? name + "_total" + labels + " " + counter.getValue()
                : name + labels + " " + ((GaugeDataPointSnapshot) point).getValue());
      }
    }
    return lines;
  }

  @Test
  void jmxExporterGivesTheNamesOfTheMeters() throws Exception {
    Set<String> lines = scrape();

    assertThat(lines)
        .contains(
            "rockpool_limit_max_bytes 9000.0",
            "rockpool_limit_total_bytes 3600.0",
            "rockpool_limit_highest_bytes 4000.0",
            "rockpool_limit_refused_total 5.0",
            "rockpool_self_bytes{part=blocks} 7.0",
            "rockpool_self_bytes{part=tables} 8.0")
        .anyMatch(line -> line.startsWith("rockpool_process_resident_bytes "))
        .anyMatch(line -> line.startsWith("rockpool_process_memory_bytes "));
    for (String kind : KINDS) {
      double bytes = 100 * (1 + KINDS.indexOf(kind));
      assertThat(lines).contains("rockpool_limit_used_bytes{kind=" + kind + "} " + bytes);
    }
  }

  @Test
  void openTelemetryReadsTheSameFigures() throws Exception {
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    Map<String, Long> found = new TreeMap<>();
    try (SdkMeterProvider meters = SdkMeterProvider.builder().registerMetricReader(reader).build();
        InputStream rules = Files.newInputStream(FOLDER.resolve("opentelemetry.yaml"))) {
      MetricConfiguration configuration = new MetricConfiguration();
      RuleParser.get().addMetricDefsTo(configuration, rules, "opentelemetry.yaml");
      JmxMetricInsight.createService(OpenTelemetrySdk.builder().setMeterProvider(meters).build(), 1)
          .startLocal(configuration);
      while (found.size() < 8 + 8 + 7) {
        for (MetricData metric : reader.collectAllMetrics()) {
          for (var point : metric.getData().getPoints()) {
            String tags = List.copyOf(point.getAttributes().asMap().values()).toString();
            found.put(metric.getName() + tags, ((LongPointData) point).getValue());
          }
        }
        Thread.sleep(20);
      }
    }

    assertThat(found)
        .containsEntry("rockpool.limit.max[]", 9000L)
        .containsEntry("rockpool.limit.total[]", 3600L)
        .containsEntry("rockpool.limit.highest[]", 4000L)
        .containsEntry("rockpool.limit.refused[]", 5L)
        .containsEntry("rockpool.self[blocks]", 7L)
        .containsEntry("rockpool.self[tables]", 8L)
        .containsKeys("rockpool.process.resident[]", "rockpool.process.memory[]")
        .doesNotContainKey("jvm.buffer.memory.used[rockpool-direct]");
    for (String kind : KINDS) {
      long bytes = 100L * (1 + KINDS.indexOf(kind));
      assertThat(found).containsEntry("rockpool.limit.used[" + kind + "]", bytes);
      if (!kind.equals("direct")) {
        assertThat(found).containsEntry("jvm.buffer.memory.used[rockpool-" + kind + "]", bytes);
      }
    }
  }

  /** A metric that nothing exports would never alert. */
  @Test
  void rulesAskForMetricsThatTheExporterHas() throws Exception {
    Set<String> exported =
        scrape().stream().map(line -> line.split("[{ ]", 2)[0]).collect(Collectors.toSet());
    Map<?, ?> file =
        (Map<?, ?>)
            new Load(LoadSettings.builder().build())
                .loadFromString(Files.readString(FOLDER.resolve("prometheus-rules.yaml")));
    Set<String> alerts = new TreeSet<>();
    Set<String> recorded = new TreeSet<>();
    for (Object group : (List<?>) file.get("groups")) {
      for (Object rule : (List<?>) ((Map<?, ?>) group).get("rules")) {
        Map<?, ?> alert = (Map<?, ?>) rule;
        String expression = (String) alert.get("expr");
        Matcher names = Pattern.compile("rockpool_\\w+").matcher(expression);
        assertThat(names.find()).as(expression).isTrue();
        do {
          assertThat(exported).as(expression).contains(names.group());
        } while (names.find());
        if (alert.containsKey("record")) {
          recorded.add((String) alert.get("record"));
          continue;
        }
        alerts.add((String) alert.get("alert"));
        assertThat(alert.get("labels").toString()).matches("\\{severity=(warning|critical)}");
        assertThat(((Map<?, ?>) alert.get("annotations")).keySet().toString())
            .isEqualTo("[summary, description]");
      }
    }
    assertThat(recorded).containsExactly("jvm_buffer_memory_used_bytes");
    assertThat(alerts)
        .containsExactly(
            "NativeMemoryGrows",
            "NativeMemoryNearItsLimit",
            "NativeMemoryRefused",
            "ResidentSetNearTheContainer",
            "RockpoolAgentAbsent");
  }
}
