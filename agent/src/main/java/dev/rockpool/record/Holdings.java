package dev.rockpool.record;

import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.Housekeeper;
import dev.rockpool.record.Holding.Closer;
import dev.rockpool.record.Recorder.Sums;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the confined arenas that are followed by a {@link Holding}, and looks after all holdings
 * once a second.
 *
 * <p>Chosen are the first arena that a platform thread or a carrier opens at a site, then one in so
 * many; and each arena once it has {@value #LARGE} bytes. Only those by number have lifetimes that
 * are typical: the first arena of a thread is slow, and a large one is chosen late.
 */
final class Holdings {
  static final long LARGE = 1 << 16;

  /** Selects chosen arenas by the number of those opened before. */
  private static long mask = -1;

  /** Whether confined arenas are followed at all. */
  private static boolean follows = true;

  private static boolean isStarted;

  /** In the queue once a collection has run. */
  private static volatile Canary canary = new Canary();

  private static final class Canary extends Watched {
    final long madeNanos = System.nanoTime();

    Canary() {
      super(new Object());
    }

    @Override
    void unreachable() {
      canary = new Canary();
    }
  }

  private Holdings() {}

  /**
   * Starts to look after holdings, or changes how.
   *
   * @param every follows one confined arena in so many, a power of two; 0 for none
   * @param frames of a stack at most
   */
  static void start(int every, int frames) {
    mask = every - 1L;
    follows = every != 0;
    RecordedSite.noteStacks(frames, every == 1);
    if (!isStarted) {
      isStarted = true;
      Housekeeper.add(new Round());
    }
  }

  @ForceInline
  static boolean isChosen(long openedBefore) {
    return (openedBefore & mask) == 0;
  }

  static @Nullable Closer follow(int number, boolean isFair) {
    if (!follows) {
      return null;
    }
    Closer closer = new Closer(RecordedSite.get(number), isFair || mask == 0);
    closer.holding.opened();
    return closer;
  }

  /** Whether everything is to be noted, whatever it costs. */
  static boolean followsAll() {
    return mask == 0;
  }

  private static final class Round implements BooleanSupplier {
    private Canary before = canary;
    private boolean hasCollected;
    private long madeNanos;
    private long fullBefore = GarbageCollections.now().full();
    private boolean hasCollectedAll;

    /** When the last round was, and the one before. */
    private long lastNanos = System.nanoTime();

    private long secondLastNanos = lastNanos;

    /** A collection counts in the round after: all that it has found is in the queue by then. */
    @Override
    public boolean getAsBoolean() {
      Watched.takeUnreachable();
      Sums sums = Recorder.read();
      for (RecordedSite site : RecordedSite.all()) {
        site.look(sums, hasCollected, madeNanos);
        if (hasCollectedAll) {
          site.lookAfterFull(secondLastNanos);
        }
      }
      long full = GarbageCollections.now().full();
      hasCollectedAll = full > fullBefore;
      fullBefore = full;
      secondLastNanos = lastNanos;
      lastNanos = System.nanoTime();
      Canary now = canary;
      hasCollected = !now.equals(before);
      madeNanos = before.madeNanos;
      before = now;
      BufferPools.look();
      ProcessMemory.lookAgain();
      return true;
    }
  }
}
