package dev.rockpool.cli.example;

/** How a workload is run; the two that are compared take turns in this order. */
enum Side {
  WITHOUT("without the agent"),
  WITH("with the agent"),

  /** With the agent to record, and the JDK's own arenas: what the forecast is made from. */
  RECORDED("recorded without the pool");

  private final String words;

  Side(String words) {
    this.words = words;
  }

  @Override
  public String toString() {
    return words;
  }
}
