package dev.rockpool.cli.scan.flow;

/** How an open arena leaves the method that created it. */
public enum Escape {
  RETURNED("returned"),
  /** In a field, static or not, or in an array. */
  STORED("stored"),
  /** By a lambda or a method reference. */
  CAPTURED("captured"),
  /** As an argument, also to a constructor, of code that is not the JDK's. */
  PASSED("passed"),
  /** As an argument of a method of the JDK, a call through a method handle among them. */
  PASSED_TO_JDK("passed to the JDK");

  private final String label;

  Escape(String label) {
    this.label = label;
  }

  /** For tables. */
  public String label() {
    return label;
  }
}
