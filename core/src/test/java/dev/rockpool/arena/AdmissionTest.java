package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

/** Where the JDK serves, as the pool can't win. */
class AdmissionTest {
  private static final int FIRST = 3;

  private final SlabTable table = SlabTable.of(512, 7, 0, FIRST);

  private void useArenas(int count) {
    for (int i = 0; i < count; i++) {
      try (Arena arena = table.open()) {
        arena.allocate(8);
      }
    }
  }

  private static void onNewThread(Runnable action) throws InterruptedException {
    Thread thread = Thread.ofPlatform().start(action);
    thread.join();
  }

  @Test
  void firstArenasOfEachThreadAreTheJdks() throws Exception {
    for (int threads = 1; threads <= 3; threads++) {
      onNewThread(() -> useArenas(FIRST));
      assertThat(table.counts().served).isZero();
      assertThat(table.byteSize()).isZero();
      assertThat(table.counts().noneLeft).isEqualTo(FIRST * threads);
    }
  }

  @Test
  void thoseThatFollowArePooled() throws Exception {
    onNewThread(() -> useArenas(FIRST + 5));
    assertThat(table.counts().served).isEqualTo(5);
    assertThat(table.counts().noneLeft).isEqualTo(FIRST);
    table.checkInvariants();
  }

  @Test
  void allocationsOfOneArenaCountOnce() throws Exception {
    onNewThread(
        () -> {
          try (Arena arena = table.open()) {
            for (int i = 0; i < FIRST; i++) {
              arena.allocate(8);
            }
          }
        });
    assertThat(table.counts().noneLeft).isEqualTo(1);
  }

  @Test
  void withoutSuchASettingTheFirstIsPooled() {
    assertThat(new Admission(0).isAmongFirst(Thread.currentThread().threadId())).isFalse();
  }

  /** Threads that share an element of the table count anew when they take it from each other. */
  @Test
  void threadsThatMeetDoNotTakeEachOthersCount() {
    Admission admission = new Admission(2);
    assertThat(admission.isAmongFirst(5)).isTrue();
    assertThat(admission.isAmongFirst(5)).isTrue();
    assertThat(admission.isAmongFirst(5)).isFalse();
    assertThat(admission.isAmongFirst(5 + 1024)).isTrue();
    assertThat(admission.isAmongFirst(5)).isTrue();
  }
}
