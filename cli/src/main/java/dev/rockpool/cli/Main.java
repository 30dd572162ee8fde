package dev.rockpool.cli;

/** Placeholder of the command line. */
public final class Main {
  private Main() {}

  /** Prints the project's folder and its arguments. */
  public static void main(String[] args) {
    System.out.println(System.getProperty("rockpool.home") + " " + String.join(" ", args));
  }
}
