package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slabs and their bits: acquired and released once, whatever the caller tries. */
class ThreadSlabsTest {
  private static final int SLAB = 64;
  private static final int[] NO_INDEX = {
    -1, -2, -63, -64, -65, 64, 65, 127, 128, Integer.MIN_VALUE, Integer.MAX_VALUE
  };

  private static ThreadSlabs slabs(int count) {
    return ThreadSlabs.allocate(Thread.currentThread(), SLAB, count);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 63, 64})
  void eachSlabIsAcquiredOnceUntilItIsReleased(int count) {
    ThreadSlabs slabs = slabs(count);
    Set<Integer> acquired = new HashSet<>();
    for (int i = 0; i < count; i++) {
      assertThat(slabs.hasFree()).isTrue();
      assertThat(acquired.add(slabs.acquire())).isTrue();
      assertThat(slabs.owned()).isEqualTo(i + 1);
    }
    assertThat(acquired).allMatch(index -> index >= 0 && index < count);
    assertThat(slabs.hasFree()).isFalse();
    assertThat(slabs.acquire()).as("one more").isEqualTo(-1);

    for (int index : acquired) {
      slabs.release(index);
      assertThat(slabs.acquire()).as("the only free one").isEqualTo(index);
    }
    acquired.forEach(slabs::release);
    assertThat(slabs.owned()).isZero();
    assertThat(slabs.freeIfUnowned()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 64})
  void slabsLieOneBehindAnotherOnCacheLines(int count) {
    ThreadSlabs slabs = slabs(count);
    assertThat(slabs.address(0) % 64).isZero();
    for (int i = 0; i < count; i++) {
      assertThat(slabs.address(i)).isEqualTo(slabs.address(0) + (long) i * SLAB);
    }
    slabs.checkInvariants();
    assertThat(slabs.freeIfUnowned()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 64})
  void releaseWithoutAcquireThrows(int count) {
    ThreadSlabs slabs = slabs(count);
    for (int index = 0; index < count; index++) {
      assertRefused(slabs, index, count, "0");
    }
    assertThat(slabs.freeIfUnowned()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 64})
  void releaseTwiceThrows(int count) {
    ThreadSlabs slabs = slabs(count);
    int index = slabs.acquire();
    slabs.release(index);
    assertRefused(slabs, index, count, "0");
    assertThat(slabs.freeIfUnowned()).isTrue();
  }

  @Test
  void releaseTwiceBesideOthersThrows() {
    ThreadSlabs slabs = slabs(7);
    int first = slabs.acquire();
    int second = slabs.acquire();
    int third = slabs.acquire();
    slabs.release(second);
    assertRefused(slabs, second, 7, "101");
    slabs.release(first);
    slabs.release(third);
    assertThat(slabs.freeIfUnowned()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 64})
  void releaseOfAnIndexThatIsNoneThrows(int count) {
    ThreadSlabs slabs = slabs(count);
    // With no slab owned, with one, with two and so on: a mask too short must not hit any.
    for (int owned = 0; owned <= count; owned++) {
      for (int index : NO_INDEX) {
        assertRefused(slabs, index, count, owned == 0 ? "0" : "1".repeat(owned));
      }
      if (count < Long.SIZE) {
        assertRefused(slabs, count, count, owned == 0 ? "0" : "1".repeat(owned));
      }
      slabs.acquire();
    }
  }

  @Test
  void releaseOfAnIndexThatIsNoneThrowsAlthoughTheBitOfTheLastIsSet() {
    ThreadSlabs slabs = slabs(64);
    for (int i = 0; i < 64; i++) {
      slabs.acquire();
    }
    for (int i = 0; i < 63; i++) {
      slabs.release(i);
    }
    for (int index : NO_INDEX) {
      assertRefused(slabs, index, 64, "1" + "0".repeat(63));
    }
    slabs.release(63);
    assertThat(slabs.owned()).isZero();
  }

  /** Fails unless release throws, says all there is to say, and changes nothing. */
  private static void assertRefused(ThreadSlabs slabs, int index, int count, String owned) {
    int ownedBefore = slabs.owned();
    assertThatThrownBy(() -> slabs.release(index))
        .as("release(%s) while owned=%s", index, owned)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "A slab is released once, by the arena that acquired it: slab=%s, slabs=%s, owned=%s",
            index, count, owned);
    assertThat(slabs.owned()).as("owned after release(%s)", index).isEqualTo(ownedBefore);
    slabs.checkInvariants();
  }

  @Test
  void memoryIsFreedOnlyWhenNoSlabIsOwned() {
    ThreadSlabs slabs = slabs(7);
    int first = slabs.acquire();
    int second = slabs.acquire();
    assertThat(slabs.freeIfUnowned()).isFalse();
    slabs.release(first);
    assertThat(slabs.freeIfUnowned()).isFalse();
    slabs.release(second);
    assertThat(slabs.freeIfUnowned()).isTrue();
  }

  @Test
  void slabsOfAnEndedThreadAreOrphaned() throws Exception {
    assertThat(slabs(1).isOrphaned()).isFalse();
    ThreadSlabs theirs =
        ThreadKind.PLATFORM.call(
            () -> {
              ThreadSlabs slabs = slabs(1);
              assertThat(slabs.isOrphaned()).isFalse();
              return slabs;
            });
    assertThat(theirs.isOrphaned()).isTrue();
  }

  @Test
  void heirGetsTheSameMemoryAndWhatIsOwnedStaysOwned() throws Exception {
    ThreadSlabs theirs =
        ThreadKind.PLATFORM.call(
            () -> {
              ThreadSlabs slabs = slabs(3);
              List.of(slabs.acquire(), slabs.acquire(), slabs.acquire());
              slabs.release(1);
              return slabs;
            });
    ThreadSlabs heir = theirs.passTo(Thread.currentThread());
    assertThat(heir.threadId).isEqualTo(Thread.currentThread().threadId());
    assertThat(heir.isOrphaned()).isFalse();
    assertThat(heir.address(2)).isEqualTo(theirs.address(2));
    assertThat(heir.acquire()).isEqualTo(1);
    assertThat(heir.acquire()).isEqualTo(-1);
  }

  @Test
  void failedCloseOfAnArenaThatWasTamperedWithIsReported() {
    SlabTable table = SlabTable.of(SLAB, 2);
    ThreadSlabs slabs = table.slabsOf(Thread.currentThread());
    Arena arena = table.open();
    arena.allocate(8);
    slabs.release(0);
    assertThatThrownBy(arena::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("A slab is released once");
    assertThat(slabs.owned()).isZero();
  }
}
