package dev.rockpool.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.child.ChildJvm;
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
