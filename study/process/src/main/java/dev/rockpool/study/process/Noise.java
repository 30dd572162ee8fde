package dev.rockpool.study.process;

import java.util.Random;

/** Content that is the same in each run, and that a compressor makes about a third smaller. */
final class Noise {
  private Noise() {}

  static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(1).nextBytes(bytes);
    for (int i = 0; i < length; i += 3) {
      bytes[i] = 'a';
    }
    return bytes;
  }
}
