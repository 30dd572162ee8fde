package dev.rockpool.record;

import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.LongTable;

/**
 * Counts the arenas of one shape. Written by one thread, or under a lock. Other threads read
 * without synchronization, and may see one figure a few arenas behind another. No figure decreases.
 *
 * <p>Most arenas have one small allocation, which takes a single addition. The shape holds the
 * exact total, so totals need not be summed.
 */
final class Tally extends LongTable.Entry<Tally> {
  private final long shape;

  /** Arenas with one allocation. */
  private long single;

  /** Arenas with none or several allocations. */
  private long others;

  private long allocationsOfOthers;

  /** Sum of the totals that have no bucket to themselves, and below the largest one. */
  private long sum;

  private long most;

  Tally(long shape) {
    this.shape = shape;
  }

  Tally(Tally other) {
    this(other.shape);
    add(other);
  }

  @ForceInline
  void add(long allocationsOfArena, long bytesOfArena) {
    if (allocationsOfArena == 1) {
      single++;
    } else {
      others++;
      allocationsOfOthers += allocationsOfArena;
    }
    if (!Shape.isExact(bytesOfArena)) {
      sum += bytesOfArena;
      if (bytesOfArena > most) {
        most = bytesOfArena;
      }
    }
  }

  void add(Tally other) {
    single += other.single;
    others += other.others;
    allocationsOfOthers += other.allocationsOfOthers;
    sum += other.sum;
    most = Math.max(most, other.most);
  }

  /** Returns the counts since {@code before}, an earlier copy. */
  Tally since(Tally before) {
    Tally since = new Tally(shape);
    since.single = single - before.single;
    since.others = others - before.others;
    since.allocationsOfOthers = allocationsOfOthers - before.allocationsOfOthers;
    since.sum = sum - before.sum;
    since.most = most;
    return since;
  }

  boolean isEmpty() {
    return (single | others | allocationsOfOthers | sum) == 0;
  }

  @Override
  protected long key() {
    return shape;
  }

  @ForceInline
  long shape() {
    return shape;
  }

  long arenas() {
    return single + others;
  }

  long allocations() {
    return single + allocationsOfOthers;
  }

  long bytes() {
    long lower = total();
    return Shape.isExact(lower) ? lower * arenas() : sum;
  }

  /** The most bytes in one arena. */
  long most() {
    return Math.max(most, total());
  }

  private long total() {
    return Shape.lower(Shape.total(shape));
  }
}
