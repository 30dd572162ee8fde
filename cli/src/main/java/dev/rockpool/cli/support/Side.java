package dev.rockpool.cli.support;

/** The two sides of a comparison, in the order in which they take turns. */
public enum Side {
  WITHOUT("without the agent"),
  WITH("with the agent");

  private final String words;

  Side(String words) {
    this.words = words;
  }

  @Override
  public String toString() {
    return words;
  }
}
