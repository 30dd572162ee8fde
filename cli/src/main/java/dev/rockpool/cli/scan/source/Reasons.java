package dev.rockpool.cli.scan.source;

/** What went wrong, for a list of what was skipped. */
public final class Reasons {
  private Reasons() {}

  /** The message of the failure, with its kind where that says more. */
  public static String of(Throwable failure) {
    String message = failure.getMessage();
    String kind = failure.getClass().getSimpleName();
    return message == null || message.isBlank() ? kind : message + " (" + kind + ")";
  }
}
