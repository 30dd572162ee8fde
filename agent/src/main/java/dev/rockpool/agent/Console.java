package dev.rockpool.agent;

/** What the agent tells the person who started the program: lines on standard error. */
final class Console {
  private Console() {}

  /** Prints {@code [rockpool] message}, if the program lets anybody print. */
  static void print(String message) {
    try {
      System.err.println("[rockpool] " + message);
    } catch (Throwable refused) {
      // Standard error may be an object of the program's: what it throws is no matter of ours.
    }
  }

  /** Prints a message with its cause, in one line. */
  static void print(String message, Throwable cause) {
    print(message + ": " + cause);
  }
}
