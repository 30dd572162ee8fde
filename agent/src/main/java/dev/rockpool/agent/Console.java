package dev.rockpool.agent;

/** What the agent tells the person who started the program: lines on standard error. */
final class Console {
  private Console() {}

  /** Prints {@code [rockpool] message}. */
  static void print(String message) {
    System.err.println("[rockpool] " + message);
  }

  /** Prints a message with its cause, in one line. */
  static void print(String message, Throwable cause) {
    print(message + ": " + cause);
  }
}
