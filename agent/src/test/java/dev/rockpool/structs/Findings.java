package dev.rockpool.structs;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** The faults that a program found; any thread may add one. */
final class Findings {
  private static final int ENOUGH = 20;

  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final AtomicLong count = new AtomicLong();

  void check(boolean holds, String message, Object... values) {
    if (!holds) {
      add(message.formatted(values));
    }
  }

  void checkEqual(long expected, long found, String message, Object... values) {
    if (expected != found) {
      add("%s: expected %x, found %x".formatted(message.formatted(values), expected, found));
    }
  }

  void add(String message) {
    if (count.incrementAndGet() <= ENOUGH) {
      wrong.add(message);
    }
  }

  boolean any() {
    return count.get() > 0;
  }

  /** Prints the first of them and ends the program, if there are any. */
  void exitIfAny() {
    if (any()) {
      wrong.forEach(System.out::println);
      System.out.println(count.get() + " findings");
      System.exit(1);
    }
  }
}
