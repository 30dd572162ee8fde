package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.internal.NativeMemory;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A block is kept in one place, and whoever takes it leaves nothing. */
class KeptBlocksTest {
  private static final int SIZE = 128;
  private static final int LARGE = BlockPool.LARGE_BYTE_SIZE;

  private static long block() {
    return NativeMemory.allocateZeroed(SIZE);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8, 64})
  void threadKeepsUpToItsLimitAndFreesTheRest(int most) {
    ThreadBlocks blocks = new ThreadBlocks(Thread.currentThread(), most);
    for (int round = 0; round < 3; round++) {
      assertThat(blocks.lacks(false)).isTrue();
      Set<Long> kept = new HashSet<>();
      for (int i = 0; i < most + 3; i++) {
        long block = block();
        if (i < most) {
          kept.add(block);
        }
        blocks.keep(block);
        assertThat(blocks.byteSize(SIZE)).isEqualTo((long) SIZE * Math.min(i + 1, most));
      }
      blocks.checkInvariants(SIZE);
      for (int i = 0; i < most; i++) {
        long taken = blocks.take();
        assertThat(kept.remove(taken)).as("kept, and not taken before").isTrue();
        NativeMemory.free(taken);
      }
      assertThat(blocks.take()).isZero();
      assertThat(blocks.byteSize(SIZE)).isZero();
    }
  }

  @Test
  void largeBlocksAreKeptApart() {
    ThreadBlocks blocks = new ThreadBlocks(Thread.currentThread(), 4);
    for (int i = 0; i < 5; i++) {
      blocks.keep(NativeMemory.allocateZeroed(LARGE), true);
    }
    assertThat(blocks.take()).isZero();
    assertThat(blocks.lacks(true)).as("more were freed than made").isTrue();
    assertThat(blocks.byteSize(SIZE)).isEqualTo(2 * LARGE);
    long large = blocks.take(true);
    assertThat(blocks.take(true)).isNotZero().isNotEqualTo(large);
    assertThat(blocks.take(true)).isZero();
    blocks.keep(large, true);
    blocks.keep(block());
    blocks.freeAll();
    assertThat(blocks.byteSize(SIZE)).isZero();
    assertThat(blocks.isOfEndedThread()).isTrue();
  }

  @Test
  void endedThreadIsSeenToHaveEnded() throws Exception {
    ThreadBlocks blocks =
        ThreadKind.PLATFORM.call(
            () -> {
              ThreadBlocks own = new ThreadBlocks(Thread.currentThread(), 2);
              assertThat(own.isOfEndedThread()).isFalse();
              return own;
            });
    assertThat(blocks.isOfEndedThread()).isTrue();
  }

  @Test
  void stripeKeepsOneBlock() throws Throwable {
    StripedBlocks striped = new StripedBlocks();
    long first = block();
    assertThat(striped.take()).isZero();
    assertThat(striped.hasNone()).isTrue();
    striped.keep(first);
    assertThat(striped.hasNone()).isFalse();
    striped.keep(block()); // is freed
    assertThat(striped.take()).isEqualTo(first);
    assertThat(striped.take()).isZero();
    striped.keep(first);
    // Threads one after another have other stripes, each of which is used after some of them.
    for (int i = 0; i < 2000; i++) {
      ThreadKind.VIRTUAL.run(() -> striped.keep(block()));
    }
    assertThat(striped.count()).isBetween(16, 1024);
    striped.freeAll();
    assertThat(striped.count()).isZero();
  }
}
