package dev.rockpool.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tasks are called again as long as they want, and fail on their own. */
class HousekeeperTest {
  private static final int LIMIT_SECONDS = 60;

  @Test
  void taskIsCalledUntilItSaysNo() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    CountDownLatch later = new CountDownLatch(5);
    Housekeeper.add(() -> calls.incrementAndGet() < 3);
    Housekeeper.add(
        () -> {
          later.countDown();
          return later.getCount() > 0;
        });
    assertThat(later.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(calls).hasValue(3);
  }

  @Test
  void threadIsADaemonThatKeepsNothingOfItsStarterReachable() throws Exception {
    BlockingQueue<Thread> threads = new ArrayBlockingQueue<>(1);
    Housekeeper.add(() -> !threads.offer(Thread.currentThread()));
    Thread thread = threads.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
    assertThat(thread.isDaemon()).isTrue();
    assertThat(thread.getName()).isEqualTo("rockpool-housekeeper");
    assertThat(thread.getContextClassLoader()).isNull();
    // Null if it was the last task, as a thread that has ended is in no group.
    ThreadGroup group = thread.getThreadGroup();
    assertThat(group == null ? null : group.getParent()).isNull();
  }

  @Test
  void taskThatThrowsIsDroppedWithANoticeAndOthersGoOn() throws Exception {
    PrintStream standardError = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      AtomicInteger calls = new AtomicInteger();
      Housekeeper.add(
          () -> {
            calls.incrementAndGet();
            throw new IllegalStateException("broken on purpose");
          });
      CountDownLatch later = new CountDownLatch(3);
      Housekeeper.add(
          () -> {
            later.countDown();
            return later.getCount() > 0;
          });
      assertThat(later.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(calls).hasValue(1);
      assertThat(said.toString(StandardCharsets.UTF_8))
          .isEqualTo(
              "[rockpool] Gave up a task in the background: java.lang.IllegalStateException: broken"
                  + " on purpose"
                  + System.lineSeparator());
    } finally {
      System.setErr(standardError);
    }
  }

  @Test
  void startsAgainAfterTheLastTaskWasDone() throws Exception {
    for (int i = 0; i < 3; i++) {
      CountDownLatch done = new CountDownLatch(1);
      Housekeeper.add(
          () -> {
            done.countDown();
            return false;
          });
      assertThat(done.await(LIMIT_SECONDS, TimeUnit.SECONDS)).as("round %s", i).isTrue();
    }
  }
}
