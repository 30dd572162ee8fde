package dev.rockpool.bench.soak;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * An owner of memory. The mark that stands for it in memory has no zero byte, so that each byte of
 * it that is left behind shows.
 *
 * @param kind the kind of thread
 * @param thread numbers threads, modulo 2^26
 * @param arena numbers the arenas of a thread, modulo 2^28
 */
record Owner(Kind kind, int thread, int arena) {
  enum Kind {
    LONG_LIVED_THREAD(0),
    SHORT_LIVED_THREAD(1),
    VIRTUAL_THREAD(2),
    THREAD_WITH_OWN_POOL(3);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    private static Kind of(int code) {
      return Arrays.stream(values()).filter(kind -> kind.code == code).findFirst().orElseThrow();
    }
  }

  private static final int ARENA_BITS = 28;
  private static final int THREAD_BITS = 26;

  /** In each byte of a mark seven bits tell something, and one is set. */
  private static final long TOLD = 0x7f7f_7f7f_7f7f_7f7fL;

  private static final long SET = ~TOLD;

  Owner {
    thread &= (1 << THREAD_BITS) - 1;
    arena &= (1 << ARENA_BITS) - 1;
  }

  /** The mark that this owner writes into its memory. */
  long mark() {
    long told = ((long) kind.code << THREAD_BITS | thread) << ARENA_BITS | arena;
    return Long.expand(told, TOLD) | SET;
  }

  /** The owner of a mark, if it is one. */
  static Optional<Owner> ofMark(long word) {
    if ((word & SET) != SET) {
      return Optional.empty();
    }
    long told = Long.compress(word, TOLD);
    Kind kind = Kind.of((int) (told >>> (THREAD_BITS + ARENA_BITS)));
    return Optional.of(new Owner(kind, (int) (told >>> ARENA_BITS), (int) told));
  }

  @Override
  public String toString() {
    return "arena "
        + arena
        + " of "
        + kind.name().toLowerCase(Locale.ROOT).replace('_', ' ')
        + " "
        + thread;
  }
}
