package dev.rockpool.cli.scan.flow;

/** How the method that creates an arena closes it. */
public enum Closing {
  /** On all paths, also by exceptions, in the shape that compilers give to try-with-resources. */
  TRY_WITH_RESOURCES("try-with-resources", true),
  /** On all paths, also by exceptions, by Kotlin's {@code use}. */
  KOTLIN_USE("Kotlin's use", true),
  /** On all paths, also by exceptions, in another shape. */
  ALL_PATHS("closed on all paths", false),
  /** On some paths, but not on others, often not after an exception. */
  SOME_PATHS("closed on some paths", false),
  /** Not in this method. */
  NEVER("never closed in sight", false),
  /** The arena is created by a method reference, so all of its life is elsewhere. */
  OUT_OF_SIGHT("method reference", false);

  private final String label;
  private final boolean structured;

  Closing(String label, boolean structured) {
    this.label = label;
    this.structured = structured;
  }

  /** For tables. */
  public String label() {
    return label;
  }

  /** Whether it is a statement of the language that closes. */
  public boolean isStructured() {
    return structured;
  }
}
