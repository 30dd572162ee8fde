package dev.rockpool.agent;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.rockpool.testing.Jvm;
import dev.rockpool.testing.Sources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** A JVM without Rockpool, or with the packaged agent. */
final class ChildJvm extends Jvm<ChildJvm> {
  /** The class of pooled arenas under the agent. */
  static final String POOLED = "jdk.internal.foreign.RockpoolBlockArena";

  /** The class of the JDK's arenas: this JVM runs without the agent. */
  static final String REGULAR = Arena.ofConfined().getClass().getName();

  static final Path AGENT_JAR = jar("rockpool.agent.jar");
  static final Path LIBRARY_JAR = jar("rockpool.jar");

  private static final Map<List<String>, Path> PROGRAMS = new ConcurrentHashMap<>();

  private static final String START_AFTER = "-Drockpool.start.after=";

  /** The first arena of each thread is pooled already. */
  private ChildJvm() {
    in(Path.of(System.getProperty("java.io.tmpdir")))
        .with("-Dstdout.encoding=UTF-8", START_AFTER + 0);
  }

  /** Without the agent. */
  public static ChildJvm plain() {
    return new ChildJvm();
  }

  /** With the agent from the start, and these of its options. */
  static ChildJvm withAgent(String... options) {
    return withAgent(AGENT_JAR, options);
  }

  /** As above, but the agent is in this jar. */
  static ChildJvm withAgent(Path jar, String... options) {
    String suffix = options.length == 0 ? "" : "=" + String.join(",", options);
    return new ChildJvm().with("-javaagent:" + jar + suffix);
  }

  private static Path jar(String property) {
    return Path.of(System.getProperty(property)).toAbsolutePath().normalize();
  }

  /** Skips a test of C1 alone on JDKs that do not tell programs of it, which are 27 and later. */
  static void assumeThatItTellsOf(String option) {
    boolean isC1Alone = option.equals("-XX:TieredStopAtLevel=1");
    assumeThat(isC1Alone && Runtime.version().feature() >= 27).isFalse();
  }

  /** Has the JVM find the classes of these sources, which are compiled once. */
  ChildJvm program(String... sources) {
    return classPath(PROGRAMS.computeIfAbsent(List.of(sources), ChildJvm::compiled));
  }

  private static Path compiled(List<String> sources) {
    try {
      Path folder = Files.createDirectories(AGENT_JAR.resolveSibling("programs"));
      return Sources.compileTo(
          Files.createTempDirectory(folder, "program"), sources.toArray(String[]::new));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Runs class Main, and returns what it prints. */
  List<String> lines(String... arguments) {
    return run(mainWith(arguments)).quietOutput();
  }

  private static String[] mainWith(String... arguments) {
    return Stream.concat(Stream.of("Main"), Stream.of(arguments)).toArray(String[]::new);
  }

  /** Lets the agent start the pool after so many arenas, "" for its default. */
  ChildJvm startingAfter(String arenas) {
    options.remove(START_AFTER + 0);
    return arenas.isEmpty() ? this : with(START_AFTER + arenas);
  }

  @Override
  protected ChildJvm self() {
    return this;
  }
}
