package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rockpool.arena.ThreadSlabs.Run;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slabs and their bits: acquired and released once, whatever the caller tries. */
class ThreadSlabsTest {
  private static final int SLAB = 64;
  private static final int[] NO_INDEX = {-1, -2, -63, -64, -65, 64, 65, 127, 128, 1 << 22};

  private static ThreadSlabs slabs(int count) {
    return ThreadSlabs.allocate(Thread.currentThread(), SLAB, count);
  }

  private static int one(int index) {
    return Run.of(index, 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 63, 64})
  void eachSlabIsAcquiredOnceUntilItIsReleased(int count) {
    ThreadSlabs slabs = slabs(count);
    Set<Integer> acquired = new HashSet<>();
    for (int i = 0; i < count; i++) {
      assertThat(slabs.hasFree()).isTrue();
      assertThat(acquired.add(slabs.acquireOne())).isTrue();
      assertThat(slabs.owned()).isEqualTo(i + 1);
    }
    assertThat(acquired).allMatch(run -> Run.isWithin(run, count) && Run.count(run) == 1);
    assertThat(slabs.hasFree()).isFalse();
    assertThat(slabs.acquireOne()).as("one more").isEqualTo(Run.NONE);

    for (int run : acquired) {
      slabs.release(run, 0);
      assertThat(slabs.acquireOne()).as("the only free one").isEqualTo(run);
    }
    acquired.forEach(run -> slabs.release(run, 0));
    assertThat(slabs.owned()).isZero();
    assertThat(slabs.freeIfUnowned()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 64})
  void slabsLieOneBehindAnotherOnCacheLines(int count) {
    ThreadSlabs slabs = slabs(count);
    assertThat(slabs.address(one(0)) % 64).isZero();
    for (int i = 0; i < count; i++) {
      assertThat(slabs.address(one(i))).isEqualTo(slabs.address(one(0)) + (long) i * SLAB);
    }
    slabs.checkInvariants();
    assertThat(slabs.freeIfUnowned()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 64})
  void releaseWithoutAcquireThrows(int count) {
    ThreadSlabs slabs = slabs(count);
    for (int index = 0; index < count; index++) {
      assertRefused(slabs, one(index), count, "0");
    }
    assertThat(slabs.freeIfUnowned()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 64})
  void abandonedSlabsAreReturnedAtTheSecondLookAfterTheCloseOfTheirArena(int count) {
    ThreadSlabs slabs = slabs(count);
    int run = slabs.acquire(count);
    LibC.poke(slabs.address(one(count - 1)), (byte) 1);
    Arena by = Arena.ofConfined();
    Arrays.fill(slabs.abandonedBy, by);
    for (int look = 0; look < 3; look++) {
      slabs.returnAbandoned();
    }
    assertThat(slabs.owned()).as("while their arena is open").isEqualTo(count);
    by.close();
    slabs.returnAbandoned();
    assertThat(slabs.owned()).as("after one look").isEqualTo(count);
    slabs.returnAbandoned();
    assertThat(slabs.owned()).isZero();
    slabs.checkInvariants();
    slabs.returnAbandoned();
    assertThat(slabs.acquire(count)).isEqualTo(run);
    slabs.returnAbandoned();
    assertThat(slabs.owned()).as("owned again").isEqualTo(count);
  }

  /** As a program may that catches the error of the first close. */
  @Test
  void abandonedSlabsAreReturnedIfTheirArenaIsClosedOnceMoreAndDropped() {
    ThreadSlabs slabs = slabs(1);
    slabs.acquireOne();
    Arena[] by = {Arena.ofConfined()};
    WeakReference<MemorySegment.Scope> scope = new WeakReference<>(by[0].scope());
    slabs.abandonedBy[0] = by[0];
    slabs.returnAbandoned();
    by[0].close();
    by[0] = null;
    for (int i = 0; i < 20 && !scope.refersTo(null); i++) {
      System.gc(); // collects the scope, unless it is kept
    }
    slabs.returnAbandoned();
    slabs.returnAbandoned();
    assertThat(slabs.owned()).isZero();
    slabs.checkInvariants();
  }

