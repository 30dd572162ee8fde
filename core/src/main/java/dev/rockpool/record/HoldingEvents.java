package dev.rockpool.record;

import dev.rockpool.record.Site.Counts;
import dev.rockpool.record.Site.Stack;
import java.util.concurrent.ThreadLocalRandom;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * Writes the holders of native memory as events: sums since the start of the JVM, and what is live
 * now. So of the events of one JVM and site the last one counts.
 */
final class HoldingEvents {
  private static final String RUN_LABEL = "Run";
  private static final String RUN = "Number that tells this JVM's events from those of others";
  private static final String KIND =
      "confined, shared, automatic or global arena; direct buffer; mapped file";

  /** Random, because containers have equal process ids, and may start at the same time. */
  private static final long RUN_NUMBER = ThreadLocalRandom.current().nextLong();

  private HoldingEvents() {}

  static void register() {
    FlightRecorder.addPeriodicEvent(HoldingSiteEvent.class, HoldingEvents::writeSites);
    FlightRecorder.addPeriodicEvent(HoldingStackEvent.class, HoldingEvents::writeStacks);
    FlightRecorder.addPeriodicEvent(NativeMemoryEvent.class, HoldingEvents::writeKinds);
  }

  private static Recorder.BySite confined() {
    Holdings.takeUnreachable();
    return new Recorder.BySite().read(Recorder.SHARED, Sites.SHARED.size());
  }

  private static void writeSites() {
    Recorder.BySite confined = confined();
    for (int number = 0; number < confined.opened.length; number++) {
      Site site = Sites.SHARED.get(number);
      Counts counts = site.counts(confined, number);
      if (counts.opened > 0) {
        new HoldingSiteEvent(site, counts).commit();
      }
    }
  }

  /** Stacks are long, therefore they have a period of their own: sites may be watched. */
  private static void writeStacks() {
    Holdings.takeUnreachable();
    int size = Sites.SHARED.size();
    for (int number = 0; number < size; number++) {
      Site site = Sites.SHARED.get(number);
      int place = 0;
      for (Stack stack = site.stack(place); stack != null; stack = site.stack(++place)) {
        new HoldingStackEvent(site, stack).commit();
      }
    }
  }

  private static void writeKinds() {
    Recorder.BySite confined = confined();
    NativeMemoryEvent[] kinds = new NativeMemoryEvent[SiteKind.COUNT];
    for (int kind = 0; kind < kinds.length; kind++) {
      kinds[kind] = new NativeMemoryEvent(kind);
    }
    for (int number = 0; number < confined.opened.length; number++) {
      Site site = Sites.SHARED.get(number);
      kinds[site.kind].add(site.counts(confined, number));
    }
    for (NativeMemoryEvent each : kinds) {
      if (each.opened > 0) {
        each.commit();
      }
    }
  }

  @Name("dev.rockpool.HolderSite")
  @Label("Native Memory by Site")
  @Category("Rockpool")
  @Description("Arenas, direct buffers and mapped files that one call site opened so far")
  @Period("endChunk")
  @StackTrace(false)
  static final class HoldingSiteEvent extends Event {
    @Label(RUN_LABEL)
    @Description(RUN)
    final long run = RUN_NUMBER;

    @Label("Kind")
    @Description(KIND)
    final String kind;

    @Label("Site")
    @Description("Class, method and line; (others) for all sites beyond the first 4,000")
    final String site;

    @Label("Age")
    @Description("Time since the class of the site was rewritten")
    @Timespan(Timespan.NANOSECONDS)
    final long age;

    @Label("Opened")
    final long opened;

    @Label("Closed")
    @Description("Closed, or freed by the JDK")
    final long closed;

    @Label("Allocations")
    final long allocations;

    @Label("Bytes")
    @Description("Bytes allocated")
    @DataAmount
    final long bytes;

    @Label("Live")
    @Description("Open now, leaked ones included")
    final long live;

    @Label("Live Bytes")
    @Description("Estimated for small confined arenas")
    @DataAmount
    final long liveBytes;

    @Label("Most Live")
    final long mostLive;

    @Label("Most Live Bytes")
    @DataAmount
    final long mostLiveBytes;

    @Label("Leaked")
    @Description("Unreachable without close; of confined arenas those that are known by themselves")
    final long leaked;

    @Label("Leaked Bytes")
    @DataAmount
    final long leakedBytes;

