package dev.rockpool.cli.top;

import dev.rockpool.cli.attach.AgentInJvm;
import dev.rockpool.cli.attach.Beans;
import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.support.RunningJvm;
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
final class LiveFigures implements AutoCloseable {
  /** Sums of a site of any kind, since its JVM's start. */
  private static final String HOLDER = "dev.rockpool.HolderSite";

  private static final int MOST_COUNTED = 100;

  private final RunningJvm jvm;
  private final Beans beans;
  private final Duration interval;
  private final Map<String, Events> holders = new ConcurrentHashMap<>();
  private @Nullable RemoteRecordingStream stream;
  private boolean triedSites;
  private Reading last;

  private record Reading(long nanos, @Nullable Map<String, Object> pool) {}

  /** Opens the figures of a JVM; rates are those of the time between two calls of {@link #next}. */
  LiveFigures(RunningJvm jvm, Duration interval) {
    this.jvm = jvm;
    this.beans = new Beans(jvm);
    this.interval = interval;
    last = read();
  }

  private Reading read() {
    return new Reading(System.nanoTime(), beans.attributes(Beans.POOL));
  }

  Frame next() {
    Reading before = last;
    last = read();
    double seconds = (last.nanos - before.nanos) / 1e9;
    Frame.Pool pool = last.pool == null ? null : new Frame.Pool(last.pool, before.pool, seconds);
    startStream();
    long oldest = last.nanos - 5 * interval.toNanos() / 2;
    holders.values().removeIf(events -> events.nanos - oldest < 0);
    List<LiveSite> sites = holders.entrySet().stream().map(LiveFigures::site).toList();
    Map<String, Object> agent = beans.attributes(Beans.AGENT);
    return new Frame(
        pool,
        Beans.limit(agent),
        beans.directMemory(),
        stream != null ? sites : Beans.counts(agent) ? counted(agent) : null);
  }

  /** The sites that hold most, without a recording: of these only the bytes are known. */
  private List<LiveSite> counted(@Nullable Map<String, Object> agent) {
    return beans.largestSites(agent, MOST_COUNTED).entrySet().stream()
        .map(each -> new LiveSite(each.getKey(), -1, each.getValue(), -1, -1))
        .toList();
  }

  /**
   * Streams sites once the agent has recorded classes. A stream before could end the agent's own
   * recording, which gives way to others until then.
   */
  private void startStream() {
    Map<String, Object> agent = triedSites ? null : beans.attributes(Beans.AGENT);
    if (agent != null
        && !AgentInJvm.has(String.valueOf(agent.get("options")), "record=off")
        && !Integer.valueOf(0).equals(agent.get("rewrittenClasses"))) {
      triedSites = true;
      try {
        stream = jvm.ask(() -> started(beans.stream()));
      } catch (IllegalArgumentException withoutFlightRecorder) {
        // Totals are all that this JVM has.
      }
    }
  }

  private RemoteRecordingStream started(RemoteRecordingStream sites) {
    sites.enable(HOLDER).withPeriod(interval);
    sites.setReuse(false); // events are kept until the next
    sites.setMaxAge(interval.multipliedBy(3));
    sites.onEvent(HOLDER, this::add);
    sites.startAsync();
    return sites;
  }

  private void add(RecordedEvent event) {
    holders.merge(
        Table.printable(event.getString("kind") + " " + event.getString("site")),
        new Events(event, null, System.nanoTime()),
        (before, now) -> new Events(now.last, before.last, now.nanos));
  }

  private static LiveSite site(Map.Entry<String, Events> entry) {
    Events events = entry.getValue();
    RecordedEvent last = events.last;
    return new LiveSite(
        entry.getKey(),
        last.getLong("live"),
        last.getLong("liveBytes"),
        events.rate("opened"),
        events.rate("bytes"));
  }

  /**
   * A site's last event, and the one before.
   *
   * @param nanos time of arrival
   */
  private record Events(RecordedEvent last, @Nullable RecordedEvent before, long nanos) {
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
      jvm.leave(stream);
    }
    beans.close();
  }

  /**
   * A call site that holds native memory.
   *
   * @param name its kind, class and method, with the line
   * @param live open arenas, buffers or mapped files; -1 if they are only counted by bytes
   * @param liveBytes their bytes
   * @param opened opened in a second; -1 while there is one event only, or none
   * @param bytes allocated in a second; -1 likewise
   */
  record LiveSite(String name, long live, long liveBytes, double opened, double bytes) {}
}
