package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.tools.attach.AgentInitializationException;
import dev.rockpool.testing.Sources;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The agent leaves a program that goes on. */
@Tag("jdk")
class UninstallIT {
  private static final String CHECKED = "jdk.internal.foreign.RockpoolCheckedArena";
  private static final String[] WAYS = {"call", "reference", "lambda", "loop"};

  /** Calls the agent with an Instrumentation that does nothing. */
  private static final String PRETENDER =
      """
      import module java.base;
      import java.lang.instrument.Instrumentation;
      import java.lang.reflect.Proxy;

      class Pretender {
        static String uninstall(boolean returns) throws Exception {
          CountDownLatch called = new CountDownLatch(1);
          Object nothing = Proxy.newProxyInstance(
              Pretender.class.getClassLoader(), new Class<?>[] {Instrumentation.class},
              (proxy, method, parameters) -> {
                called.countDown();
                while (!returns) {
                  LockSupport.park();
                }
                Class<?> type = method.getReturnType();
                return type == Class[].class ? new Class<?>[0] : type == boolean.class ? false : null;
              });
          var agentmain = Class.forName("dev.rockpool.agent.AgentEntry")
              .getMethod("agentmain", String.class, Instrumentation.class);
          FutureTask<String> call = new FutureTask<>(() -> {
            try {
              return String.valueOf(agentmain.invoke(null, "uninstall", nothing));
            } catch (InvocationTargetException thrown) {
              return thrown.getCause().getClass().getSimpleName();
            }
          });
          Thread.ofPlatform().daemon().start(call);
          called.await();
          return returns ? call.get() : "never returns";
        }
      }
      """;

  private static final String COPIED =
      """
      import module java.base;

      public class Copied implements Supplier<String> {
        @Override public String get() {
          try (Arena arena = Arena.ofConfined()) {
            return arena.getClass().getName();
          }
        }
      }
      """;

  /** Has copies of a class under names of the same length, and counts what they open. */
  private static final String COPIES =
      """
      import module java.base;

      public class Copies extends ClassLoader {
        Class<?> define(byte[] bytes) {
          return defineClass(null, bytes, 0, bytes.length);
        }

        public static void main(String[] args) throws Exception {
          String copied =
              Files.readString(Path.of(args[0], "Copied.class"), StandardCharsets.ISO_8859_1);
          Copies loader = new Copies();
          List<Supplier<?>> all = new ArrayList<>();
          for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            byte[] copy = copied.replace("Copied", "C" + (10_000 + i))
                .getBytes(StandardCharsets.ISO_8859_1);
            all.add((Supplier<?>) loader.define(copy).getConstructor().newInstance());
          }
          System.out.println("ready");
          Scanner lines = new Scanner(System.in);
          while (lines.hasNextLine()) {
            lines.nextLine();
            Map<Object, Integer> arenas = new TreeMap<>();
            all.forEach(each -> arenas.merge(each.get(), 1, Integer::sum));
            System.out.println(arenas);
          }
        }
      }
      """;

  @TempDir private Path directory;

  @BeforeEach
  void compile() {
    Sources.compileTo(
        directory,
        PRETENDER,
        Programs.CONVERSATION.replace(
            "default ->",
            """
            case "check" -> System.getProperty("rockpool.check");
                  case "options" -> System.getProperty("rockpool.agent.options");
                  case "pretend" -> Pretender.uninstall(true);
                  case "pretend to work on" -> Pretender.uninstall(false);
                  default ->\
            """));
  }

  private ChildJvm.Running start(ChildJvm jvm) {
    ChildJvm.Running program = jvm.with(Attachment.ALLOW).classPath(directory).start("Main");
    assertThat(program.answer()).isEqualTo("ready");
    return program;
  }

  @Test
  void nextArenasAreTheJdksAndOpenOnesStayPooled() throws Exception {
    try (ChildJvm.Running program = start(ChildJvm.withAgent())) {
      assertThat(program.ask("options"))
          .isEqualTo("arenas=on,linker=on,direct=off,record=off,check=off,verbose=off");
      for (String way : WAYS) {
        assertThat(program.ask(way)).as(way).isEqualTo(POOLED);
      }
      assertThat(program.ask("hold")).isEqualTo(POOLED);
      Files.write(directory.resolve("Main.class"), new byte[] {1, 2, 3}); // is not read

      Attachment.uninstall(program);
      Attachment.uninstall(program);

      assertThat(program.ask("options")).isEqualTo("null");
      for (String way : WAYS) {
        assertThat(program.ask(way)).as(way).isEqualTo(REGULAR);
      }
      assertThat(program.ask("late")).as("a class loaded afterwards").isEqualTo(REGULAR);
      assertThat(program.ask("use held")).isEqualTo("kept 8 true");
      assertThat(program.ask("close held")).isEqualTo("Already closed");
      assertThat(program.ask("old reference")).isEqualTo(POOLED);
      program.end().quietOutput();
    }
  }

