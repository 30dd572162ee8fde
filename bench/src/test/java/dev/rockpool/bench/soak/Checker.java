package dev.rockpool.bench.soak;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Knows who uses which memory. What it knows it forgets when memory is given back, so it grows with
 * the arenas that are open, not with those there ever were.
 */
final class Checker {
  /** Memory in use, from {@code start} to before {@code end}. */
  record Block(MemorySegment memory, long start, long end, Owner owner) {
    @Override
    public String toString() {
      return "0x%x to 0x%x of %s".formatted(start, end, owner);
    }
  }

  private final ConcurrentSkipListMap<Long, Block> inUse = new ConcurrentSkipListMap<>();

  /**
   * Memory was handed out: nobody else may have any of it, and each byte must be zero. Marks it.
   *
   * @throws Violation if that is not so
   */
  Block take(MemorySegment memory, Owner owner) {
    Block block = claim(memory, owner);
    Marks.checkZero(memory, owner);
    Marks.write(memory, owner.mark());
    return block;
  }

  /** As above, for memory that was filled while it was handed out; the caller has looked at it. */
  Block takeFilled(MemorySegment memory, Owner owner) {
    Block block = claim(memory, owner);
    Marks.write(memory, owner.mark());
    return block;
  }

  private Block claim(MemorySegment memory, Owner owner) {
    long start = memory.address();
    Block block = new Block(memory, start, start + Math.max(1, memory.byteSize()), owner);
    checkApart(block, inUse.putIfAbsent(start, block));
    // Who comes second finds who came first; both look after they are seen themselves.
    checkApart(block, valueOf(inUse.lowerEntry(start)));
    checkApart(block, valueOf(inUse.higherEntry(start)));
    return block;
  }

  private static Block valueOf(Map.Entry<Long, Block> entry) {
    return entry == null ? null : entry.getValue();
  }

  private static void checkApart(Block block, Block other) {
    if (other != null && other.start < block.end && block.start < other.end) {
      throw new Violation("Memory has two owners: " + block + ", and " + other);
    }
  }

  /**
   * Memory is about to be given back: each byte must be as its owner left it.
   *
   * @throws Violation if that is not so
   */
  void giveBack(Block block) {
    Marks.checkUntouched(block.memory(), block.owner());
    inUse.remove(block.start(), block);
  }

  /** The number of pieces of memory in use. */
  int size() {
    return inUse.size();
  }
}
