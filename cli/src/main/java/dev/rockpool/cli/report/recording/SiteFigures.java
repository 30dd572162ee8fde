package dev.rockpool.cli.report.recording;

/**
 * Figures of the arenas that one call site opened.
 *
 * @param fromSlab arenas that the pool served
 * @param largestTotal the most bytes that one arena was asked for
 * @param deepest the most other arenas of the thread that were open when one was opened
 * @param footprints arenas, by the bytes of a slab that each takes
 */
public record SiteFigures(
    long arenas,
    long allocations,
    long bytes,
    long fromSlab,
    long largestTotal,
    long deepest,
    Histogram footprints) {

  SiteFigures plus(SiteFigures other) {
    Histogram sum = new Histogram(Scale.FOOTPRINTS);
    sum.add(footprints);
    sum.add(other.footprints);
    return new SiteFigures(
        Math.addExact(arenas, other.arenas),
        Math.addExact(allocations, other.allocations),
        Math.addExact(bytes, other.bytes),
        Math.addExact(fromSlab, other.fromSlab),
        Math.max(largestTotal, other.largestTotal),
        Math.max(deepest, other.deepest),
        sum);
  }

  /** Arenas that allocated, and that the pool did not serve. */
  public long missed() {
    return Math.max(0, arenas - footprints.in(0) - fromSlab);
  }
}
