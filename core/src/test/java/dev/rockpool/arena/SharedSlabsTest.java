package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slots and their claims: owned once, released once, trimmed only while nobody owns them. */
class SharedSlabsTest {
  private static final int SLAB = 512;
  private static final int SLOTS = 8;

  /** With what the alignment of the first slab may take. */
  private static final int ALLOCATION = SLAB + 48;

  private final SharedSlabs shared = SharedSlabs.of(SLAB, SLOTS);

  @AfterEach
  void checkAndFree() {
    shared.checkInvariants();
    shared.freeAll();
    assertThat(shared.byteSize()).isEqualTo((long) ALLOCATION * shared.owned());
  }

  @Test
  void slotsAreSpreadByHint() {
    Set<Integer> slots = new HashSet<>();
    for (long hint = 40; hint < 40 + SLOTS; hint++) {
      slots.add(shared.acquire(hint));
    }
    assertThat(slots).hasSize(SLOTS).doesNotContain(SharedSlabs.NONE);
    assertThat(shared.owned()).isEqualTo(SLOTS);
    assertThat(shared.acquire(3)).as("all are owned").isEqualTo(SharedSlabs.NONE);
    slots.forEach(slot -> shared.release(slot, 1));
    assertThat(shared.owned()).isZero();
    assertThat(shared.served()).isEqualTo(SLOTS);
  }

  @Test
  void slabsStartOnCacheLinesAndDoNotOverlap() {
    Set<Long> addresses = new HashSet<>();
    for (int hint = 0; hint < SLOTS; hint++) {
      long address = shared.address(shared.acquire(hint));
      assertThat(address % 64).isZero();
      assertThat(address).isNotZero();
      for (long other : addresses) {
        assertThat(Math.abs(address - other)).isGreaterThanOrEqualTo(SLAB);
      }
      addresses.add(address);
    }
  }

  @Test
  void sameSlotIsFoundAgainWithTheSameSlab() {
    int slot = shared.acquire(5);
    long address = shared.address(slot);
    shared.release(slot, 1);
    assertThat(shared.acquire(5)).isEqualTo(slot);
    assertThat(shared.address(slot)).isEqualTo(address);
  }

  @Test
  void whoFindsTheSlotOwnedTriesTheNextAndThenGivesUp() {
    int first = shared.acquire(2);
    int second = shared.acquire(2);
    assertThat(second).isNotEqualTo(first).isNotEqualTo(SharedSlabs.NONE);
    assertThat(shared.acquire(2)).isEqualTo(SharedSlabs.NONE);
    shared.release(first, 0);
    assertThat(shared.acquire(2)).isEqualTo(first);
  }

  @Test
  void memoryComesWithTheFirstClaim() {
    assertThat(shared.byteSize()).isZero();
    shared.release(shared.acquire(0), 0);
    shared.release(shared.acquire(0), 0);
    assertThat(shared.byteSize()).isEqualTo(ALLOCATION);
    shared.release(shared.acquire(1), 0);
    assertThat(shared.byteSize()).isEqualTo(2 * ALLOCATION);
  }

  @Test
  void slotUnusedBetweenTwoLooksLosesItsMemory() {
    shared.release(shared.acquire(0), 1);
    shared.trim();
    assertThat(shared.byteSize()).as("used before the first look").isEqualTo(ALLOCATION);
    shared.release(shared.acquire(0), 1);
    shared.trim();
    assertThat(shared.byteSize()).as("used again").isEqualTo(ALLOCATION);
    shared.trim();
    assertThat(shared.byteSize()).isZero();
    int slot = shared.acquire(0);
    assertThat(shared.byteSize()).as("comes back").isEqualTo(ALLOCATION);
    shared.release(slot, 1);
    assertThat(shared.served()).isEqualTo(3);
  }

  @Test
  void slotThatIsOwnedIsNotTrimmed() {
    int slot = shared.acquire(4);
    long address = shared.address(slot);
    for (int i = 0; i < 3; i++) {
      shared.trim();
      shared.freeAll();
    }
    assertThat(shared.address(slot)).isEqualTo(address);
    assertThat(LibC.peek(address, SLAB)).containsOnly(0);
    assertThat(shared.owned()).isEqualTo(1);
  }

  @Test
  void slotThatIsAbandonedIsFreeAfterTheSecondLook() {
    int slot = shared.acquire(4);
    LibC.poke(shared.address(slot), (byte) 1);
    Arena by = Arena.ofConfined();
    shared.abandonedBy()[slot] = by;
    shared.lines()[slot * SharedSlabs.LINE + SharedSlabs.CLAIM] = SharedSlabs.ABANDONED;
    for (int look = 0; look < 3; look++) {
      shared.trim();
    }
    assertThat(shared.acquire(4)).as("while its arena is open").isNotEqualTo(slot);
    by.close();
    shared.trim();
    assertThat(shared.acquire(4)).as("after one look").isNotEqualTo(slot);
    shared.checkInvariants();
    shared.trim();
    assertThat(shared.acquire(4)).isEqualTo(slot);
    assertThat(LibC.peek(shared.address(slot), SLAB)).as("a new slab").containsOnly(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, -1, -2, 8, 9, 1 << 20, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void releaseWithoutAcquireThrowsAndChangesNothing(int slot) {
    int owned = shared.acquire(3);
    assertRefused(slot);
    shared.release(owned, 0);
    assertRefused(slot);
    assertRefused(owned);
  }

  private void assertRefused(int slot) {
    int owned = shared.owned();
    assertThatThrownBy(() -> shared.release(slot, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "A slot must be released once, by the arena that acquired it: released=%s, slots=8,"
                + " owned=%s",
            slot, owned);
    assertThat(shared.owned()).isEqualTo(owned);
    assertThat(shared.served()).isZero();
  }

  @Test
  void setWithoutSlotsHasNothingToGive() {
    SharedSlabs none = SharedSlabs.of(SLAB, 0);
    assertThat(none.acquire(0)).isEqualTo(SharedSlabs.NONE);
    assertThat(none.acquire(Long.MAX_VALUE)).isEqualTo(SharedSlabs.NONE);
    none.trim();
    assertThat(none.byteSize()).isZero();
  }

  @Test
  void residueInAFreeSlotIsNoticed() {
    int slot = shared.acquire(0);
    long address = shared.address(slot);
    LibC.poke(address + 17, (byte) 1);
    shared.release(slot, 0);
    assertThatThrownBy(shared::checkInvariants)
        .isInstanceOf(AssertionError.class)
        .hasMessage("free slot " + slot + " holds data at byte 16");
    LibC.poke(address + 17, (byte) 0);
  }

  /** The stack may end between the allocation and the note of its address. */
  @Test
  void memoryWithoutAddressCountsAndIsFreed() {
    int slot = shared.acquire(1);
    shared.release(slot, 1);
    shared.lines()[slot * SharedSlabs.LINE + SharedSlabs.ADDRESS] = 0;

    assertThat(shared.byteSize()).isEqualTo(ALLOCATION);
    shared.trim();
    shared.trim();
    assertThat(shared.byteSize()).isZero();
  }
}
