package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.sun.tools.attach.AgentInitializationException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The agent comes to a program that runs already. */
class AttachIT {
  private static final String OTHER_OPTIONS =
      "[rockpool] The agent is installed once in a JVM: it is there already, with other options";

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String[] WAYS = {"call", "reference", "lambda", "loop"};

  /**
   * Has a class in a loader that defines what its parent has, too; the parent's version opens no
   * arenas, and is what the loader finds when asked for the file, unless it does something worse.
   */
  private static final String CHILD_FIRST =
      """
      import java.io.InputStream;
      import java.nio.file.Files;
      import java.nio.file.Path;
      import java.util.Scanner;
      import java.util.concurrent.locks.LockSupport;
      import java.util.function.Supplier;

      public class Main extends ClassLoader {
        static String files;
        final byte[] bytes;

        Main(byte[] bytes) {
          this.bytes = bytes;
        }

        @Override protected Class<?> loadClass(String name, boolean resolve)
            throws ClassNotFoundException {
          return name.equals("Plugin")
              ? defineClass(name, bytes, 0, bytes.length)
              : super.loadClass(name, resolve);
        }

        @Override public InputStream getResourceAsStream(String name) {
          return switch (name.equals("Plugin.class") ? files : "") {
            case "refuses" -> throw new IllegalStateException("closed");
            case "breaks" -> throw new NoClassDefFoundError("closed");
            case "blocks" -> {
              while (true) {
                LockSupport.park();
              }
            }
            default -> super.getResourceAsStream(name);
          };
        }

        public static void main(String[] args) throws Exception {
          files = args[1];
          byte[] bytes = Files.readAllBytes(Path.of(args[0], "Plugin.class"));
          Object plugin = new Main(bytes).loadClass("Plugin").getConstructor().newInstance();
          System.out.println("ready");
          Scanner lines = new Scanner(System.in);
          while (lines.hasNextLine()) {
            System.out.println(((Supplier<?>) (lines.nextLine().isEmpty() ? null : plugin)).get());
          }
        }
      }
      """;

  private static final String PLUGIN =
      """
      import java.lang.foreign.Arena;
      import java.util.function.Supplier;

      public class Plugin implements Supplier<String> {
        @Override public String get() {
          try (Arena arena = Arena.ofConfined()) {
            return arena.getClass().getName();
          }
        }
      }
      """;

  private static final String PLUGIN_OF_THE_PARENT =
      """
      public class Plugin {}
      """;

  @TempDir private Path directory;

  @Test
  void loadedClassesArePooledFromNowOn() throws Exception {
    try (ChildJvm.Running target = start()) {
      for (String way : WAYS) {
        assertThat(target.ask(way)).as(way).isEqualTo(REGULAR);
      }

      Attachment.attach(target, "");

      for (String way : WAYS) {
        assertThat(target.ask(way)).as(way).isEqualTo(POOLED);
      }
      assertThat(target.end().quietOutput()).hasSize(1 + 2 * WAYS.length);
    }
  }

  @Test
  void classesThatWereNotUsedYetArePooled() throws Exception {
    try (ChildJvm.Running target = start()) {
      Attachment.attach(target, "");

      assertThat(target.ask("call")).isEqualTo(POOLED);
      assertThat(target.ask("late")).isEqualTo(POOLED);
      target.end().quietOutput();
    }
  }

  @Test
  void anArenaThatIsOpenStaysWhatItIs() throws Exception {
    try (ChildJvm.Running target = start()) {
      assertThat(target.ask("hold")).isEqualTo(REGULAR);

      Attachment.attach(target, "");

      assertThat(target.ask("use held")).isEqualTo("kept 8 true");
      assertThat(target.ask("close held")).isEqualTo("Already closed");
      assertThat(target.ask("old reference")).isEqualTo(REGULAR);
      target.end().quietOutput();
    }
  }

  @Test
  void optionsAreThoseOfTheAttachment() throws Exception {
    try (ChildJvm.Running target = start()) {
      Attachment.attach(target, "verbose,exclude=Main$*");

      assertThat(target.ask("call")).isEqualTo(POOLED);
      assertThat(target.ask("late")).isEqualTo(REGULAR);
      ChildJvm.Exit exit = target.end();
      exit.output();
      assertThat(exit.err()).hasSize(4).contains("[rockpool] the pool starts");
      assertThat(exit.err().getFirst())
          .matches(
              "\\[rockpool] agent \\S+ on JDK \\S+:"
                  + " arenas=on,linker=on,direct=off,record=off,check=off,"
                  + "exclude=Main\\$\\*,verbose=on");
      assertThat(exit.err().get(1))
          .isEqualTo("[rockpool] Main: 7 call sites of Arena.ofConfined() rewritten");
      assertThat(exit.err().getLast())
          .isEqualTo("[rockpool] Main$Late: not rewritten, excluded by options");
    }
  }

