package dev.rockpool.bench.soak;

import java.util.Optional;

/**
 * An owner of memory. The mark that stands for it in memory has no zero byte, so each byte of it
 * that is left behind shows.
 *
 * @param thread numbers threads, modulo 2^28
 * @param arena numbers the arenas of a thread, modulo 2^28
 */
record Owner(int thread, int arena) {
  private static final int BITS = 28;

  /** In each byte of a mark seven bits are part of a number, and one is set. */
  private static final long NUMBERS = 0x7f7f_7f7f_7f7f_7f7fL;

  private static final long SET = ~NUMBERS;

  Owner {
    thread &= (1 << BITS) - 1;
    arena &= (1 << BITS) - 1;
  }

  long mark() {
    return Long.expand((long) thread << BITS | arena, NUMBERS) | SET;
  }

  /** The owner of a mark, if it is one. */
  static Optional<Owner> ofMark(long word) {
    long numbers = Long.compress(word, NUMBERS);
    return (word & SET) == SET
        ? Optional.of(new Owner((int) (numbers >>> BITS), (int) numbers))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return "arena " + arena + " of thread " + thread;
  }
}
