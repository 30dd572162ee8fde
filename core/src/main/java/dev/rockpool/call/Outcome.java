package dev.rockpool.call;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * What becomes of the result of a call: the methods that adapted handles end in.
 *
 * <p>The code is read after a failure only. The rule that tells may be the program's own, and make
 * calls: those have state of their own.
 *
 * <p>Implemented by records, because C2 trusts their fields: in a handle that is a constant the
 * rule is one, too, and inlined.
 */
sealed interface Outcome permits NegatedCode, ThrownCode {
  Failure failure();

  /** Where in the captured state the code is. */
  long offset();

  default int ofInt(int result, MemorySegment captured) {
    return failure().isFailure(result) ? ofFailure(result, code(captured)) : result;
  }

  default long ofLong(long result, MemorySegment captured) {
    return failure().isFailure(result) ? ofFailure(result, code(captured)) : result;
  }

  default MemorySegment ofAddress(MemorySegment result, MemorySegment captured) {
    return failure().isFailure(result) ? ofFailure(result, code(captured)) : result;
  }

  private int code(MemorySegment captured) {
    return captured.get(JAVA_INT_UNALIGNED, offset());
  }

  int ofFailure(int result, int code);

  long ofFailure(long result, int code);

  MemorySegment ofFailure(MemorySegment result, int code);
}
