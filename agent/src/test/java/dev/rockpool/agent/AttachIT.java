package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.sun.tools.attach.AgentInitializationException;
import dev.rockpool.testing.Sources;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The agent comes to a program that runs already. */
@Tag("jdk")
class AttachIT {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String[] WAYS = {"call", "reference", "lambda", "loop"};

  /**
   * Has a class in a loader that defines what its parent has, too; the parent's version opens no
   * arenas, and is what the loader finds when asked for the file, unless it does something worse.
   */
  private static final String CHILD_FIRST =
      """
      import module java.base;

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
      import module java.base;

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

  @BeforeEach
  void compile() {
    Sources.compileTo(directory, Programs.CONVERSATION);
  }

  private ChildJvm.Running start(ChildJvm jvm) {
    ChildJvm.Running target = jvm.with(Attachment.ALLOW).classPath(directory).start("Main");
    assertThat(target.answer()).isEqualTo("ready");
    return target;
  }

  @Test
  void nextArenasArePooledAndOpenOnesStayWhatTheyAre() throws Exception {
    try (ChildJvm.Running target = start(ChildJvm.plain())) {
      for (String way : WAYS) {
        assertThat(target.ask(way)).as(way).isEqualTo(REGULAR);
      }
      assertThat(target.ask("hold")).isEqualTo(REGULAR);

      Attachment.attach(target, "exclude=Other");
      Attachment.attach(target, "verbose=off,exclude=Other");

      for (String way : WAYS) {
        assertThat(target.ask(way)).as(way).isEqualTo(POOLED);
      }
      assertThat(target.ask("late")).as("a class loaded afterwards").isEqualTo(POOLED);
      assertThat(target.ask("use held")).isEqualTo("kept 8 true");
      assertThat(target.ask("close held")).isEqualTo("Already closed");
      assertThat(target.ask("old reference")).isEqualTo(REGULAR);
      assertThat(target.end().err())
          .containsExactly("[rockpool] the agent is there already, with the same options");
    }
  }

  @Test
  void refusedAttachmentsChangeNothing() throws Exception {
    try (ChildJvm.Running target = start(ChildJvm.plain())) {
      assertRefused(target, "arenas=2");
      assertThat(target.ask("call")).isEqualTo(REGULAR);

      Attachment.attach(target, "verbose,exclude=Main$*");
      assertRefused(target, "direct");

      assertThat(target.ask("call")).isEqualTo(POOLED);
      assertThat(target.ask("late")).isEqualTo(REGULAR);
      assertThat(target.end().err())
          .contains(
              "[rockpool] Agent option arenas must be on or off: \"2\"",
              "[rockpool] The agent is installed once in a JVM: it is there already, with other"
                  + " options",
              "[rockpool] Main: 6 call sites of Arena.ofConfined() rewritten",
              "[rockpool] Main$Late: not rewritten, excluded by options",
              "[rockpool] the pool starts");
    }
  }

  @Test
  void anAgentThatIsSwitchedOffMayOnlyLeave() throws Exception {
    try (ChildJvm.Running target = start(ChildJvm.plain().environment("ROCKPOOL_AGENT", "off"))) {
      assertRefused(target, "");
      Attachment.uninstall(target);

      assertThat(target.ask("call")).isEqualTo(REGULAR);
      assertThat(target.end().err())
          .contains(
              "[rockpool] The agent is switched off in this JVM; the program runs on without it");
    }
  }

  private static void assertRefused(ChildJvm.Running target, String options) {
    assertThatThrownBy(() -> Attachment.attach(target, options))
        .isInstanceOf(AgentInitializationException.class);
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
    Path module = directory.resolve("module");
    Sources.compileTo(module, "module app {}", "package app;\n\n" + Programs.CONVERSATION);
    // Where this module is missing the JVM accepts no agent, of whatever kind.
    ChildJvm jvm = ChildJvm.plain().modulePath(module).with("--add-modules=java.instrument");
    jvm.with("--illegal-native-access=deny", Attachment.ALLOW);

    try (ChildJvm.Running target = jvm.start("-m", "app/app.Main")) {
      assertThat(target.answer()).isEqualTo("ready");
      Attachment.attach(target, "");

      assertThat(target.ask("call")).isEqualTo(POOLED);
      target.end().quietOutput();
    }
  }
}
