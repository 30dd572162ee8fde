package dev.rockpool.cli.support;

/**
 * A command failed for a reason that the user can act on. The message, which says what failed, why,
 * and what to do next, is all that is printed; the exit code is 1.
 */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  public CommandFailure(String message) {
    super(message);
  }

  public CommandFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
