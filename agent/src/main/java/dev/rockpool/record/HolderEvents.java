package dev.rockpool.record;

import dev.rockpool.record.ArenaEvents.RecordedEvent;
import dev.rockpool.record.Recorder.Sums;
import dev.rockpool.record.Site.Kind;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.Timespan;

/**
 * The holders of native memory as events: sums since the start of the JVM, and what is live now. So
 * of the events of one JVM and site the last one counts. A {@link Site} counts in its own events.
 */
final class HolderEvents {
  /** Tells this JVM's events from those of others. Random, because containers are alike. */
  private static final long RUN = ThreadLocalRandom.current().nextLong();

  private HolderEvents() {}

  static void register() {
    FlightRecorder.addPeriodicEvent(
        HolderSiteEvent.class,
        () -> {
          Sums sums = sums();
          Site.all().forEach(site -> site.write(sums));
        });
    FlightRecorder.addPeriodicEvent(
        HolderStackEvent.class, // long, and apart from sites, because those may be watched
        () -> {
          Holdings.takeUnreachable();
          Site.all().forEach(Site::writeStacks);
        });
    FlightRecorder.addPeriodicEvent(
        NativeMemoryEvent.class,
        () -> {
          Sums sums = sums();
          Map<Kind, NativeMemoryEvent> kinds = new EnumMap<>(Kind.class);
          Site.all().forEach(site -> site.addTo(kinds, sums));
          kinds.values().forEach(Event::commit);
        });
  }

  private static Sums sums() {
    Holdings.takeUnreachable();
    return Recorder.read();
  }

  @Name("dev.rockpool.HolderSite")
  @Label("Native Memory by Site")
  @Description("Arenas, direct buffers and mapped files that one call site opened so far")
  static final class HolderSiteEvent extends RecordedEvent {
    final long run = RUN;
    final String kind;
    final String site;

    @Description("Time since the class of the site was rewritten")
    @Timespan
    long age;

    long opened;

    @Description("Closed, or freed by hand or by the JDK")
    long closed;

    @Description("Of open confined arenas, allocations in those that are followed")
    long allocations;

    @DataAmount long bytes;

    @Description("Open now, leaked ones included; where a collection frees, at most")
    long live;

    @DataAmount long liveBytes;

    @Description("Of confined arenas, the most in any second")
    long mostLive;

    @DataAmount long mostLiveBytes;

    @Description("Unreachable without close; of confined arenas, those followed that had allocated")
    long leaked;

    @DataAmount long leakedBytes;

    @Description("Confined arenas that platform threads left open when they ended: all leaked")
    long unclosedByEnded;

    @Description("Most bytes in one")
    @DataAmount
    long largest;

    @Description("Opened on a virtual thread")
    long onVirtual;

    @Description("Used or closed by another thread than the one that opened")
    long byOthers;

    @Description("Time in close of shared arenas, which stops each thread for a moment")
    @Timespan
    long closeTime;

    @Timespan long longestClose;

    @Description("Median time from opening to the end, of a random sample; 0 if not known")
    @Timespan
    long lifeMedian;

    @Description("Of confined arenas, of those that are followed")
    @Timespan
    long longestLife;

    @Description("Time since the oldest open one was opened")
    @Timespan
    long oldest;

    @Description(
        "Seconds with a new peak of live bytes, since they last fell half the way back; where a"
            + " collection frees, seconds after a collection")
    long growing;

    HolderSiteEvent(String kind, String site) {
      this.kind = kind;
      this.site = site;
    }
  }

  @Name("dev.rockpool.HolderStack")
  @Label("Native Memory by Stack")
  @Description("A sample of what a call site opened, by stack")
  static final class HolderStackEvent extends RecordedEvent {
    final long run = RUN;
    final String kind;
    final String site;

    @Description("Class, method and line of each frame, the innermost first, one in a line")
    final String stack;

    long opened;
    long live;
    @DataAmount long liveBytes;
    long leaked;
    transient long leakedBytes;

    HolderStackEvent(String kind, String site, String stack) {
      this.kind = kind;
      this.site = site;
      this.stack = stack;
    }
  }

  @Name("dev.rockpool.NativeMemory")
  @Label("Native Memory by Kind")
  @Description("Sums of arenas, direct buffers and mapped files of one kind, for a plot over time")
  @Period("10 s")
  static final class NativeMemoryEvent extends RecordedEvent {
    final String kind;
    long opened;
    long live;
    @DataAmount long liveBytes;
    long leaked;
    @DataAmount long leakedBytes;
    @Timespan long closeTime;

    NativeMemoryEvent(Kind kind) {
      this.kind = kind.text();
    }

    void add(HolderSiteEvent site) {
      opened += site.opened;
      live += site.live;
      liveBytes += site.liveBytes;
      leaked += site.leaked;
      leakedBytes += site.leakedBytes;
      closeTime += site.closeTime;
    }
  }
}
