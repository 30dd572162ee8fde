package dev.rockpool.cli.top;

import dev.rockpool.cli.attach.Beans;
import dev.rockpool.cli.support.RunningJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.management.jfr.RemoteRecordingStream;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a running JVM. Only this class knows where they come from: totals from MBeans, and
 * sites, if the agent records, from the events of the flight recorder.
 */
final class Source implements AutoCloseable {
  private static final String SITE = "dev.rockpool.ArenaSite";

  private final Beans beans;
  private final Duration interval;
  private final Map<String, Site> sites = new ConcurrentHashMap<>();
  private final long startNanos = System.nanoTime();
  private @Nullable RemoteRecordingStream stream;
  private boolean triedSites;
  private Reading last;

  private record Reading(long nanos, Map<String, Object> pool) {}

  /** Opens the figures of a JVM; rates are those of the time between two calls of {@link #next}. */
  Source(RunningJvm jvm, Duration interval) {
    this.beans = Beans.of(jvm);
    this.interval = interval;
    last = reading();
  }

  /** Reads the present figures. */
  Frame next() {
    Reading before = last;
    last = reading();
    Frame.Pool pool =
        last.pool.isEmpty()
            ? null
            : new Frame.Pool(last.pool, before.pool, (last.nanos - before.nanos) / 1e9);
    boolean recorded = streamSites();
    long oldest = last.nanos - 5 * interval.toNanos() / 2;
    sites.values().removeIf(site -> site.nanos() - oldest < 0);
    return new Frame(pool, beans.directMemory(), recorded ? List.copyOf(sites.values()) : null);
  }

  private Reading reading() {
    Map<String, Object> pool = beans.attributes(Beans.POOL);
    return new Reading(System.nanoTime(), pool == null ? Map.of() : pool);
  }

  /**
   * Streams sites once the agent has recorded classes. A stream before could end the agent's own
   * recording, which gives way to others until then.
   */
  private boolean streamSites() {
    Map<String, Object> agent = triedSites ? null : beans.attributes(Beans.AGENT);
    if (agent != null
        && !String.valueOf(agent.get("options")).contains(",record=off,")
        && !Integer.valueOf(0).equals(agent.get("rewrittenClasses"))) {
      triedSites = true;
      try {
        stream = beans.stream();
        stream.enable(SITE).withPeriod(interval);
        stream.setMaxAge(interval.multipliedBy(3));
        stream.onEvent(SITE, this::add);
        stream.startAsync();
      } catch (IOException | IllegalArgumentException withoutFlightRecorder) {
        stream = null;
      }
    }
    return stream != null;
  }

  /** The first events may cover any time, so they count nothing. */
  private void add(RecordedEvent event) {
    long nanos = System.nanoTime();
    if (nanos - startNanos > interval.toNanos()) {
      double seconds = interval.toNanos() / 1e9;
      sites.put(
          event.getString("site"),
          new Site(
              event.getString("site"),
              event.getLong("arenas") / seconds,
              event.getLong("bytes") / seconds,
              (double) event.getLong("fromSlab") / event.getLong("arenas"),
              nanos));
    }
  }

  @Override
  public void close() {
    if (stream != null) {
      stream.close();
    }
    beans.close();
  }

  /**
   * A call site that opens arenas.
   *
   * @param name of its class and method, with the line
   * @param arenas arenas closed in a second
   * @param bytes bytes asked for in a second
   * @param fromPool share of the arenas served from the pool, 0 to 1
   * @param nanos time of the event
   */
  record Site(String name, double arenas, double bytes, double fromPool, long nanos) {}
}
