package dev.rockpool.study.process;

import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * What a program does, in equal rounds. With a leak, each round leaves some of what it opens
 * unclosed, in its one method whose name starts with "leak", which itself opens it; without, the
 * same is closed within the round. What the work needs in both cases stays open to the end of the
 * process.
 */
abstract class Work {
  private long leaks;
  private long leakedBytes;

  /** Does the same each time, as {@code number} counts from 0. */
  abstract void round(int number, boolean isLeaking) throws Exception;

  /**
   * Notes that something was left unclosed.
   *
   * @param bytes of native memory that it holds, by arithmetic; 0 if only malloc knows
   */
  final synchronized void leaked(long bytes) {
    leaks++;
    leakedBytes += bytes;
  }

  /** Returns the name of the one method that leaks. */
  final String leakMethod() {
    return Arrays.stream(getClass().getDeclaredMethods())
        .map(Method::getName)
        .filter(name -> name.startsWith("leak"))
        .findFirst()
        .orElseThrow();
  }

  final synchronized long leaks() {
    return leaks;
  }

  final synchronized long leakedBytes() {
    return leakedBytes;
  }
}
