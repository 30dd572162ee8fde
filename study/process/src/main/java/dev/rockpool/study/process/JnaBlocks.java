package dev.rockpool.study.process;

import com.sun.jna.Memory;
import java.util.ArrayList;
import java.util.List;

/** JNA, whose blocks are malloc's. A cleaner frees unreachable ones, so the leak keeps them. */
final class JnaBlocks extends Work {
  private static final int BYTES = 100_000;
  private static final int OPENED = 12;

  private final List<Memory> kept = new ArrayList<>();

  @Override
  void round(int number, boolean isLeaking) {
    for (int i = 0; i < OPENED; i++) {
      if (isLeaking) {
        leakBlocks();
      } else {
        closeBlocks();
      }
    }
  }

  private void leakBlocks() {
    Memory memory = new Memory(BYTES);
    memory.clear();
    kept.add(memory);
    leaked(BYTES);
  }

  private void closeBlocks() {
    try (Memory memory = new Memory(BYTES)) {
      memory.clear();
    }
  }
}