  /** The block of an arena that was open in between comes back zeroed. */
  @Test
  void theAgentMayComeAgain() throws Exception {
    try (ChildJvm.Running program = start(ChildJvm.withAgent())) {
      program.ask("hold");
      Attachment.uninstall(program);
      program.ask("close held");
      assertThat(program.ask("call")).isEqualTo(REGULAR);

      Attachment.attach(program, "");

      assertThat(program.ask("call")).isEqualTo(POOLED);
      assertThat(program.ask("zero")).isEqualTo("-1");
      assertThat(program.ask("hold")).isEqualTo(POOLED);
      program.end().quietOutput();
    }
  }

  /** The agent keeps the names of some of them only. */
  @Test
  void classesGoBackHoweverManyThereAre() throws Exception {
    Path copied = Sources.compileTo(directory.resolve("copied"), COPIED);
    Sources.compileTo(directory.resolve("copies"), COPIES);
    int count = AgentReport.MOST_NAMES + 2;
    try (ChildJvm.Running program =
        ChildJvm.withAgent()
            .with(Attachment.ALLOW)
            .classPath(directory.resolve("copies"))
            .start("Copies", copied.toString(), Integer.toString(count))) {
      assertThat(program.answer()).isEqualTo("ready");
      assertThat(program.ask("arenas")).isEqualTo("{" + POOLED + "=" + count + "}");

      Attachment.uninstall(program);

      assertThat(program.ask("arenas")).isEqualTo("{" + REGULAR + "=" + count + "}");
      program.end().quietOutput();
    }
  }

  /** The pool is made once: what the options ask for otherwise would be ignored. */
  @Test
  void arenasAreCheckedAllTheTimeOrNever() throws Exception {
    String rule =
        "[rockpool] Agent option check must be what it was when the agent first came to this JVM, ";
    for (boolean check : new boolean[] {false, true}) {
      String was = check ? "check=on" : "";
      try (ChildJvm.Running program = start(ChildJvm.plain())) {
        Attachment.attach(program, was);
        assertThat(program.ask("call")).isEqualTo(check ? CHECKED : POOLED);
        Attachment.uninstall(program);
        assertThat(program.ask("check")).isEqualTo("null");

        assertThatThrownBy(() -> Attachment.attach(program, check ? "" : "check"))
            .isInstanceOf(AgentInitializationException.class);
        assertThat(program.ask("check")).isEqualTo("null");
        assertThat(program.ask("call")).isEqualTo(REGULAR);

        Attachment.attach(program, was);
        assertThat(program.ask("call")).isEqualTo(check ? CHECKED : POOLED);
        ChildJvm.Exit exit = program.end();
        exit.output();
        assertThat(exit.err())
            .contains(
                rule
                    + (check
                        ? "on: \"off\"; attach with check=on, or start the JVM anew"
                        : "off: \"on\"; attach with check=off, or start the JVM anew"));
      }
    }
  }

  /** Nothing has been decided then. */
  @Test
  void checkIsAsTheLastAttachSaysWhereThePoolWasNotUsed() throws Exception {
    try (ChildJvm.Running program = start(ChildJvm.plain())) {
      Attachment.attach(program, "check");
      Attachment.uninstall(program);
      Attachment.attach(program, "");
      assertThat(program.ask("call")).isEqualTo(POOLED);
      program.end().quietOutput();
    }
  }

  /** Not even one that never returns. */
  @ParameterizedTest
  @ValueSource(strings = {"pretend", "pretend to work on"})
  void onlyTheJvmsOwnInstrumentationTakesTheAgentOut(String how) throws Exception {
    try (ChildJvm.Running program = start(ChildJvm.withAgent())) {
      assertThat(program.ask(how))
          .isEqualTo(how.equals("pretend") ? "IllegalAccessError" : "never returns");
      assertThat(program.ask("call")).isEqualTo(POOLED);
      assertThat(program.ask("late")).isEqualTo(POOLED);

      Attachment.uninstall(program);

      assertThat(program.ask("call")).isEqualTo(REGULAR);
      program.end().output();
    }
  }
}
