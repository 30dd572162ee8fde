package dev.rockpool.call;

import java.lang.foreign.MemorySegment;

/** Returns the negated code, or the result if negating the code gives no negative number. */
record NegatedCode(Failure failure, long offset) implements Outcome {
  @Override
  public int ofFailure(int result, int code) {
    return code > 0 ? -code : result;
  }

  @Override
  public long ofFailure(long result, int code) {
    return code != 0 ? -Integer.toUnsignedLong(code) : result;
  }

  @Override
  public MemorySegment ofFailure(MemorySegment result, int code) {
    return code != 0 ? MemorySegment.ofAddress(-Integer.toUnsignedLong(code)) : result;
  }
}
