package dev.rockpool.cli.report;

import dev.rockpool.cli.report.recording.ArenaFigures;
import dev.rockpool.cli.report.recording.Figures;
import dev.rockpool.cli.report.recording.Served;
import dev.rockpool.cli.report.recording.ThreadKind;
import java.util.Map;

/**
 * Savings of the pool, possible or real, in the recorded program.
 *
 * @param arenas how many were looked at
 * @param fitting those of them that allocate, and fit where costs were measured
 * @param nanos that all of them save together
 */
record Forecast(long arenas, long fitting, double nanos) {
  static final String ASSUMPTIONS =
      "This is a forecast, not a measurement. It assumes that arenas cost what they cost in "
          + Costs.SOURCE
          + ": that is another machine and another program, where arenas did not escape and all was"
          + " compiled by C2. It assumes that arenas of more than "
          + Costs.MOST_MEASURED
          + " bytes gain nothing, that those opened while a thread's slabs are all taken gain"
          + " nothing, that an arena in a range of sizes is as small as the range allows, and that"
          + " each allocation behind the first saves what it does at 20 bytes. Native calls"
          + " themselves take as long as before. Garbage is not counted. The JDK is taken to be one"
          + " that does not pool arenas itself.";

  /** For arenas that the JDK served: what is to be gained by the pool. */
  static Forecast toCome(Figures figures, ThreadKind kind, long slabsPerThread) {
    ArenaFigures arenas = figures.of(kind, Served.JDK);
    return of(arenas, kind, share(arenas.depths().upTo(slabsPerThread - 1), arenas.arenas()));
  }

  /** For arenas that the pool served: what it has gained. */
  static Forecast gained(Figures figures, ThreadKind kind) {
    return of(figures.of(kind, Served.SLAB), kind, 1);
  }

  private static Forecast of(ArenaFigures figures, ThreadKind kind, double findSlab) {
    long fitting = 0;
    double nanos = 0;
    for (Map.Entry<Long, Long> bucket : figures.footprints().buckets().entrySet()) {
      double gain = Costs.gain(kind, bucket.getKey());
      if (gain > 0 && figures.footprints().scale().last(bucket.getKey()) <= Costs.MOST_MEASURED) {
        fitting += bucket.getValue();
        nanos += gain * bucket.getValue();
      }
    }
    long allocating = figures.footprints().total() - figures.empty();
    long further = Math.max(0, figures.allocations() - allocating);
    nanos += share(fitting, allocating) * further * (Costs.FURTHER_JDK - Costs.FURTHER_POOL);
    return new Forecast(figures.arenas(), Math.round(fitting * findSlab), nanos * findSlab);
  }

  private static double share(long part, long whole) {
    return whole == 0 ? 0 : (double) part / whole;
  }

  Forecast and(Forecast other) {
    return new Forecast(arenas + other.arenas, fitting + other.fitting, nanos + other.nanos);
  }

  /** ns for each arena that was looked at. */
  double nanosPerArena() {
    return arenas == 0 ? 0 : nanos / arenas;
  }
}
