package dev.rockpool.bench.soak;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/** Fills memory with a mark, a word after the other, and finds what is something else. */
final class Marks {
  private Marks() {}

  static void write(MemorySegment memory, long mark) {
    long offset = 0;
    for (; offset <= memory.byteSize() - Long.BYTES; offset += Long.BYTES) {
      memory.set(JAVA_LONG_UNALIGNED, offset, mark);
    }
    for (; offset < memory.byteSize(); offset++) {
      memory.set(JAVA_BYTE, offset, byteOf(mark, offset));
    }
  }

  private static byte byteOf(long mark, long offset) {
    long index = offset % Long.BYTES;
    return (byte) (mark >>> (Byte.SIZE * index));
  }

  static void checkZero(MemorySegment memory, Owner owner) {
    long other = findOther(memory, 0);
    if (other >= 0) {
      throw new Violation(
          "Memory must be zero when it is handed out: "
              + describe(memory, other)
              + ", handed to "
              + owner);
    }
  }

  static void checkUntouched(MemorySegment memory, Owner owner) {
    long other = findOther(memory, owner.mark());
    if (other >= 0) {
      throw new Violation(
          "Memory in use must stay as it is: " + describe(memory, other) + ", in use by " + owner);
    }
  }

  /** The offset of the first word, or byte at the end, that is not {@code mark}; -1 if none. */
  private static long findOther(MemorySegment memory, long mark) {
    long offset = 0;
    for (; offset <= memory.byteSize() - Long.BYTES; offset += Long.BYTES) {
      if (memory.get(JAVA_LONG_UNALIGNED, offset) != mark) {
        return offset;
      }
    }
    for (; offset < memory.byteSize(); offset++) {
      if (memory.get(JAVA_BYTE, offset) != byteOf(mark, offset)) {
        return offset;
      }
    }
    return -1;
  }

  private static String describe(MemorySegment memory, long offset) {
    String where = "byte %d of %d at 0x%x".formatted(offset, memory.byteSize(), memory.address());
    if (offset > memory.byteSize() - Long.BYTES) {
      return where + " is 0x%02x".formatted(memory.get(JAVA_BYTE, offset));
    }
    long word = memory.get(JAVA_LONG_UNALIGNED, offset);
    String whose = Owner.ofMark(word).map(left -> ", the mark of " + left).orElse("");
    return where + " begins 0x%016x".formatted(word) + whose;
  }
}
