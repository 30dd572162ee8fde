package dev.rockpool.internal;

/**
 * One that holds native memory within a limit: a call site, for example, or the pool. Bytes are
 * reserved before memory is allocated, and credited after it was freed.
 */
public interface Account {
  /** The account of memory that nothing limits, and nobody counts. */
  Account NONE = new None();

  /**
   * Reserves bytes; waits if there is no room.
   *
   * @throws OutOfMemoryError if the bytes are refused
   */
  void reserve(long byteSize);

  /**
   * Reserves bytes if there is room now, for blocks of a pool: these have a share of a limit only.
   */
  boolean tryReserve(long byteSize);

  /** Gives back reserved bytes. */
  void credit(long byteSize);

  /** See {@link #NONE}. */
  final class None implements Account {
    private None() {}

    @Override
    public void reserve(long byteSize) {}

    @Override
    public boolean tryReserve(long byteSize) {
      return true;
    }

    @Override
    public void credit(long byteSize) {}
  }
}
