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

/** The confined arenas that one call site opened, closed since the last event. */
@Name("dev.rockpool.ArenaSite")
@Label("Arena Site")
@Category("Rockpool")
@Description("Confined arenas closed since the last such event, by the call site that opened them")
@Period("endChunk")
@StackTrace(false)
final class ArenaSiteEvent extends Event {
  @Label("Site")
  @Description("Class, method and line; (others) for all sites beyond the first 4,000")
  final String site;

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

  @Label("From Slab")
  @Description("Arenas that allocated, and were served from the pool")
  final long fromSlab;

  @Label("Largest Total")
  @Description("Most bytes asked for by one arena")
  @DataAmount
  final long largestTotal;

  @Label("Deepest")
  @Description("Most arenas of the same thread that were open when one was opened, up to 15")
  final long deepest;

  @Label("Footprints")
  @Description(
      "Arenas by bytes taken of a slab, footprint=arenas: multiples of 16 up to 1024, from 1025 on"
          + " lower bounds, from 2048 on powers of two")
  final String footprints;

  ArenaSiteEvent(List<Tally> tallies) {
    Histogram byFootprint = new Histogram(Shape.BUCKETS);
    tallies.forEach(each -> byFootprint.add(Shape.footprint(each.shape()), each.arenas()));
    site = Sites.SHARED.get(Shape.site(tallies.getFirst().shape())).name;
    arenas = tallies.stream().mapToLong(Tally::arenas).sum();
    allocations = tallies.stream().mapToLong(Tally::allocations).sum();
    bytes = tallies.stream().mapToLong(Tally::bytes).sum();
    fromSlab =
        tallies.stream()
            .filter(each -> Shape.served(each.shape()) == Shape.SLAB)
            .filter(each -> Shape.footprint(each.shape()) > 0)
            .mapToLong(Tally::arenas)
            .sum();
    largestTotal = tallies.stream().mapToLong(Tally::most).max().orElse(0);
    deepest = tallies.stream().mapToLong(each -> Shape.depth(each.shape())).max().orElse(0);
    footprints = byFootprint.text(Shape::footprintLower);
  }
}
