package dev.rockpool.arena;

import java.util.concurrent.atomic.LongAdder;

/** Counts arenas that are closed on threads without slabs of their own. */
final class StripedCounts {
  private final LongAdder served = new LongAdder();
  private final LongAdder tooLarge = new LongAdder();
  private final LongAdder noneLeft = new LongAdder();

  void addServed(int arenas) {
    served.add(arenas);
  }

  void addRegular(boolean isTooLarge) {
    (isTooLarge ? tooLarge : noneLeft).increment();
  }

  void addTo(PoolCounts counts) {
    counts.served += served.sum();
    counts.tooLarge += tooLarge.sum();
    counts.noneLeft += noneLeft.sum();
  }
}
