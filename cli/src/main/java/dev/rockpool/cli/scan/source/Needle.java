package dev.rockpool.cli.scan.source;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Finds a word of ASCII in bytes, looking at few of them (Horspool's algorithm). */
final class Needle {
  private final byte[] word;

  /** By the byte under the end of the word: how far the word can move on if it is not here. */
  private final int[] skips = new int[256];

  Needle(String word) {
    this.word = word.getBytes(StandardCharsets.US_ASCII);
    Arrays.fill(skips, this.word.length);
    for (int i = 0; i < this.word.length - 1; i++) {
      skips[this.word[i]] = this.word.length - 1 - i;
    }
  }

  /** Whether it is in the first {@code length} bytes. */
  boolean isIn(byte[] bytes, int length) {
    int last = word.length - 1;
    for (int end = last; end < length; end += skips[bytes[end] & 0xFF]) {
      int i = last;
      int at = end;
      while (bytes[at] == word[i]) {
        if (i == 0) {
          return true;
        }
        i--;
        at--;
      }
    }
    return false;
  }
}
