package dev.rockpool.internal;

/**
 * A named account: the bytes within a limit that one call site, the pool, or one {@code
 * DirectMemory} holds. Bytes are charged before memory is allocated, and refunded after it was
 * freed.
 */
public interface Account {
  /** The account of memory that nothing limits, and nobody counts. */
  Account NONE = new None();

  /** The account of memory that nothing limits, but sites count. */
  Account UNLIMITED = new None();

  /**
   * Charges bytes; waits if there is no room.
   *
   * @throws OutOfMemoryError if the bytes are refused
   */
  void charge(long byteSize);

  /** Charges bytes if there is room now. */
  boolean tryCharge(long byteSize);

  /** Gives back charged bytes. Where the stack ends, either all of them, or none. */
  default void refund(long byteSize) {
    refund(byteSize, false);
  }

  /** As above, perhaps of memory that the collector has found to be unreachable. */
  void refund(long byteSize, boolean isFound);

  /** See {@link #NONE} and {@link #UNLIMITED}. */
  final class None implements Account {
    private None() {}

    @Override
    public void charge(long byteSize) {}

    @Override
    public boolean tryCharge(long byteSize) {
      return true;
    }

    @Override
    public void refund(long byteSize, boolean isFound) {}
  }
}
