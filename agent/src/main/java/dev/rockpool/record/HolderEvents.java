package dev.rockpool.record;

import dev.rockpool.record.Callers.Stack;
import dev.rockpool.record.Site.Kind;
import java.util.concurrent.ThreadLocalRandom;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.Timespan;

/**
 * The events of the holders of native memory: sums since the start of the recorder, and what is
 * live now. So of the events of one run and site the last one counts. A {@link RecordedSite} counts
 * in its own events. Closed confined arenas are no sums, but what came since the last event.
 */
final class HolderEvents {
  /** Tells the events of this run of the recorder from others. Random, as containers are alike. */
  static volatile long run = ThreadLocalRandom.current().nextLong();

  private HolderEvents() {}

  /** Begins another run, in events that are made from now on. */
  static void startAnew() {
    run = ThreadLocalRandom.current().nextLong();
  }

  @Name("dev.rockpool.HolderSite")
  @Label("Native Memory by Site")
  @Description("Arenas, direct buffers and mapped files that one call site opened so far")
  static final class HolderSiteEvent extends RecordedEvent {
    final long run = HolderEvents.run;
    final String kind;
    final String site;

    @Description("Time since the class of the site was rewritten")
    @Timespan
    long age;

    long opened;

    @Description("Closed, or freed by hand or by the JDK")
    long closed;

    @Description("Of confined arenas, in closed ones")
    long allocations;

    @DataAmount long bytes;

    @Description("Open now, leaked ones included; where a collection frees, at most")
    long live;

    @DataAmount long liveBytes;

    @Description("Of confined arenas, the most seen once a second, so at least")
    long mostLive;

    @DataAmount long mostLiveBytes;

    @Description("Of direct buffers, requests that ended by an OutOfMemoryError")
    long outOfMemory;

    @Description("Live when the resident set of the process was highest, of all looks at it")
    long liveAtPeak;

    @DataAmount long liveBytesAtPeak;

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

    @Description(
        "Median time from opening to the end, of a random sample; 0 if not known, or of confined"
            + " arenas if shorter than 100 us")
    @Timespan
    long lifeMedian;

    @Description("Of confined arenas, of those that are followed")
    @Timespan
    long longestLife;

    @Description("Time since the oldest open one was opened")
    @Timespan
    long oldest;

    @Description(
        "Seconds with a new peak of live bytes, since they last fell half the way back; 0 if none"
            + " was in the last third of the time; where a collection frees, of bytes that outlived"
            + " one, in seconds after one")
    long growing;

    @Description("Full collections that looked for unreachable ones, where a collection frees")
    long fullCollections;

    @Description("Opened before the last full collection, and live after it")
    long keptByFull;

    @DataAmount long bytesKeptByFull;

    HolderSiteEvent(String kind, String site) {
      this.kind = kind;
      this.site = site;
    }
  }

  @Name("dev.rockpool.HolderStack")
  @Label("Native Memory by Stack")
  @Description("A sample of what a call site opened, by stack")
  static final class HolderStackEvent extends RecordedEvent {
    final long run = HolderEvents.run;
    final String kind;
    final String site;

    @Description("Class, method and line of each frame, the innermost first, one in a line")
    final String stack;

    @Description("Whether there were further frames")
    final boolean cut;

    long opened;
    long live;
    @DataAmount long liveBytes;
    long leaked;
    transient long leakedBytes;

    HolderStackEvent(String kind, String site, Stack stack) {
      this.kind = kind;
      this.site = site;
      this.stack = stack.text();
      this.cut = stack.isCut();
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

  @Name("dev.rockpool.BufferPool")
  @Label("Buffer Pool")
  @Description("All direct or mapped buffers of the JVM, those that no site holds included")
  @Period("10 s")
  static final class BufferPoolEvent extends RecordedEvent {
    final long run = HolderEvents.run;

    @Description("direct or mapped")
    final String pool;

    final long buffers;
    @DataAmount final long capacity;
    @DataAmount final long used;

    @Description("Most used at the end of any second, or by one site")
    @DataAmount
    final long mostUsed;

    BufferPoolEvent(String pool, long buffers, long capacity, long used, long mostUsed) {
      this.pool = pool;
      this.buffers = buffers;
      this.capacity = capacity;
      this.used = used;
      this.mostUsed = mostUsed;
    }
  }

  @Name("dev.rockpool.ArenaSite")
  @Label("Arena Site")
  @Description("Confined arenas closed since the last such event, by the site that opened them")
  static final class ArenaSiteEvent extends RecordedEvent {
    @Description("Class, method and line; (others) for all sites beyond the first 4,000")
    final String site;

    final long arenas;
    final long allocations;
    @DataAmount final long bytes;

    @Description("Most bytes asked for by one arena")
    @DataAmount
    final long largestTotal;

    @Description("Arenas by bytes asked for in all, as in Arena Histogram")
    final String totals;

    ArenaSiteEvent(String site, SiteCounts counts) {
      this.site = site;
      arenas = counts.closed();
      allocations = counts.allocations;
      bytes = counts.closedBytes();
      largestTotal = counts.largest();
      totals = counts.totals();
    }
  }
}
