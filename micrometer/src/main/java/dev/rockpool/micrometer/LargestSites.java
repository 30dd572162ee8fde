package dev.rockpool.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;

/**
 * Gauges of the lines that hold most. Which these are is asked when a gauge is read, so no thread
 * is needed: {@code rockpool.sites}, the number of lines, is always there to be read.
 */
final class LargestSites {
  private static final int MOST = 10;

  /** All gauges of one reading of a registry have one answer. */
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final MBeanServer server;
  private Map<String, Long> bytes = Map.of();
  private Set<String> shown = Set.of();
  private long askedNanos = System.nanoTime() - FRESH_NANOS;

  LargestSites(MBeanServer server) {
    this.server = server;
  }

  void bindTo(MeterRegistry registry) {
    MultiGauge gauges =
        MultiGauge.builder("rockpool.site.used")
            .description("Native memory of the lines that hold most")
            .baseUnit(BaseUnits.BYTES)
            .register(registry);
    Gauge.builder("rockpool.sites", () -> count(gauges))
        .description("Lines of which there are gauges")
        .register(registry);
  }

  private synchronized int count(MultiGauge gauges) {
    ask();
    if (!shown.equals(bytes.keySet())) {
      shown = bytes.keySet();
      List<Row<?>> rows = new ArrayList<>();
      for (String each : shown) {
        int space = each.indexOf(' ');
        Tags tags = Tags.of("kind", each.substring(0, space), "site", each.substring(space + 1));
        rows.add(Row.of(tags, () -> bytes(each)));
      }
      gauges.register(rows, true);
    }
    return shown.size();
  }

  private synchronized Number bytes(String site) {
    ask();
    return bytes.getOrDefault(site, 0L);
  }

  private void ask() {
    long now = System.nanoTime();
    if (now - askedNanos < FRESH_NANOS) {
      return;
    }
    askedNanos = now;
    Map<String, Long> asked = new HashMap<>();
    try {
      Object answer =
          server.invoke(
              new ObjectName(RockpoolMeters.AGENT),
              "largestSites",
              new Object[] {MOST},
              new String[] {int.class.getName()});
      for (Object each : ((TabularData) answer).values()) {
        CompositeData row = (CompositeData) each;
        asked.put((String) row.get("key"), (Long) row.get("value"));
      }
    } catch (JMException notYet) {
      asked.clear();
    }
    bytes = asked;
  }
}
