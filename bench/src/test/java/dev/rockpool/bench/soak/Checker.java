package dev.rockpool.bench.soak;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Knows who uses which memory, and fills it with the owner's mark. It forgets memory that is given
 * back, so it grows with the arenas that are open, not with those there ever were. Each broken
 * promise is an {@link AssertionError}.
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

  /** Memory was handed out: nobody else may have any of it, and each byte must be zero. */
  Block take(MemorySegment memory, Owner owner) {
    requireZero(memory, owner);
    return takeFilled(memory, owner);
  }

  static void requireZero(MemorySegment memory, Owner owner) {
    requireOnly(0, memory, "Memory must be zero when it is handed out: %s, handed to " + owner);
  }

  /** Memory that was filled while it was handed out, and whose bytes the caller has looked at. */
  Block takeFilled(MemorySegment memory, Owner owner) {
    long start = memory.address();
    Block block = new Block(memory, start, start + Math.max(1, memory.byteSize()), owner);
    requireApart(block, inUse.putIfAbsent(start, block));
    // Who comes second finds who came first; both look after they are seen themselves.
    requireApart(block, valueOf(inUse.lowerEntry(start)));
    requireApart(block, valueOf(inUse.higherEntry(start)));
    mark(memory, owner);
    return block;
  }

  private static Block valueOf(Map.Entry<Long, Block> entry) {
    return entry == null ? null : entry.getValue();
  }

  private static void requireApart(Block block, Block other) {
    if (other != null && other.start < block.end && block.start < other.end) {
      throw new AssertionError("Memory has two owners: " + block + ", and " + other);
    }
  }

  static void mark(MemorySegment memory, Owner owner) {
    long offset = 0;
    for (; offset <= memory.byteSize() - Long.BYTES; offset += Long.BYTES) {
      memory.set(JAVA_LONG_UNALIGNED, offset, owner.mark());
    }
    for (; offset < memory.byteSize(); offset++) {
      memory.set(JAVA_BYTE, offset, byteOf(owner.mark(), offset));
    }
  }

  private static byte byteOf(long word, long offset) {
    return (byte) (word >>> (Byte.SIZE * (offset % Long.BYTES)));
  }

  /** Memory is about to be given back: each byte must be as its owner left it. */
  void giveBack(Block block) {
    requireMarked(block.memory, block.owner);
    inUse.remove(block.start, block);
  }

  static void requireMarked(MemorySegment memory, Owner owner) {
    requireOnly(owner.mark(), memory, "Memory in use must stay as it is: %s, in use by " + owner);
  }

  private static void requireOnly(long word, MemorySegment memory, String rule) {
    long offset = 0;
    for (; offset <= memory.byteSize() - Long.BYTES; offset += Long.BYTES) {
      long found = memory.get(JAVA_LONG_UNALIGNED, offset);
      if (found != word) {
        String whose = Owner.ofMark(found).map(left -> ", the mark of " + left).orElse("");
        throw other(rule, memory, offset, "begins 0x%016x".formatted(found) + whose);
      }
    }
    for (; offset < memory.byteSize(); offset++) {
      byte found = memory.get(JAVA_BYTE, offset);
      if (found != byteOf(word, offset)) {
        throw other(rule, memory, offset, "is 0x%02x".formatted(found));
      }
    }
  }

  private static AssertionError other(String rule, MemorySegment memory, long offset, String is) {
    return new AssertionError(
        rule.formatted(
            "byte %d of %d at 0x%x %s".formatted(offset, memory.byteSize(), memory.address(), is)));
  }

  /** The number of pieces of memory in use. */
  int size() {
    return inUse.size();
  }
}
