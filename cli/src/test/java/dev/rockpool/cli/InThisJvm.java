package dev.rockpool.cli;

import dev.rockpool.cli.CommandLineJar.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The command line in the JVM of the tests. */
public final class InThisJvm {
  private InThisJvm() {}

  /** Runs a command, and returns what it printed. */
  public static Outcome rockpool(Object... args) {
    PrintStream outBefore = System.out;
    PrintStream errBefore = System.err;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    try {
      int exitCode =
          Main.commandLine()
              .setErr(new PrintWriter(System.err, true))
              .execute(Arrays.stream(args).map(Object::toString).toArray(String[]::new));
      return new Outcome(
          exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(outBefore);
      System.setErr(errBefore);
    }
  }
}
