package dev.rockpool.arena;

/** Arenas closed, by how they were served. Not for use by several threads at once. */
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