    @Label("Largest")
    @Description("Most bytes in one")
    @DataAmount
    final long largest;

    @Label("On Virtual Threads")
    @Description("Opened on a virtual thread; of confined arenas, and closed")
    final long onVirtual;

    @Label("By Others")
    @Description("Used or closed by another thread than the one that opened")
    final long byOthers;

    @Label("Close Time")
    @Description("Time in close of shared arenas, which stops each thread for a moment")
    @Timespan(Timespan.NANOSECONDS)
    final long closeTime;

    @Label("Longest Close")
    @Timespan(Timespan.NANOSECONDS)
    final long longestClose;

    @Label("Mean Life")
    @Description("Mean time from opening to the end; of confined arenas, of a sample")
    @Timespan(Timespan.NANOSECONDS)
    final long meanLife;

    @Label("Longest Life")
    @Timespan(Timespan.NANOSECONDS)
    final long longestLife;

    @Label("Oldest")
    @Description("Time since the oldest open one was opened")
    @Timespan(Timespan.NANOSECONDS)
    final long oldest;

    @Label("Growing")
    @Description("Seconds in which live bytes grew, since they last fell")
    final long growing;

    HoldingSiteEvent(Site from, Counts counts) {
      kind = SiteKind.name(from.kind);
      site = from.name;
      age = from.ageNanos();
      opened = counts.opened;
      closed = counts.closed;
      allocations = counts.allocations;
      bytes = counts.bytes;
      live = counts.live;
      liveBytes = counts.liveBytes;
      mostLive = counts.mostLive;
      mostLiveBytes = counts.mostLiveBytes;
      leaked = counts.leaked;
      leakedBytes = counts.leakedBytes;
      largest = counts.largest;
      onVirtual = counts.onVirtual;
      byOthers = counts.byOthers;
      closeTime = counts.closeNanos;
      longestClose = counts.longestCloseNanos;
      meanLife = counts.ended == 0 ? 0 : counts.lifeNanos / counts.ended;
      longestLife = counts.longestLifeNanos;
      oldest = from.oldestNanos();
      growing = counts.growing;
    }
  }

  @Name("dev.rockpool.HolderStack")
  @Label("Native Memory by Stack")
  @Category("Rockpool")
  @Description("A sample of what a call site opened, by stack")
  @Period("endChunk")
  @StackTrace(false)
  static final class HoldingStackEvent extends Event {
    @Label(RUN_LABEL)
    @Description(RUN)
    final long run = RUN_NUMBER;

    @Label("Kind")
    @Description(KIND)
    final String kind;

    @Label("Site")
    final String site;

    @Label("Stack")
    @Description("Class, method and line of each frame, the innermost first, one in a line")
    final String stack;

    @Label("Opened")
    final long opened;

    @Label("Live")
    final long live;

    @Label("Live Bytes")
    @DataAmount
    final long liveBytes;

    @Label("Leaked")
    final long leaked;

    HoldingStackEvent(Site from, Stack counts) {
      kind = SiteKind.name(from.kind);
      site = from.name;
      stack = counts.text;
      opened = counts.opened;
      live = counts.live;
      liveBytes = counts.liveBytes;
      leaked = counts.leaked;
    }
  }

  /** Sums of all holdings of one kind, for a plot over time. */
  @Name("dev.rockpool.NativeMemory")
  @Label("Native Memory by Kind")
  @Category("Rockpool")
  @Description("Arenas, direct buffers and mapped files of application classes, by kind")
  @Period("10 s")
  @StackTrace(false)
  static final class NativeMemoryEvent extends Event {
    @Label("Kind")
    @Description(KIND)
    final String kind;

    @Label("Opened")
    long opened;

    @Label("Live")
    long live;

    @Label("Live Bytes")
    @DataAmount
    long liveBytes;

    @Label("Leaked")
    long leaked;

    @Label("Leaked Bytes")
    @DataAmount
    long leakedBytes;

    @Label("Close Time")
    @Timespan(Timespan.NANOSECONDS)
    long closeTime;

    NativeMemoryEvent(int kind) {
      this.kind = SiteKind.name(kind);
    }

    void add(Counts counts) {
      opened += counts.opened;
      live += counts.live;
      liveBytes += counts.liveBytes;
      leaked += counts.leaked;
      leakedBytes += counts.leakedBytes;
      closeTime += counts.closeNanos;
    }
  }
}
