package dev.rockpool.cli.report.recording;

/** Figures of arenas that were closed: sums, and histograms with a count for each arena. */
public final class ArenaFigures {
  private long allocations;
  private final Histogram totals = new Histogram(Scale.BYTES);
  private final Histogram totalBytes = new Histogram(Scale.BYTES);
  private final Histogram footprints = new Histogram(Scale.FOOTPRINTS);
  private final Histogram largest = new Histogram(Scale.BYTES);
  private final Histogram alignments = new Histogram(Scale.ALIGNMENTS);
  private final Histogram depths = new Histogram(Scale.DEPTHS);

  void addAllocations(long more) {
    allocations = Math.addExact(allocations, Histogram.checked(more));
  }

  /** Adds all of {@code other}. */
  public void add(ArenaFigures other) {
    allocations = Math.addExact(allocations, other.allocations);
    totals.add(other.totals);
    totalBytes.add(other.totalBytes);
    footprints.add(other.footprints);
    largest.add(other.largest);
    alignments.add(other.alignments);
    depths.add(other.depths);
  }

  /** Returns the number of arenas: the sum of {@link #totals()}, so that shares add up. */
  public long arenas() {
    return totals.total();
  }

  public long allocations() {
    return allocations;
  }

  /** The bytes asked for: the sum of {@link #totalBytes()}. */
  public long bytes() {
    return totalBytes.total();
  }

  /** Arenas that never allocated. */
  public long empty() {
    return footprints.in(0);
  }

  /** Arenas, by the bytes that each was asked for. */
  public Histogram totals() {
    return totals;
  }

  /** Bytes asked for, in the buckets of {@link #totals()}. */
  public Histogram totalBytes() {
    return totalBytes;
  }

  /** Arenas, by the bytes of a slab that each takes. */
  public Histogram footprints() {
    return footprints;
  }

  /** Arenas, by their largest allocation. */
  public Histogram largest() {
    return largest;
  }

  /** Arenas, by the highest alignment asked for. */
  public Histogram alignments() {
    return alignments;
  }

  /** Arenas, by how many others of the thread were open when they were opened. */
  public Histogram depths() {
    return depths;
  }
}
