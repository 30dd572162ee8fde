package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.internal.Setting;
import dev.rockpool.testing.Sources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The effects of options, system properties and the switch, as a user sees them. */
class OptionsIT {
  private static final String MAIN =
      """
      package app;

      import module java.base;

      public class Main {
        public static void main(String[] args) throws Exception {
          System.out.println("app.Main " + name(Arena.ofConfined()));
          System.out.println("app.Main$Inner " + name(Inner.open()));
          System.out.println("lib.Tool " + name(lib.Tool.open()));
          if (args.length > 0) {
            var shared = Class.forName("jdk.internal.foreign.RockpoolArenaPool").getDeclaredMethod("shared");
            shared.setAccessible(true);
            System.out.println(shared.invoke(null));
          }
        }

        static String name(Arena arena) {
          try (arena) {
            return arena.getClass().getName();
          }
        }

        static class Inner {
          static Arena open() {
            Supplier<Arena> reference = Arena::ofConfined;
            return args() > 1 ? Arena.ofConfined() : reference.get();
          }

          static int args() {
            return 0;
          }
        }
      }
      """;

  private static final String TOOL =
      """
      package lib;

      import java.lang.foreign.Arena;

      public class Tool {
        public static Arena open() {
          return Arena.ofConfined();
        }
      }
      """;

  @TempDir private Path directory;
  private Path program;
  private Path current;

  @BeforeEach
  void compile() throws Exception {
    program = Sources.compileTo(directory.resolve("program"), MAIN, TOOL);
    current = Files.createDirectory(directory.resolve("current"));
  }

  private ChildJvm.Exit run(ChildJvm jvm) {
    return jvm.in(current).classPath(program).run("app.Main");
  }

  private static List<String> classes(boolean main, boolean inner, boolean tool) {
    return List.of(
        "app.Main " + (main ? POOLED : REGULAR),
        "app.Main$Inner " + (inner ? POOLED : REGULAR),
        "lib.Tool " + (tool ? POOLED : REGULAR));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "arenas=off,include=*             | false | false | false",
        "include=app.Main,include=*.To?l  | true  | false | true",
        "include=app.*,exclude=app.Main   | false | true  | false"
      })
  void classesArePooledAsTheOptionsSay(String options, boolean main, boolean inner, boolean tool) {
    assertThat(run(ChildJvm.withAgent(options)).quietOutput())
        .isEqualTo(classes(main, inner, tool));
  }

  @Test
  void verboseTellsVersionOptionsAndEachClass() {
    ChildJvm.Exit exit = run(ChildJvm.withAgent("verbose", "exclude=lib.*"));

    assertThat(exit.output()).hasSize(3);
    assertThat(exit.err())
        .containsExactly(
            "[rockpool] agent "
                + implementationVersion()
                + " on JDK "
                + Runtime.version()
                + ": arenas=on,linker=on,direct=off,record=off,check=off,exclude=lib.*,verbose=on",
            "[rockpool] app.Main: 1 call site of Arena.ofConfined() rewritten",
            "[rockpool] the pool starts",
            "[rockpool] app.Main$Inner: 2 call sites of Arena.ofConfined() rewritten",
            "[rockpool] lib.Tool: not rewritten, excluded by options");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "arenas=yes | Agent option arenas must be on or off: \"yes\"",
        "uninstall  | Agent option uninstall is for attach, to a JVM that has the agent:"
            + " ./rockpool detach PID"
      })
  void whatIsNotAcceptedEndsTheJvmWithOneLineBeforeTheProgram(String options, String message)
      throws Exception {
    assertEnded(run(ChildJvm.withAgent(options)), message);
  }

  /** As happens with one in JAVA_TOOL_OPTIONS and another on the command line. */
  @Test
  void aSecondAgentIsInstalledOnceOrEndsTheJvm() throws Exception {
    ChildJvm.Exit same = run(ChildJvm.withAgent().with(second("arenas=on")));

    assertThat(same.output()).isEqualTo(classes(true, true, true));
    assertThat(same.err())
        .containsExactly("[rockpool] the agent is there already, with the same options");
    assertEnded(
        run(ChildJvm.withAgent().with(second("exclude=*"))),
        "The agent is installed once in a JVM: it is there already, with other options");
  }

  private static String second(String options) {
    return "-javaagent:" + ChildJvm.AGENT_JAR + "=" + options;
  }

  /** With neither core dump nor error report. */
  private void assertEnded(ChildJvm.Exit exit, String message) throws Exception {
    assertThat(exit.err()).containsExactly("[rockpool] " + message);
    assertThat(exit.code()).isEqualTo(1);
    assertThat(exit.out()).isEmpty();
    try (Stream<Path> files = Files.list(current)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void theJarPrintsTheTable() {
    List<String> out =
        ChildJvm.withAgent().with("-jar", ChildJvm.AGENT_JAR.toString()).run().quietOutput();

    assertThat(out.getFirst()).isEqualTo("Rockpool agent " + implementationVersion());
    assertThat(out.subList(1, out.size()))
        .containsExactlyElementsOf(Setting.help().lines().toList());
  }

  private static String implementationVersion() {
    return Jars.manifestOf(ChildJvm.AGENT_JAR).getValue("Implementation-Version");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "off   | on    | false | -",
        "-     | off   | false | -",
        "on    | off   | true  | -",
        "maybe | off   | false | System property rockpool.agent",
        "-     | 0     | true  | Environment variable ROCKPOOL_AGENT",
      })
  void theAgentIsSwitchedFromOutside(
      @Nullable String property,
      @Nullable String variable,
      boolean pooled,
      @Nullable String ignored) {
    ChildJvm jvm = ChildJvm.withAgent(pooled ? "verbose=off" : "nonsense");
    if (property != null) {
      jvm.with("-Drockpool.agent=" + property);
    }
    if (variable != null) {
      jvm.environment("ROCKPOOL_AGENT", variable);
    }

    ChildJvm.Exit exit = run(jvm);

    assertThat(exit.output()).isEqualTo(classes(pooled, pooled, pooled));
    assertThat(exit.err()).hasSize(ignored == null ? 0 : 1);
    assertThat(exit.err())
        .allMatch(line -> line.contains(ignored + " must be on or off, and is ignored"));
  }

  @Test
  void sizesAreThoseOfTheProperties() {
    assertThat(
            ChildJvm.withAgent()
                .with("-Drockpool.block.size=4k", "-Drockpool.blocks.per.thread=3")
                .with("--add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED")
                .classPath(program)
                .run("app.Main", "sizes")
                .quietOutput())
        .contains("app.Main " + POOLED, "ArenaPool[blockByteSize=4096, blocksPerThread=3]");
    assertThat(run(ChildJvm.withAgent().with("-Drockpool.block.size=0")).quietOutput())
        .isEqualTo(classes(false, false, false));
  }

  @Test
  void refusedPropertiesAreReportedOnce() {
    List<String> wrong = List.of("rockpool.block.size", "rockpool.blocks.per.thread");
    ChildJvm jvm = ChildJvm.withAgent();
    wrong.forEach(property -> jvm.with("-D" + property + "=100"));

    ChildJvm.Exit exit = run(jvm);

    assertThat(exit.output()).isEqualTo(classes(true, true, true));
    assertThat(exit.err()).hasSize(wrong.size());
    for (String property : wrong) {
      assertThat(exit.err()).as(property).anyMatch(line -> line.contains(property + " "));
    }
  }
}