  @Test
  void abandonedSlabsOfACallAreReturnedOnceItsScopeIsUnreachable() {
    ThreadSlabs slabs = slabs(3);
    int kept = slabs.acquire(3);
    Arena open = new CallArenas.CallArena();
    slabs.abandonedBy[0] = open;
    slabs.abandonedBy[1] = new CallArenas.CallArena();
    slabs.abandonedBy[2] = Arena.ofConfined(); // a program may have kept an address
    Collected.await(
        "the scopes of the other two",
        () -> {
          slabs.returnAbandoned();
          return slabs.owned() == 2
              && slabs.abandonedBy[2] instanceof WeakReference<?> weak
              && weak.refersTo(null);
        });
    slabs.returnAbandoned();
    slabs.returnAbandoned();
    assertThat(slabs.owned()).isEqualTo(2);
    assertThat(slabs.acquireOne()).isNotEqualTo(kept);
    assertThat(open.scope().isAlive()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 64})
  void releaseTwiceThrows(int count) {
    ThreadSlabs slabs = slabs(count);
    int index = slabs.acquireOne();
    slabs.release(index, 0);
    assertRefused(slabs, index, count, "0");
    assertThat(slabs.freeIfUnowned()).isTrue();
  }

  @Test
  void releaseTwiceBesideOthersThrows() {
    ThreadSlabs slabs = slabs(7);
    int first = slabs.acquireOne();
    int second = slabs.acquireOne();
    int third = slabs.acquireOne();
    slabs.release(second, 0);
    assertRefused(slabs, second, 7, "101");
    slabs.release(first, 0);
    slabs.release(third, 0);
    assertThat(slabs.freeIfUnowned()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 64})
  void releaseOfAnIndexThatIsNoneThrows(int count) {
    ThreadSlabs slabs = slabs(count);
    // With no slab owned, with one, with two and so on: a mask too short must not hit any.
    for (int owned = 0; owned <= count; owned++) {
      for (int index : NO_INDEX) {
        assertRefused(slabs, one(index), count, owned == 0 ? "0" : "1".repeat(owned));
      }
      if (count < Long.SIZE) {
        assertRefused(slabs, one(count), count, owned == 0 ? "0" : "1".repeat(owned));
      }
      slabs.acquireOne();
    }
  }

  @Test
  void releaseOfAnIndexThatIsNoneThrowsAlthoughTheBitOfTheLastIsSet() {
    ThreadSlabs slabs = slabs(64);
    for (int i = 0; i < 64; i++) {
      slabs.acquireOne();
    }
    for (int i = 0; i < 63; i++) {
      slabs.release(one(i), 0);
    }
    for (int index : NO_INDEX) {
      assertRefused(slabs, one(index), 64, "1" + "0".repeat(63));
    }
    slabs.release(one(63), 0);
    assertThat(slabs.owned()).isZero();
  }

