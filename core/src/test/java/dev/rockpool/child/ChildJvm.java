package dev.rockpool.child;

import dev.rockpool.arena.Arenas;
import dev.rockpool.testing.Jvm;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A JVM with Rockpool and the test classes: for what is decided once in the life of a JVM. */
public final class ChildJvm extends Jvm<ChildJvm> {
  /** Programs here may run for minutes on a busy machine. */
  private static final int MORE_SECONDS = 240;

  /** The output of a JVM that has ended well. */
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

  private ChildJvm() {
    patientFor(MORE_SECONDS);
  }

  /** Rockpool and the program are on the class path. */
  public static ChildJvm onClassPath() {
    return new ChildJvm().classPath(locationOf(Arenas.class), locationOf(ChildJvm.class));
  }

  /** Rockpool is the module dev.rockpool; the program is on the class path. */
  public static ChildJvm onModulePath() {
    return new ChildJvm()
        .modulePath(locationOf(Arenas.class))
        .with("--add-modules", "dev.rockpool")
        .classPath(locationOf(ChildJvm.class));
  }

  private static Path locationOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Sets a variable of the environment. */
  public ChildJvm withVariable(String name, String value) {
    return environment(name, value);
  }

  /** Runs {@code main} and waits for its end, which has to be a success. */
  public Result run(Class<?> main, String... arguments) {
    List<String> program = new ArrayList<>(List.of(main.getName()));
    Collections.addAll(program, arguments);
    Exit exit = run(program.toArray(String[]::new));
    return new Result(exit.code(), exit.output(), exit.err());
  }

  @Override
  protected ChildJvm self() {
    return this;
  }
}