  @Test
  void withArenasOffNothingChanges() throws Exception {
    try (ChildJvm.Running target = start()) {
      Attachment.attach(target, "arenas=off");

      assertThat(target.ask("call")).isEqualTo(REGULAR);
      assertThat(target.ask("late")).isEqualTo(REGULAR);
      target.end().quietOutput();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nonsense    | Agent options are arenas, linker, direct, record, record.leaks,"
            + " record.stack, check, include, exclude, verbose, uninstall, separated by commas:"
            + " \"nonsense\"",
        "arenas=2    | Agent option arenas must be on or off: \"2\""
      })
  void badOptionsAreRefusedAndNothingChanges(String options, String message) throws Exception {
    try (ChildJvm.Running target = start()) {
      assertThatThrownBy(() -> Attachment.attach(target, options))
          .isInstanceOf(AgentInitializationException.class);

      assertThat(target.ask("call")).isEqualTo(REGULAR);
      assertThat(target.ask("late")).isEqualTo(REGULAR);

      Attachment.attach(target, "");
      assertThat(target.ask("call")).as("a second try").isEqualTo(POOLED);
      ChildJvm.Exit exit = target.end();
      exit.output();
      assertThat(exit.err()).contains("[rockpool] " + message);
    }
  }

  @Test
  void aSecondAttachmentWithOtherOptionsIsRefusedAndNothingChanges() throws Exception {
    try (ChildJvm.Running target = start()) {
      Attachment.attach(target, "");

      assertThatThrownBy(() -> Attachment.attach(target, "exclude=*"))
          .isInstanceOf(AgentInitializationException.class);

      assertThat(target.ask("call")).isEqualTo(POOLED);
      assertThat(target.ask("late")).isEqualTo(POOLED);
      ChildJvm.Exit exit = target.end();
      exit.output();
      assertThat(exit.err()).contains(OTHER_OPTIONS);
    }
  }

  @Test
  void aSecondAttachmentWithTheSameOptionsSaysSo() throws Exception {
    try (ChildJvm.Running target = start()) {
      Attachment.attach(target, "exclude=Other");
      Attachment.attach(target, "verbose=off,exclude=Other");

      assertThat(target.ask("call")).isEqualTo(POOLED);
      ChildJvm.Exit exit = target.end();
      exit.output();
      assertThat(exit.err())
          .containsExactly("[rockpool] the agent is there already, with the same options");
    }
  }

  @Test
  void anAttachmentWithOtherOptionsToAJvmStartedWithTheAgentIsRefused() throws Exception {
    Sources.compileTo(directory, Programs.CONVERSATION);
    try (ChildJvm.Running target = start(ChildJvm.withAgent())) {
      assertThatThrownBy(() -> Attachment.attach(target, "direct"))
          .isInstanceOf(AgentInitializationException.class);

      assertThat(target.ask("call")).isEqualTo(POOLED);
      ChildJvm.Exit exit = target.end();
      exit.output();
      assertThat(exit.err()).contains(OTHER_OPTIONS);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"finds the parent's", "refuses", "breaks", "blocks"})
  void classesArePooledWhateverTheirLoaderSaysOfTheirFiles(String files) throws Exception {
    Path main = directory.resolve("main");
    Sources.compileTo(main, CHILD_FIRST, PLUGIN_OF_THE_PARENT);
    Path plugin = Sources.compileTo(directory.resolve("plugin"), PLUGIN);

    try (ChildJvm.Running target =
        ChildJvm.plain()
            .with(Attachment.ALLOW)
            .classPath(main)
            .start("Main", plugin.toString(), files)) {
      assertThat(target.answer()).isEqualTo("ready");
      assertThat(target.ask("plugin")).isEqualTo(REGULAR);

      assertTimeoutPreemptively(PATIENCE, () -> Attachment.attach(target, ""));

      assertThat(target.ask("plugin")).isEqualTo(POOLED);
      target.end().quietOutput();
    }
  }

  @Test
  void namedModulesArePooled() throws Exception {
    Sources.compileTo(directory, "module app {}", "package app;\n\n" + Programs.CONVERSATION);
    // Where this module is missing the JVM accepts no agent, of whatever kind.
    ChildJvm jvm = ChildJvm.plain().modulePath(directory).with("--add-modules=java.instrument");
    jvm.with("--illegal-native-access=deny", Attachment.ALLOW);

    try (ChildJvm.Running target = jvm.start("-m", "app/app.Main")) {
      assertThat(target.answer()).isEqualTo("ready");
      Attachment.attach(target, "");

      assertThat(target.ask("call")).isEqualTo(POOLED);
      target.end().quietOutput();
    }
  }

  @Test
  void aJarWithoutTheLibraryChangesNothing() throws Exception {
    Path jar = Jars.withoutLibrary(directory.resolve("agent.jar"));
    try (ChildJvm.Running target = start()) {
      Attachment.attach(target, jar, "");

      assertThat(target.ask("call")).isEqualTo(REGULAR);
      assertThat(target.ask("late")).isEqualTo(REGULAR);
      ChildJvm.Exit exit = target.end();
      exit.output();
      assertThat(exit.err())
          .contains(
              "[rockpool] arenas can't be pooled on this JDK; the program runs on without Rockpool:"
                  + " java.io.IOException: the agent's jar lacks"
                  + " start.classes");
    }
  }

  private ChildJvm.Running start() {
    Sources.compileTo(directory, Programs.CONVERSATION);
    return start(ChildJvm.plain());
  }

  private ChildJvm.Running start(ChildJvm jvm) {
    ChildJvm.Running target = jvm.with(Attachment.ALLOW).classPath(directory).start("Main");
    assertThat(target.answer()).isEqualTo("ready");
    return target;
  }
}
