package dev.rockpool.child;

import dev.rockpool.arena.Arenas;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A java of the JDK that runs this, with Rockpool and the test classes: for what is decided once in
 * the life of a JVM.
 */
public final class ChildJvm {
  private static final int TIMEOUT_SECONDS = 300;

  /** The output of a JVM until its end. */
  public record Result(int exitCode, List<String> out, List<String> err) {
    /** The value that the program printed as {@code name=value}. */
    public String value(String name) {
      String start = name + "=";
      return out.stream()
          .filter(line -> line.startsWith(start))
          .map(line -> line.substring(start.length()))
          .findFirst()
          .orElseThrow(() -> new AssertionError("no " + name + " in " + this));
    }

    /** The lines of Rockpool itself on standard error. */
    public List<String> notices() {
      return err.stream().filter(line -> line.startsWith("[rockpool]")).toList();
    }
  }

  /** On Windows with the ending: in Wine "java" may be a script that starts it. */
  private static final Path JAVA =
      Path.of(
          System.getProperty("java.home"),
          "bin",
          System.getProperty("os.name").startsWith("Windows") ? "java.exe" : "java");

  private int timeoutSeconds = TIMEOUT_SECONDS;
  private final List<String> limits = new ArrayList<>();
  private final List<String> options = new ArrayList<>();
  private final Map<String, String> variables = new HashMap<>();

  private ChildJvm(String... options) {
    String needed = System.getProperty("rockpool.test.options");
    if (needed != null) { // on this platform, see test/jdk
      Collections.addAll(this.options, needed.split(" "));
    }
    Collections.addAll(this.options, options);
  }

  /** Rockpool and the program are on the class path. */
  public static ChildJvm onClassPath() {
    return new ChildJvm(
        "-cp", locationOf(Arenas.class) + System.getProperty("path.separator") + tests());
  }

  /** Rockpool is the module dev.rockpool; the program is on the class path. */
  public static ChildJvm onModulePath() {
    return new ChildJvm(
        "-p", locationOf(Arenas.class), "--add-modules", "dev.rockpool", "-cp", tests());
  }

  private static String tests() {
    return locationOf(ChildJvm.class);
  }

  private static String locationOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Adds options for the JVM. */
  public ChildJvm with(String... more) {
    Collections.addAll(options, more);
    return this;
  }

  /** Sets a variable of the environment. */
  public ChildJvm withVariable(String name, String value) {
    variables.put(name, value);
    return this;
  }

  /** Gives a program more time, one that runs for that many seconds. */
  public ChildJvm patientFor(int seconds) {
    timeoutSeconds = TIMEOUT_SECONDS + seconds;
    return this;
  }

  /** Limits what the process may map. Needs a shell. */
  public ChildJvm withAddressSpace(int kibibytes) {
    Collections.addAll(limits, "sh", "-c", "ulimit -v " + kibibytes + " && exec \"$@\"", "limited");
    return this;
  }

  /** Runs {@code main} and waits for its end, which has to be a success. */
  public Result run(Class<?> main, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(limits);
    command.add(JAVA.toString());
    command.addAll(options);
    command.add(main.getName());
    Collections.addAll(command, arguments);

    Path out = Files.createTempFile("child", ".out");
    Path err = Files.createTempFile("child", ".err");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
      builder.environment().remove("JAVA_TOOL_OPTIONS");
      builder.environment().remove("JDK_JAVA_OPTIONS");
      builder.environment().putAll(variables);
      Process process = builder.start();
      boolean ended = process.waitFor(timeoutSeconds, TimeUnit.SECONDS);
      int exitCode = process.destroyForcibly().waitFor();
      Result result = new Result(exitCode, Files.readAllLines(out), Files.readAllLines(err));
      if (!ended || exitCode != 0) {
        throw new AssertionError((ended ? "failed: " : "did not end: ") + command + ": " + result);
      }
      return result;
    } finally {
      out.toFile().delete(); // unless Windows still holds it
      err.toFile().delete();
    }
  }
}
