package dev.rockpool.record;

import dev.rockpool.record.ArenaEvents.Histogram;
import java.util.List;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** The sizes of arenas of one kind, closed since the last event. */
@Name("dev.rockpool.ArenaHistogram")
@Label("Arena Histogram")
@Category("Rockpool")
@Description("Confined arenas closed since the last such event, by size")
@Period("endChunk")
@StackTrace(false)
final class ArenaHistogramEvent extends Event {
  @Label("Kind of Thread")
  @Description("platform or virtual")
  final String threadKind;

  @Label("Served")
  @Description(
      "slab: from the pool; regular: a pooled arena that used the fallback at least once;"
          + " jdk: an arena of the JDK's own")
  final String served;

  @Label("Arenas")
  @Description("Arenas closed")
  final long arenas;

  @Label("Allocations")
  @Description("Allocations in them")
  final long allocations;

  @Label("Bytes")
  @Description("Bytes asked for")
  @DataAmount
  final long bytes;

  @Label("Totals")
  @Description(
      "Arenas by bytes asked for in all, lower=arenas: 0 to 63 each on its own, then powers of two")
  final String totals;

  @Label("Bytes by Total")
  @Description("Bytes asked for by arenas of each total, lower=bytes; the same lower bounds")
  final String totalBytes;

  @Label("Footprints")
  @Description(
      "Arenas by bytes taken of a slab, footprint=arenas: multiples of 16 up to 1024, from 1025 on"
          + " lower bounds, from 2048 on powers of two")
  final String footprints;

  @Label("Largest Allocations")
  @Description("Arenas by bytes of their largest allocation, lower=arenas; as totals")
  final String largest;

  @Label("Alignments")
  @Description("Arenas by the highest alignment asked for, alignment=arenas")
  final String alignments;

  @Label("Depths")
  @Description(
      "Arenas by how many of the same thread were open when it was opened, depth=arenas; 15 stands"
          + " for all beyond, and on virtual threads a depth may come out too small")
  final String depths;

  @Label("Empty Arenas")
  @Description("Arenas without allocations; charts need numbers")
  final long empty;

  @Label("Arenas of up to 64 Bytes")
  @Description("Arenas that take 16 to 64 bytes of a slab")
  final long upTo64;

  @Label("Arenas of up to 512 Bytes")
  @Description("Arenas that take 80 to 512 bytes of a slab")
  final long upTo512;

  @Label("Arenas beyond 512 Bytes")
  @Description("Arenas that take more than 512 bytes, the default size of a slab")
  final long beyond512;

  @Label("Largest Allocation From")
  @Description("Lower bound of the largest allocation")
  @DataAmount
  final long largestFrom;

  @Label("Deepest")
  @Description("Most arenas of the same thread that were open when one was opened, up to 15")
  final long deepest;

  ArenaHistogramEvent(List<Tally> tallies) {
    long shape = tallies.getFirst().shape();
    Histogram byTotal = new Histogram(Shape.BUCKETS);
    Histogram bytesByTotal = new Histogram(Shape.BUCKETS);
    Histogram byFootprint = new Histogram(Shape.BUCKETS);
    Histogram byLargest = new Histogram(Shape.BUCKETS);
    Histogram byAlignment = new Histogram(Long.SIZE);
    Histogram byDepth = new Histogram(Shape.DEEPEST + 1);
    for (Tally each : tallies) {
      byTotal.add(Shape.total(each.shape()), each.arenas());
      bytesByTotal.add(Shape.total(each.shape()), each.bytes());
      byFootprint.add(Shape.footprint(each.shape()), each.arenas());
      byLargest.add(Shape.largest(each.shape()), each.arenas());
      byAlignment.add(Shape.alignmentLog(each.shape()), each.arenas());
      byDepth.add(Shape.depth(each.shape()), each.arenas());
    }
    threadKind = Shape.isVirtual(shape) ? "virtual" : "platform";
    served =
        switch (Shape.served(shape)) {
          case Shape.SLAB -> "slab";
          case Shape.REGULAR -> "regular";
          default -> "jdk";
        };
    arenas = tallies.stream().mapToLong(Tally::arenas).sum();
    allocations = tallies.stream().mapToLong(Tally::allocations).sum();
    bytes = tallies.stream().mapToLong(Tally::bytes).sum();
    totals = byTotal.text(Shape::lower);
    totalBytes = bytesByTotal.text(Shape::lower);
    footprints = byFootprint.text(Shape::footprintLower);
    largest = byLargest.text(Shape::lower);
    alignments = byAlignment.text(log -> 1L << log);
    depths = byDepth.text(depth -> depth);
    empty = byFootprint.sum(0, 0);
    upTo64 = byFootprint.sum(1, Shape.footprintBucket(64));
    upTo512 = byFootprint.sum(Shape.footprintBucket(64) + 1, Shape.footprintBucket(512));
    beyond512 = byFootprint.sum(Shape.footprintBucket(512) + 1, Shape.BUCKETS - 1);
    largestFrom = Shape.lower(byLargest.last());
    deepest = byDepth.last();
  }
}
