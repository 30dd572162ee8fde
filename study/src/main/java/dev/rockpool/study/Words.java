package dev.rockpool.study;

import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Text as it might be, the same in each run: words, a few of them often and most of them seldom.
 */
final class Words {
  private static final int DIFFERENT = 50_000;

  private final Random random = new Random(31365);

  /** So many words. */
  String text(int words) {
    return Stream.generate(this::word).limit(words).collect(Collectors.joining(" "));
  }

  /** Letters of a number, small ones more often. */
  String word() {
    double luck = random.nextDouble();
    return Integer.toString((int) (DIFFERENT * luck * luck * luck), Character.MAX_RADIX);
  }
}
