package dev.rockpool.cli.top;

import dev.rockpool.cli.attach.Beans;
import dev.rockpool.cli.support.RunningJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
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
  /** Sums of a site of any kind, since its JVM's start. */
  private static final String HOLDER = "dev.rockpool.HolderSite";

  private final Beans beans;
  private final Duration interval;
  private final Map<String, Events> holders = new ConcurrentHashMap<>();
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
    holders.values().removeIf(events -> events.nanos - oldest < 0);
    return new Frame(pool, beans.directMemory(), recorded ? sites() : null);
  }

  private List<Site> sites() {
    List<Site> sites = new ArrayList<>();
    holders.forEach((name, events) -> sites.add(events.site(name)));
    return sites;
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
        stream.enable(HOLDER).withPeriod(interval);
        stream.setReuse(false); // events are kept until the next
        stream.setMaxAge(interval.multipliedBy(3));
        stream.onEvent(HOLDER, this::add);
        stream.startAsync();
      } catch (IOException | IllegalArgumentException withoutFlightRecorder) {
        stream = null;
      }
    }
    return stream != null;
  }

  private void add(RecordedEvent event) {
    holders.merge(
        event.getString("kind") + " " + event.getString("site"),
        new Events(event, null, System.nanoTime()),
        (before, now) -> new Events(now.last, before.last, now.nanos));
  }

  /**
   * A site's last event, and the one before.
   *
   * @param nanos time of arrival
   */
  private record Events(RecordedEvent last, @Nullable RecordedEvent before, long nanos) {
    private Site site(String name) {
      return new Site(
          name, last.getLong("live"), last.getLong("liveBytes"), rate("opened"), rate("bytes"));
    }

    /** Estimated sums may fall. */
    private double rate(String field) {
      if (before == null) {
        return -1;
      }
      Duration between = Duration.between(before.getStartTime(), last.getStartTime());
      long more = last.getLong(field) - before.getLong(field);
      return more <= 0 || !between.isPositive() ? 0 : 1e9 * more / between.toNanos();
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
   * A call site that holds native memory.
   *
   * @param name its kind, class and method, with the line
   * @param live open arenas, buffers or mapped files
   * @param liveBytes their bytes
   * @param opened opened in a second; -1 while there is one event only
   * @param bytes allocated in a second; -1 likewise
   */
  record Site(String name, long live, long liveBytes, double opened, double bytes) {}
}
