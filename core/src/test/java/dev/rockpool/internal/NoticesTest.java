package dev.rockpool.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What Rockpool's own threads print, and that their errors do not reach the program. */
class NoticesTest {
  private final PrintStream err = System.err;
  private final UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
  private final List<String> printed = new CopyOnWriteArrayList<>();
  private final List<Throwable> uncaught = new CopyOnWriteArrayList<>();

  @BeforeEach
  void listen() {
    Thread.setDefaultUncaughtExceptionHandler((_, failure) -> uncaught.add(failure));
    System.setErr(
        new PrintStream(OutputStream.nullOutputStream()) {
          @Override
          public void println(String line) {
            printed.add(line);
          }
        });
  }

  @AfterEach
  void stopListening() {
    System.setErr(err);
    Thread.setDefaultUncaughtExceptionHandler(handler);
  }

  /** The program's default handler may well end the JVM. */
  @Test
  void anErrorOfOurThreadDoesNotReachTheProgramsHandler() throws Exception {
    Daemon.start("rockpool-test", NoticesTest::fail).join();
    assertThat(uncaught).isEmpty();
    assertThat(printed)
        .containsExactly("[rockpool] Thread rockpool-test has ended: java.lang.Error: of a test");
  }

  private static void fail() {
    throw new Error("of a test");
  }
}
