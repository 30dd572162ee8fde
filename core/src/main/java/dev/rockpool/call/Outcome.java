package dev.rockpool.call;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * What becomes of the result of a call: the methods that adapted handles end in.
 *
 * <p>The code is read first of all, before the rule is asked: that may be the program's own, make
 * calls, or wait. For a success it then plays no part.
 *
 * <p>Implemented by records, because C2 trusts their fields: in a handle that is a constant the
 * rule is one, too, and inlined.
 */
sealed interface Outcome permits NegatedCode, ThrownCode {
  Failure failure();

  /** Where in the captured state the code is. */
  long offset();

  default int ofInt(int result, MemorySegment captured) {
    int code = captured.get(JAVA_INT_UNALIGNED, offset());
    return failure().isFailure(result) ? ofFailure(result, code) : result;
  }

  default long ofLong(long result, MemorySegment captured) {
    int code = captured.get(JAVA_INT_UNALIGNED, offset());
    return failure().isFailure(result) ? ofFailure(result, code) : result;
  }

  default MemorySegment ofAddress(MemorySegment result, MemorySegment captured) {
    int code = captured.get(JAVA_INT_UNALIGNED, offset());
    return failure().isFailure(result) ? ofFailure(result, code) : result;
  }

  int ofFailure(int result, int code);

  long ofFailure(long result, int code);

  MemorySegment ofFailure(MemorySegment result, int code);
}
