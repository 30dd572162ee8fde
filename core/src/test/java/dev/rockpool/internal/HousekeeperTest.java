package dev.rockpool.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
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
  void taskThatThrowsIsTriedAgainAndReportedOnce() throws Exception {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    withStandardError(
        new PrintStream(said, true, StandardCharsets.UTF_8), HousekeeperTest::awaitFailures);
    assertThat(said.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            "[rockpool] A task in the background failed, and is tried again:"
                + " java.lang.IllegalStateException: broken on purpose"
                + System.lineSeparator());
  }

  @Test
  void standardErrorThatThrowsEndsNothing() throws Exception {
    withStandardError(
        new PrintStream(OutputStream.nullOutputStream()) {
          @Override
          public void println(String line) {
            throw new StackOverflowError("on purpose: " + line);
          }
        },
        HousekeeperTest::awaitFailures);
  }

  @Test
  void standardErrorThatHangsHoldsUpNothing() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    withStandardError(
        new PrintStream(OutputStream.nullOutputStream()) {
          @Override
          public void println(String line) {
            try {
              end.await();
            } catch (InterruptedException early) {
              throw new AssertionError(early);
            }
          }
        },
        HousekeeperTest::awaitFailures);
    end.countDown();
  }

  private interface Step {
    void run() throws Exception;
  }

  private static void withStandardError(PrintStream stream, Step step) throws Exception {
    PrintStream before = System.err;
    System.setErr(stream);
    try {
      step.run();
    } finally {
      System.setErr(before);
    }
  }

  /** A task fails in each of three rounds, and one behind it comes to its turn. */
  private static void awaitFailures() throws InterruptedException {
    CountDownLatch failures = new CountDownLatch(3);
    CountDownLatch others = new CountDownLatch(3);
    Housekeeper.add(
        () -> {
          failures.countDown();
          if (failures.getCount() == 0) {
            return false;
          }
          throw new IllegalStateException("broken on purpose");
        });
    Housekeeper.add(
        () -> {
          others.countDown();
          return others.getCount() > 0;
        });
    assertThat(failures.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(others.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
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
