package dev.rockpool.call;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * The last step of an adapted handle: turns the result of a call into the handle's result.
 *
 * <p>The code is read only after a failure. The rule may be the program's own and make native
 * calls; those have their own capture segments.
 *
 * <p>The implementations are records, because C2 trusts the final fields of records. So in a
 * constant handle the rule is a constant, too, and inlined.
 */
sealed interface Outcome permits NegatedCode, ThrownCode {
  Failure failure();

  /** Offset of the code in the capture segment, in bytes. */
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
