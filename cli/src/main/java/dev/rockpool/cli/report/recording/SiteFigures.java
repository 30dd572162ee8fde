package dev.rockpool.cli.report.recording;

/** Figures of the arenas that the call sites in one class opened. */
public final class SiteFigures {
  private long arenas;
  private long allocations;
  private long bytes;
  private long fromSlab;
  private long largestTotal;
  private long deepest;
  private final Histogram footprints = new Histogram(Scale.FOOTPRINTS);

  SiteFigures() {}

  SiteFigures(
      long arenas,
      long allocations,
      long bytes,
      long fromSlab,
      long largestTotal,
      long deepest,
      Histogram footprints) {
    this.arenas = Histogram.checked(arenas);
    this.allocations = Histogram.checked(allocations);
    this.bytes = Histogram.checked(bytes);
    this.fromSlab = Histogram.checked(fromSlab);
    this.largestTotal = Histogram.checked(largestTotal);
    this.deepest = Histogram.checked(deepest);
    this.footprints.add(footprints);
  }

  void add(SiteFigures other) {
    arenas = Math.addExact(arenas, other.arenas);
    allocations = Math.addExact(allocations, other.allocations);
    bytes = Math.addExact(bytes, other.bytes);
    fromSlab = Math.addExact(fromSlab, other.fromSlab);
    largestTotal = Math.max(largestTotal, other.largestTotal);
    deepest = Math.max(deepest, other.deepest);
    footprints.add(other.footprints);
  }

  public long arenas() {
    return arenas;
  }

  public long allocations() {
    return allocations;
  }

  public long bytes() {
    return bytes;
  }

  /** Arenas that the pool served. */
  public long fromSlab() {
    return fromSlab;
  }

  /** Arenas that allocated, and that the pool did not serve. */
  public long missed() {
    return Math.max(0, arenas - footprints.in(0) - fromSlab);
  }

  /** The most bytes that one arena was asked for. */
  public long largestTotal() {
    return largestTotal;
  }

  /** The most other arenas of the thread that were open when one was opened. */
  public long deepest() {
    return deepest;
  }

  /** Arenas, by the bytes of a slab that each takes. */
  public Histogram footprints() {
    return footprints;
  }
}
