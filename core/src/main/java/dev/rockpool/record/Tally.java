package dev.rockpool.record;

import dev.rockpool.internal.ForceInline;

/**
 * Counts the arenas of one shape. Written by one thread, or under a lock; read by others at will,
 * who may find one figure a few arenas behind another. No figure ever goes down.
 */
public final class Tally {
  private final long shape;
  private long arenas;
  private long allocations;
  private long bytes;
  private long most;

  Tally(long shape) {
    this.shape = shape;
  }

  /** A copy of what {@code other} has counted so far, or of another shape. */
  Tally(long shape, Tally other) {
    this(shape);
    add(other);
  }

  @ForceInline
  void add(long allocationsOfArena, long bytesOfArena) {
    arenas++;
    allocations += allocationsOfArena;
    bytes += bytesOfArena;
    if (bytesOfArena > most) {
      most = bytesOfArena;
    }
  }

  void add(Tally other) {
    arenas += other.arenas;
    allocations += other.allocations;
    bytes += other.bytes;
    most = Math.max(most, other.most);
  }

  /** What was counted since {@code before}, an earlier copy. */
  Tally since(Tally before) {
    Tally since = new Tally(shape);
    since.arenas = arenas - before.arenas;
    since.allocations = allocations - before.allocations;
    since.bytes = bytes - before.bytes;
    since.most = most;
    return since;
  }

  boolean isEmpty() {
    return (arenas | allocations | bytes) == 0;
  }

  /** See {@link Shape}. */
  @ForceInline
  public long shape() {
    return shape;
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

  /** Most bytes in one arena. */
  public long most() {
    return most;
  }
}
