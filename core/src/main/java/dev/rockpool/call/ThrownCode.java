package dev.rockpool.call;

import java.lang.foreign.MemorySegment;

/**
 * Throws the code as a {@link NativeCallException}.
 *
 * @param function name of the function, or an empty string
 */
record ThrownCode(Failure failure, long offset, CallState state, String function)
    implements Outcome {
  @Override
  public int ofFailure(int result, int code) {
    throw new NativeCallException(state, code, function, Integer.toString(result));
  }

  @Override
  public long ofFailure(long result, int code) {
    throw new NativeCallException(state, code, function, Long.toString(result));
  }

  @Override
  public MemorySegment ofFailure(MemorySegment result, int code) {
    String address = "0x" + Long.toHexString(result.address());
    throw new NativeCallException(state, code, function, address);
  }
}