  /** Fails unless release throws, says all there is to say, and changes nothing. */
  private static void assertRefused(ThreadSlabs slabs, int run, int count, String owned) {
    int ownedBefore = slabs.owned();
    long servedBefore = slabs.served;
    assertThatThrownBy(() -> slabs.release(run, 1))
        .as("release(%s) while owned=%s", run, owned)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Slabs must be released once, by the arena that acquired them: released=%s, slabs=%s,"
                + " owned=%s",
            Run.toString(run), count, owned);
    assertThat(slabs.owned()).as("owned after release(%s)", run).isEqualTo(ownedBefore);
    assertThat(slabs.served).isEqualTo(servedBefore);
    slabs.checkInvariants();
  }

  @Test
  void memoryIsFreedOnlyWhenNoSlabIsOwned() {
    ThreadSlabs slabs = slabs(7);
    int first = slabs.acquireOne();
    int second = slabs.acquireOne();
    assertThat(slabs.freeIfUnowned()).isFalse();
    slabs.release(first, 0);
    assertThat(slabs.freeIfUnowned()).isFalse();
    slabs.release(second, 0);
    assertThat(slabs.freeIfUnowned()).isTrue();
  }

  @Test
  void slabsOfAnEndedThreadAreOrphaned() throws Exception {
    assertThat(slabs(1).isOfEndedThread()).isFalse();
    ThreadSlabs theirs =
        ThreadKind.PLATFORM.call(
            () -> {
              ThreadSlabs slabs = slabs(1);
              assertThat(slabs.isOfEndedThread()).isFalse();
              return slabs;
            });
    assertThat(theirs.isOfEndedThread()).isTrue();
  }

  @Test
  void heirGetsTheSameMemoryAndWhatIsOwnedStaysOwned() throws Exception {
    ThreadSlabs theirs =
        ThreadKind.PLATFORM.call(
            () -> {
              ThreadSlabs slabs = slabs(3);
              List.of(slabs.acquireOne(), slabs.acquireOne(), slabs.acquireOne());
              slabs.release(one(1), 0);
              return slabs;
            });
    ThreadSlabs heir = theirs.passTo(Thread.currentThread());
    assertThat(heir.threadId).isEqualTo(Thread.currentThread().threadId());
    assertThat(heir.isOfEndedThread()).isFalse();
    assertThat(heir.address(one(2))).isEqualTo(theirs.address(one(2)));
    assertThat(heir.acquireOne()).isEqualTo(one(1));
    assertThat(heir.acquireOne()).isEqualTo(Run.NONE);
  }

  @Test
  void runsAreOfSlabsSideBySide() {
    ThreadSlabs slabs = slabs(7);
    int three = slabs.acquire(3);
    int one = slabs.acquireOne();
    assertThat(three).isEqualTo(Run.of(0, 3));
    assertThat(one).isEqualTo(Run.of(3, 1));
    assertThat(slabs.acquire(4)).as("only three are left").isEqualTo(Run.NONE);
    slabs.release(three, 0);
    assertThat(slabs.acquire(4)).as("six are free, but no four in a row").isEqualTo(Run.NONE);
    assertThat(slabs.acquire(2)).isEqualTo(Run.of(0, 2));
    assertThat(slabs.acquire(3)).as("the lowest gap that fits").isEqualTo(Run.of(4, 3));
    assertThat(slabs.owned()).isEqualTo(6);
    assertThat(slabs.acquire(8)).isEqualTo(Run.NONE);
  }

  @Test
  void allSixtyFourSlabsAreOneRun() {
    ThreadSlabs slabs = slabs(64);
    int all = slabs.acquire(64);
    assertThat(slabs.owned()).isEqualTo(64);
    assertThat(slabs.acquireOne()).isEqualTo(Run.NONE);
    slabs.release(all, 0);
    assertThat(slabs.owned()).isZero();
    assertThat(slabs.freeIfUnowned()).isTrue();
  }

  @Test
  void runGrowsWhileTheSlabsBehindItAreFree() {
    ThreadSlabs slabs = slabs(7);
    int run = slabs.acquireOne();
    int longer = slabs.extend(run, 3);
    assertThat(longer).isEqualTo(Run.of(0, 3));
    int other = slabs.acquireOne();
    assertThat(slabs.extend(longer, 4)).as("the next is owned").isEqualTo(Run.NONE);
    assertThat(slabs.owned()).isEqualTo(4);
    assertThat(slabs.extend(other, 5)).as("there are only seven").isEqualTo(Run.NONE);
    assertThat(slabs.extend(other, 4)).isEqualTo(Run.of(3, 4));
    slabs.release(longer, 0);
    slabs.release(Run.of(3, 4), 0);
    assertThat(slabs.freeIfUnowned()).isTrue();
  }

  @Test
  void runOfWhichAPartIsNotOwnedIsNotReleased() {
    ThreadSlabs slabs = slabs(7);
    slabs.acquire(2);
    assertRefused(slabs, Run.of(0, 3), 7, "11");
    assertRefused(slabs, Run.of(1, 2), 7, "11");
    assertRefused(slabs, Run.of(0, 0), 7, "11");
    assertRefused(slabs, Run.of(0, 8), 7, "11");
    assertRefused(slabs, Run.of(0, 64), 7, "11");
    assertThat(slabs.owned()).isEqualTo(2);
  }

  @Test
  void whatIsReturnedFromElsewhereIsCollectedWhenSlabsAreMissing() {
    ThreadSlabs slabs = slabs(2);
    int first = slabs.acquireOne();
    int second = slabs.acquireOne();
    slabs.releaseFromElsewhere(first);
    assertThat(slabs.owned()).isEqualTo(1);
    assertThat(slabs.hasFree()).isTrue();
    slabs.checkInvariants();
    assertThat(slabs.acquireOne()).isEqualTo(first);
    slabs.releaseFromElsewhere(second);
    slabs.releaseFromElsewhere(first);
    assertThat(slabs.owned()).isZero();
    slabs.checkInvariants();
    assertThat(slabs.acquire(2)).isEqualTo(Run.of(0, 2));
    slabs.release(Run.of(0, 2), 0);
    assertThat(slabs.freeIfUnowned()).isTrue();
  }

  @Test
  void runGrowsOverSlabsThatWereReturned() {
    ThreadSlabs slabs = slabs(3);
    int run = slabs.acquireOne();
    slabs.releaseFromElsewhere(slabs.acquireOne());
    assertThat(slabs.extend(run, 3)).isEqualTo(Run.of(0, 3));
    assertThat(slabs.owned()).isEqualTo(3);
  }

  @Test
  void returningTwiceIsRefusedHereAndElsewhere() {
    ThreadSlabs slabs = slabs(2);
    int run = slabs.acquireOne();
    slabs.acquireOne();
    slabs.releaseFromElsewhere(run);
    for (int index : NO_INDEX) {
      assertThatThrownBy(() -> slabs.releaseFromElsewhere(one(index)))
          .isInstanceOf(IllegalStateException.class);
    }
    assertThatThrownBy(() -> slabs.releaseFromElsewhere(run))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Slabs must be released once, by the arena that acquired them: released=1 from 0,"
                + " slabs=2, owned=10");
    assertRefused(slabs, run, 2, "10");
    assertThat(slabs.owned()).isEqualTo(1);
    slabs.checkInvariants();
  }

  @Test
  void slabReturnedAfterItsThreadEndedGoesToTheHeir() throws Exception {
    ThreadSlabs theirs =
        ThreadKind.PLATFORM.call(
            () -> {
              ThreadSlabs slabs = slabs(1);
              slabs.acquireOne();
              return slabs;
            });
    ThreadSlabs heir = theirs.passTo(Thread.currentThread());
    assertThat(heir.acquireOne()).isEqualTo(Run.NONE);
    theirs.releaseFromElsewhere(one(0));
    assertThat(heir.acquireOne()).isEqualTo(one(0));
    heir.release(one(0), 0);
    assertThat(heir.freeIfUnowned()).isTrue();
  }

  @Test
  void failedCloseOfAnArenaThatWasTamperedWithIsReported() {
    Pool pool = Pool.of(SLAB, 2, 0);
    ThreadSlabs slabs = pool.slabsOf(Thread.currentThread());
    Arena arena = pool.open();
    arena.allocate(8);
    slabs.release(one(0), 0);
    assertThatThrownBy(arena::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Slabs must be released once");
    assertThat(slabs.owned()).isZero();
  }
}
