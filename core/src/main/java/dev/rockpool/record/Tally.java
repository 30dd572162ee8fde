package dev.rockpool.record;

import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.LongTable;

/**
 * Counts the arenas of one shape. Written by one thread, or under a lock; read by others at will,
 * who may find one figure a few arenas behind another. No figure ever goes down.
 *
 * <p>An arena with one small allocation, as most are, takes one addition: where the shape has the
 * exact total there is no need to add it up.
 */
public final class Tally extends LongTable.Entry<Tally> {
  private final long shape;

  /** Arenas with one allocation. */
  private long single;

  /** Arenas with none or several, and these. */
  private long others;

  private long allocationsOfOthers;

  /** Both for totals that have no bucket of their own. */
  private long sum;

  private long most;

  Tally(long shape) {
    this.shape = shape;
  }

  /** A copy of what {@code other} has counted so far. */
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

  /** What was counted since {@code before}, an earlier copy. */
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

  /** See {@link Shape}. */
  @ForceInline
  public long shape() {
    return shape;
  }

  public long arenas() {
    return single + others;
  }

  public long allocations() {
    return single + allocationsOfOthers;
  }

  public long bytes() {
    long lower = total();
    return Shape.isExact(lower) ? lower * arenas() : sum;
  }

  /** Most bytes in one arena. */
  public long most() {
    return Math.max(most, total());
  }

  private long total() {
    return Shape.lower(Shape.total(shape));
  }
}
