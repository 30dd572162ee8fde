package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The agent zeroes blocks by other code than the library: no byte that was written is left. */
class ResidueIT {
  private static final String MAIN =
      """
      static final int BLOCK = 4096;
      static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[BLOCK]);

      /** Often enough that C2 compiles it. */
      static void main() {
        for (int i = 0; i < 100; i++) { // then the thread keeps a block
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(BLOCK).fill((byte) -1);
          }
        }
        for (int round = 0; round < 40; round++) {
          for (int byteSize = 0; byteSize <= 700; byteSize++) {
            check(byteSize, 1);
            check(byteSize, 3);
          }
        }
        check(BLOCK, 1);
        System.out.println(Arena.ofConfined().getClass().getName());
      }

      static void check(int byteSize, int pieces) {
        long written;
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment first = arena.allocate(byteSize / pieces);
          written = first.address();
          first.fill((byte) -1);
          for (int piece = 1; piece < pieces; piece++) {
            arena.allocate(byteSize / pieces).fill((byte) -1);
          }
        }
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment block = arena.allocate(BLOCK);
          long residue = block.mismatch(ZEROS);
          if (block.address() != written || residue != -1) {
            throw new AssertionError(
                byteSize + " bytes in " + pieces + " pieces: residue at byte " + residue
                    + ", block at " + (block.address() - written));
          }
        }
      }
      """;

  @Test
  void noneIsLeftByArenasOfAnySize() {
    assertThat(ChildJvm.withAgent().with("-Drockpool.block.size=4096").program(MAIN).lines())
        .containsExactly(POOLED);
  }
}
