package dev.rockpool.study.process;

import java.util.ArrayList;
import java.util.List;

/** Java's heap only. Its leak is none of native memory, and no report may say so. */
final class PlainArrays extends Work {
  private static final int BYTES = 1 << 20;

  private final List<byte[]> kept = new ArrayList<>();

  @Override
  void round(int number, boolean isLeaking) {
    if (isLeaking) {
      leakArrays();
    } else {
      dropArrays();
    }
  }

  private void leakArrays() {
    kept.add(Noise.bytes(BYTES));
    leaked(0);
  }

  private static void dropArrays() {
    if (Noise.bytes(BYTES)[0] != 'a') {
      throw new IllegalStateException("not noise");
    }
  }
}
