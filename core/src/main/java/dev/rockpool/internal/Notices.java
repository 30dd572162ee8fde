package dev.rockpool.internal;

/**
 * What Rockpool has to tell the person who started the program: one line each, on standard error.
 *
 * <p>Not {@link System.Logger}: a logging system may itself open arenas, and under the agent this
 * code runs before the program has configured one. Callers see to it that a notice is given once.
 */
public final class Notices {
  private Notices() {}

  /** Prints {@code [rockpool] message}. */
  public static void print(String message) {
    System.err.println("[rockpool] " + message);
  }
}
