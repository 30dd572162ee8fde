package dev.rockpool.arena;

/**
 * Counts of closed arenas, by how they were served. Not safe for use by several threads at once.
 */
final class PoolCounts {
  long served;
  long tooLarge;
  long noneLeft;

  void add(PoolCounts other) {
    served += other.served;
    tooLarge += other.tooLarge;
    noneLeft += other.noneLeft;
  }

  void add(ThreadSlabs thread) {
    served += thread.served;
    tooLarge += thread.tooLarge;
    noneLeft += thread.noneLeft;
  }
}
