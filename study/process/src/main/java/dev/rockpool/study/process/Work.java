package dev.rockpool.study.process;

/**
 * The work of a program, in equal rounds. Each round opens something a few times, and closes it
 * again or, in a program that leaks, does not. What the work needs in both cases stays open to the
 * end of the process.
 */
abstract class Work {
  private final int times;
  private long leaks;
  private long leakedBytes;

  /** Opens something so many times in each round. */
  Work(int times) {
    this.times = times;
  }

  /** Does the same each time, as {@code number} counts from 0. */
  void round(int number, boolean isLeaking) throws Exception {
    for (int i = 0; i < times; i++) {
      if (isLeaking) {
        leak(number);
      } else {
        close(number);
      }
    }
  }

  /** Opens something, uses it and leaves it open. */
  abstract void leak(int number) throws Exception;

  /** Opens, uses and closes the same. */
  abstract void close(int number) throws Exception;

  /**
   * Notes that something was left open.
   *
   * @param bytes of native memory that it holds, by arithmetic; 0 if only malloc knows
   */
  final synchronized void leaked(long bytes) {
    leaks++;
    leakedBytes += bytes;
  }

  final synchronized long leaks() {
    return leaks;
  }

  final synchronized long leakedBytes() {
    return leakedBytes;
  }
}
