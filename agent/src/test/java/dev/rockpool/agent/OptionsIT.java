package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.agent.AgentOptions.Option;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The effects of the options, as a user sees them. */
class OptionsIT {
  private static final String MAIN =
      """
      package app;

      import java.lang.foreign.Arena;
      import java.util.function.Supplier;

      public class Main {
        public static void main(String[] args) {
          System.out.println("app.Main " + Arena.ofConfined().getClass().getName());
          System.out.println("app.Main$Inner " + Inner.open().getClass().getName());
          System.out.println("lib.Tool " + lib.Tool.open().getClass().getName());
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "arenas=on                        | true  | true  | true",
        "arenas=off                       | false | false | false",
        "arenas=off,include=*             | false | false | false",
        "include=app.*                    | true  | true  | false",
        "include=app.Main                 | true  | false | false",
        "include=app.Main,include=lib.*   | true  | false | true",
        "include=*.To?l                   | false | false | true",
        "exclude=app.*                    | false | false | true",
        "exclude=*$Inner                  | true  | false | true",
        "include=app.*,exclude=app.Main   | false | true  | false",
        "exclude=*                        | false | false | false",
        "include=other.*                  | false | false | false"
      })
  void classesArePooledAsTheOptionsSay(String options, boolean main, boolean inner, boolean tool) {
    assertThat(run(options).quietOutput())
        .containsExactly(
            "app.Main " + (main ? POOLED : REGULAR),
            "app.Main$Inner " + (inner ? POOLED : REGULAR),
            "lib.Tool " + (tool ? POOLED : REGULAR));
  }

  @Test
  void verboseTellsVersionOptionsAndEachClass() {
    ChildJvm.Exit exit = run("verbose", "exclude=lib.*");

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

  @Test
  void verboseWithArenasOffTellsThatNothingIsDone() {
    ChildJvm.Exit exit = run("verbose", "arenas=off", "linker=off");

    assertThat(exit.output()).contains("app.Main " + REGULAR);
    assertThat(exit.err())
        .singleElement()
        .asString()
        .startsWith("[rockpool] agent ")
        .endsWith(": arenas=off,linker=off,direct=off,record=off,check=off,verbose=on");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "arena=on       | Agent options are arenas, linker, direct, record, record.leaks,"
            + " record.stack, check, include, exclude, verbose, uninstall,"
            + " separated by commas: \"arena\"; did you mean arenas?",
        "verbose,,      | Agent options are arenas, linker, direct, record, record.leaks,"
            + " record.stack, check, include, exclude, verbose, uninstall,"
            + " separated by commas: \"\"",
        "arenas=yes     | Agent option arenas must be on or off: \"yes\"",
        "verbose=       | Agent option verbose must be on or off: \"\"",
        "include=a/b    | Agent option include must be a class name, * for any characters, ? for"
            + " one; may be repeated: \"a/b\"",
        "record=no/file | Agent option record must be on or off, or a file that can be written:"
            + " \"no/file\"",
        "record=        | Agent option record must be on or off, or a file that can be written:"
            + " \"\"",
        "uninstall,arenas | Agent option uninstall must be given alone: \"uninstall,arenas\"",
        "verbose,exclude| Agent option exclude must be a class name, * for any characters, ? for"
            + " one; may be repeated: \"\""
      })
  void whatIsNotAcceptedEndsTheJvmWithOneLineBeforeTheProgram(String options, String message)
      throws Exception {
    ChildJvm.Exit exit = run(options);

    assertThat(exit.err()).containsExactly("[rockpool] " + message);
    assertThat(exit.code()).isEqualTo(1);
    assertThat(exit.out()).isEmpty();
    assertNothingLeftBehind();
  }

  /** As happens with one in JAVA_TOOL_OPTIONS and another on the command line. */
  @Test
  void aSecondAgentWithOtherOptionsEndsTheJvmWithOneLineBeforeTheProgram() throws Exception {
    ChildJvm.Exit exit = runTwice("exclude=*");

    assertThat(exit.err())
        .containsExactly(
            "[rockpool] The agent is installed once in a JVM: it is there already, with other"
                + " options");
    assertThat(exit.code()).isEqualTo(1);
    assertThat(exit.out()).isEmpty();
    assertNothingLeftBehind();
  }

  @Test
  void aSecondAgentWithTheSameOptionsIsInstalledOnce() {
    ChildJvm.Exit exit = runTwice("arenas=on");

    assertThat(exit.output()).contains("app.Main " + POOLED);
    assertThat(exit.err())
        .containsExactly("[rockpool] the agent is there already, with the same options");
  }

  private ChildJvm.Exit runTwice(String options) {
    return ChildJvm.withAgent()
        .with("-javaagent:" + ChildJvm.AGENT_JAR + "=" + options)
        .in(current)
        .classPath(program)
        .run("app.Main");
  }

  @Test
  void uninstallIsForAttach() {
    ChildJvm.Exit exit = run("uninstall");

    assertThat(exit.err())
        .containsExactly(
            "[rockpool] Agent option uninstall is for attach, to a JVM that has the agent:"
                + " ./rockpool detach PID");
    assertThat(exit.code()).isEqualTo(1);
    assertThat(exit.out()).isEmpty();
  }

  @Test
  void theJarPrintsItsOptions() {
    List<String> out =
        ChildJvm.plain().with("-jar", ChildJvm.AGENT_JAR.toString()).run().quietOutput();

    assertThat(out.getFirst()).isEqualTo("Rockpool agent " + implementationVersion());
    assertThat(out.subList(1, out.size()))
        .containsExactlyElementsOf(Option.help().lines().toList());
  }

  private ChildJvm.Exit run(String... options) {
    return ChildJvm.withAgent(options).in(current).classPath(program).run("app.Main");
  }

  /** No core dump, no error report. */
  private void assertNothingLeftBehind() throws Exception {
    try (Stream<Path> files = Files.list(current)) {
      assertThat(files).isEmpty();
    }
  }

  private static String implementationVersion() {
    return Jars.manifestOf(ChildJvm.AGENT_JAR).getValue("Implementation-Version");
  }
}
