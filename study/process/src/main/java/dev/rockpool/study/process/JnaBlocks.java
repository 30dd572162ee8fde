package dev.rockpool.study.process;

import com.sun.jna.Memory;
import java.util.ArrayList;
import java.util.List;

/** JNA, whose blocks are malloc's. A cleaner frees unreachable ones, so the leak keeps them. */
final class JnaBlocks extends Work {
  private static final int BYTES = 100_000;

  private final List<Memory> kept = new ArrayList<>();

  JnaBlocks() {
    super(12);
  }

  @Override
  void leak(int number) {
    Memory memory = new Memory(BYTES);
    memory.clear();
    kept.add(memory);
    leaked(BYTES);
  }

  @Override
  void close(int number) {
    try (Memory memory = new Memory(BYTES)) {
      memory.clear();
    }
  }
}
