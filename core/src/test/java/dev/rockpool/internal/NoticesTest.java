package dev.rockpool.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.child.ChildJvm;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The lines on standard error. */
class NoticesTest {
  /** A program that fails in all ways that a notice tells of. */
  static final class Failing {
    private Failing() {}

    public static void main(String[] args) {
      Throwable cause = new IllegalStateException("the reason", new Exception("not told"));
      Notices.print("No failure");
      Notices.print("Plain", cause);
      Notices.print("A class", new LinkageError("A", new ExceptionInInitializerError(cause)));
    }
  }

  /** A program whose stream never returns, and keeps the monitor of the thread that prints. */
  static final class Keeping {
    private Keeping() {}

    public static void main(String[] args) {
      CountDownLatch never = new CountDownLatch(1);
      System.setErr(
          new PrintStream(OutputStream.nullOutputStream()) {
            @Override
            public void println(String line) {
              synchronized (Thread.currentThread()) {
                try {
                  never.await();
                } catch (InterruptedException impossible) {
                  throw new IllegalStateException(impossible);
                }
              }
            }
          });
      Notices.print("Not printed");
      System.out.println("went on");
    }
  }

  @Test
  void theCallerGoesOnWhereAStreamKeepsTheThreadThatPrints() throws Exception {
    assertThat(ChildJvm.onClassPath().run(Keeping.class).out()).containsExactly("went on");
  }

  @Test
  void tellTheReasonOfABrokenClass() throws Exception {
    assertThat(ChildJvm.onClassPath().run(Failing.class).err())
        .containsExactly(
            "[rockpool] No failure",
            "[rockpool] Plain: java.lang.IllegalStateException: the reason",
            "[rockpool] A class: java.lang.LinkageError: A, because of"
                + " java.lang.ExceptionInInitializerError, because of"
                + " java.lang.IllegalStateException: the reason");
  }
}
