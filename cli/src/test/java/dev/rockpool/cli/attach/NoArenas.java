package dev.rockpool.cli.attach;

/** A program that opens no arena, and ends with its input. */
final class NoArenas {
  private NoArenas() {}

  public static void main(String[] args) {
    IO.println("ready");
    while (IO.readln() != null) {
      IO.println("here");
    }
  }
}
