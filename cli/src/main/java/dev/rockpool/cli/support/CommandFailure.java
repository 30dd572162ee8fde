package dev.rockpool.cli.support;

/**
 * A command failed for a reason that the user can act on. The message, which says what failed, why,
 * and what to do next, is all that is printed; the exit code is 1.
 */
public class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  public CommandFailure(String message) {
    super(message);
  }

  public CommandFailure(String message, Throwable cause) {
    super(message, cause);
  }

  /** The command line makes no sense: the help is named, too, and the exit code is 2. */
  public static final class Misuse extends CommandFailure {
    private static final long serialVersionUID = 1;

    public Misuse(String rule) {
      super(rule);
    }

    /** Fails with {@code rule} unless the command line follows it. */
    public static void unless(boolean sensible, String rule) {
      if (!sensible) {
        throw new Misuse(rule);
      }
    }
  }
}
