package dev.rockpool.malloc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.malloc.Origin.Category;
import org.junit.jupiter.api.Test;

/** What is live after allocations and frees, in whatever order they were noted. */
class LiveMallocsTest {
  private static final Origin STORE = new Origin(Category.C, "com.acme.Store.a:1", "libz.so", "");
  private static final Origin LOAD = new Origin(Category.C, "com.acme.Load.b:2", "libz.so", "");
  private static final long BLOCK = 0x7000;
  private static final long MS = 1_000_000;

  private final LiveMallocs mallocs = new LiveMallocs(_ -> false);

  private void assertLive(long bytes, long count, Origin origin) {
    assertThat(mallocs.lines()).containsExactly(new Origin.Sum(origin, bytes, count));
  }

  @Test
  void aFreeEndsTheBlockAtItsAddressAndNoLaterOne() {
    mallocs.malloc(30, 1, BLOCK, 100, LOAD);
    mallocs.malloc(10, 1, BLOCK, 100, STORE);
    mallocs.malloc(15, 1, BLOCK + 1, 70, STORE);
    mallocs.free(20, 1, BLOCK);
    mallocs.free(20, 1, BLOCK + 1);
    mallocs.fold();

    assertLive(100, 1, LOAD);
  }

  @Test
  void aFreeInALaterRecordingEndsTheBlock() {
    mallocs.malloc(10, 1, BLOCK, 100, STORE);
    mallocs.fold();
    assertLive(100, 1, STORE);

    mallocs.free(20, 2, BLOCK);
    mallocs.fold();

    assertThat(mallocs.lines()).isEmpty();
  }

  @Test
  void aSampleStandsForTheIntervalOrForMore() {
    mallocs.sampleEach(65536);
    mallocs.malloc(10, 1, BLOCK, 100, STORE);
    mallocs.malloc(11, 1, BLOCK + 1, 100_000, STORE);
    mallocs.fold();

    assertLive(165_536, 2, STORE);
  }

  @Test
  void aFreeOfMemoryThatWasNotSampledChangesNothing() {
    mallocs.malloc(10, 1, BLOCK, 100, STORE);
    mallocs.free(11, 1, BLOCK + 1);
    mallocs.fold();

    assertLive(100, 1, STORE);
  }

  /** Thread 2 gets the address before thread 1 has noted that it freed it. */
  @Test
  void aFreeThatIsNotedLateDoesNotEndTheNextBlockAtTheAddress() {
    mallocs.malloc(10, 1, BLOCK, 100, STORE);
    mallocs.malloc(20, 2, BLOCK, 50, LOAD);
    mallocs.free(21, 1, BLOCK);
    mallocs.fold();

    assertLive(50, 1, LOAD);

    mallocs.free(22, 1, BLOCK);
    mallocs.fold();

    assertThat(mallocs.lines()).isEmpty();
  }

  @Test
  void aFreeByTheNewOwnerOrMuchLaterIsTheNewBlocks() {
    mallocs.malloc(10, 1, BLOCK, 100, STORE);
    mallocs.malloc(20, 2, BLOCK, 50, LOAD);
    mallocs.malloc(10, 1, BLOCK + 1, 100, STORE);
    mallocs.malloc(20, 2, BLOCK + 1, 50, LOAD);
    mallocs.free(21, 2, BLOCK);
    mallocs.free(20 + MS, 1, BLOCK + 1);
    mallocs.fold();

    assertThat(mallocs.lines()).isEmpty();
  }

  /** Either both blocks were freed, or the first one before the second was there. */
  @Test
  void aFreeByAnotherThreadIsTheNewBlocksIfTheOldOneHasAFree() {
    mallocs.malloc(10, 1, BLOCK, 100, STORE);
    mallocs.malloc(20, 2, BLOCK, 50, LOAD);
    mallocs.free(21, 1, BLOCK);
    mallocs.free(22, 3, BLOCK);
    mallocs.malloc(20, 2, BLOCK + 1, 50, LOAD);
    mallocs.malloc(10, 1, BLOCK + 1, 100, STORE);
    mallocs.free(15, 1, BLOCK + 1);
    mallocs.free(21, 1, BLOCK + 1);
    mallocs.fold();

    assertThat(mallocs.lines()).isEmpty();
  }

  /** The free of the first block was lost. */
  @Test
  void anAddressIsLiveOnce() {
    mallocs.malloc(10, 1, BLOCK, 100, STORE);
    mallocs.malloc(20, 1, BLOCK, 50, LOAD);
    mallocs.fold();

    assertLive(50, 1, LOAD);
  }

  @Test
  void linesComeWithMostBytesFirstAndTheStackThatHasMost() {
    mallocs.malloc(10, 1, 1, 10, LOAD);
    mallocs.malloc(11, 1, 2, 20, new Origin(Category.C, STORE.line(), STORE.library(), "x"));
    Origin most = new Origin(Category.C, STORE.line(), STORE.library(), "y");
    mallocs.malloc(12, 1, 3, 30, most);
    mallocs.fold();

    assertThat(mallocs.lines())
        .containsExactly(new Origin.Sum(most, 50, 2), new Origin.Sum(LOAD, 10, 1));
  }
}
