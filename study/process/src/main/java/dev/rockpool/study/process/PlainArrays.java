package dev.rockpool.study.process;

import java.util.ArrayList;
import java.util.List;

/** Java's heap only. Its leak is none of native memory, and no report may say so. */
final class PlainArrays extends Work {
  private static final int BYTES = 1 << 20;

  private final List<byte[]> kept = new ArrayList<>();

  PlainArrays() {
    super(1);
  }

  @Override
  void leak(int number) {
    kept.add(Noise.bytes(BYTES));
    leaked(0);
  }

  @Override
  void close(int number) {
    if (Noise.bytes(BYTES)[0] != 'a') {
      throw new IllegalStateException("not noise");
    }
  }
}
