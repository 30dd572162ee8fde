package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The agent costs nothing before it pays: classes come late, and the pool comes last. */
@Timeout(120)
class StartIT {
  private static final String SEARCH = "jdk.internal.foreign.RockpoolAgentTransformer";
  private static final String REWRITE = "jdk.internal.foreign.RockpoolCallSites";

  private static final String NONE =
      """
      public class None {
        public static void main(String[] args) {
          System.out.println("fine");
        }
      }
      """;

  private static final String FEW =
      """
      import java.lang.foreign.Arena;

      public class Few {
        public static void main(String[] args) {
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(8);
            System.out.println(arena.getClass().getName());
          }
        }
      }
      """;

  /** Opens arenas on some threads until one is pooled; prints whether there were enough before. */
  private static final String MANY =
      """
      import java.lang.foreign.Arena;
      import java.util.concurrent.atomic.AtomicBoolean;
      import java.util.concurrent.atomic.AtomicLong;

      public class Many {
        static final AtomicLong OPENED = new AtomicLong();
        static final AtomicBoolean POOLED = new AtomicBoolean();

        static void open() {
          while (!POOLED.get()) {
            OPENED.incrementAndGet();
            try (Arena arena = Arena.ofConfined()) {
              arena.allocate(8).fill((byte) 1);
              if (arena.getClass().getName().contains("Rockpool")) {
                POOLED.set(true);
              }
            }
          }
        }

        public static void main(String[] args) throws InterruptedException {
          Thread[] threads = new Thread[Integer.parseInt(args[0])];
          boolean virtual = args[1].equals("virtual");
          for (int i = 0; i < threads.length; i++) {
            threads[i] = (virtual ? Thread.ofVirtual() : Thread.ofPlatform()).start(Many::open);
          }
          for (Thread each : threads) {
            each.join();
          }
          System.out.println(OPENED.get() >= Long.parseLong(args[2]));
        }
      }
      """;

  /** Fails while the pool's start reads a setting. */
  private static final String FAILING =
      """
      import java.lang.foreign.Arena;
      import java.util.Properties;

      public class Failing {
        static volatile boolean failed;

        static class Settings extends Properties {
          @Override
          public String getProperty(String name) {
            if (name.equals("rockpool.block.size")) {
              failed = true;
              throw new NoClassDefFoundError();
            }
            return super.getProperty(name);
          }
        }

        static String open() {
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(8);
            return arena.getClass().getName();
          }
        }

        public static void main(String[] args) throws Exception {
          Settings settings = new Settings();
          settings.putAll(System.getProperties());
          System.setProperties(settings);
          while (!failed) {
            open();
          }
          for (int i = 0; i < 10_000; i++) {
            open();
          }
          System.out.println(open());
        }
      }
      """;

  /** Lives for more than two rounds of the background threads. */
  private static final String LATER =
      """
      import java.lang.foreign.Arena;

      public class Later {
        static String open() {
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(8);
            return arena.getClass().getName();
          }
        }

        public static void main(String[] args) throws InterruptedException {
          while (!open().contains("Rockpool")) {
            Thread.sleep(1);
          }
          Thread.sleep(2500);
          System.out.println(open());
        }
      }
      """;

  private static final String NAMELESS =
      """
      import java.io.InputStream;

      public class Nameless extends ClassLoader {
        private final ClassLoader regular;

        static {
          registerAsParallelCapable();
        }

        public Nameless(ClassLoader regular) {
          super(regular.getParent());
          this.regular = regular;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
          try (InputStream in = regular.getResourceAsStream(name.replace('.', '/') + ".class")) {
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
          } catch (java.io.IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
          }
        }

        /** The JVM asks for this with each agent. */
        void appendToClassPathForInstrumentation(String jar) throws Exception {
          // The regular loader, which finds the files, has to know the jar.
          var add = regular.getClass().getDeclaredMethod("appendToClassPathForInstrumentation", String.class);
          add.setAccessible(true);
          add.invoke(regular, jar);
        }
      }
      """;

  @TempDir private Path folder;

  private ClassLoadingLog classesOf(String program, String... arguments) throws IOException {
    Sources.compileTo(folder, NONE, FEW);
    Path log = folder.resolve("classes.log");
    assertThat(
            ChildJvm.plain()
                .startingAfter("")
                .with("-javaagent:" + ChildJvm.AGENT_JAR, ClassLoadingLog.option(log))
                .with(arguments)
                .classPath(folder)
                .run(program)
                .quietOutput())
        .containsExactly(program.equals("None") ? "fine" : REGULAR);
    return ClassLoadingLog.read(log);
  }

  @Test
  void aProgramWithoutArenasLoadsTheSearchAlone() throws IOException {
    ClassLoadingLog classes = classesOf("None");

    assertThat(classes.sources().keySet().stream().filter(each -> each.contains("rockpool")))
        .containsExactlyInAnyOrder(
            "dev.rockpool.agent.AgentEntry",
            "dev.rockpool.agent.AgentInJavaBase",
            "dev.rockpool.agent.Definer");
    assertThat(classes.ours()).hasSizeLessThan(20).contains(SEARCH).doesNotContain(REWRITE);
    assertThat(classes.library()).isEmpty();
  }

  @Test
  void aProgramWithFewArenasHasNoPool() throws IOException {
    assertThat(classesOf("Few").library())
        .containsExactlyInAnyOrder(
            "java.lang.foreign.RockpoolArenas",
            "jdk.internal.foreign.RockpoolStart",
            "jdk.internal.foreign.RockpoolStart$Preparation",
            "jdk.internal.foreign.RockpoolSizeSetting",
            "jdk.internal.foreign.RockpoolNotices",
            "jdk.internal.foreign.RockpoolNotices$Line",
            "jdk.internal.foreign.RockpoolDaemon");
  }

  @Test
  void aProgramThatSwitchesTheAgentOffLoadsNoMore() throws IOException {
    assertThat(classesOf("Few", "-Drockpool.agent=off").ours()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "1, platform, 5000",
    "1, platform, 4000",
    "20, platform, 100000",
    "20, virtual, 100000",
    "1, platform, 1"
  })
  void thePoolStartsAfterSoManyArenas(int threads, String kind, String after) {
    Sources.compileTo(folder, MANY);

    assertThat(
            ChildJvm.plain()
                .with("-javaagent:" + ChildJvm.AGENT_JAR)
                .startingAfter(after.equals("4000") ? "" : after)
                .classPath(folder)
                .run("Many", Integer.toString(threads), kind, after)
                .quietOutput())
        .containsExactly("true");
  }

  /** The program's threads have room for an arena, and not for the first uses of the pool. */
  @ParameterizedTest
  @ValueSource(strings = {"", "linker=off", "direct", "linker=on"})
  void thePoolStartsBesideSmallStacks(String options) {
    Sources.compileTo(folder, MANY);

    assertThat(
            ChildJvm.plain()
                .with("-javaagent:" + ChildJvm.AGENT_JAR + "=" + options, "-Xss180k")
                .startingAfter("20")
                .classPath(folder)
                .run("Many", "1", "platform", "20")
                .quietOutput())
        .containsExactly("true");
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon", "+40", "2000000000"})
  void aNumberThatIsNotAcceptedIsToldAndTheDefaultTaken(String number) {
    Sources.compileTo(folder, MANY);

    ChildJvm.Exit exit =
        ChildJvm.plain()
            .with("-javaagent:" + ChildJvm.AGENT_JAR)
            .startingAfter(number)
            .classPath(folder)
            .run("Many", "1", "platform", "4000");
    assertThat(exit.out()).containsExactly("true");
    assertThat(exit.err())
        .singleElement()
        .asString()
        .contains("rockpool.start.after", '"' + number + '"');
  }

  /** Each first use of a class at a full heap may break the class for the program. */
  @Test
  void aProgramWithoutJmxGetsNoMoreOfItThanTheListOfServers() throws IOException {
    Sources.compileTo(folder, LATER);
    Path log = folder.resolve("classes.log");

    assertThat(
            ChildJvm.plain()
                .with("-javaagent:" + ChildJvm.AGENT_JAR, ClassLoadingLog.option(log))
                .startingAfter("10")
                .classPath(folder)
                .run("Later")
                .quietOutput())
        .containsExactly(ChildJvm.POOLED);
    assertThat(ClassLoadingLog.read(log).sources().keySet())
        .filteredOn(each -> each.startsWith("javax.management."))
        .containsExactly("javax.management.MBeanServerFactory");
  }

  /** The system class loader of the program defines the agent, too, here without a code source. */
  @Test
  void aProgramWhoseLoaderHidesTheAgentsJarRunsOnWithout() {
    Sources.compileTo(folder, FEW, NAMELESS);

    ChildJvm.Exit exit =
        ChildJvm.plain()
            .with(
                "-javaagent:" + ChildJvm.AGENT_JAR,
                "-Djava.system.class.loader=Nameless",
                "--add-opens",
                "java.base/jdk.internal.loader=ALL-UNNAMED",
                "-Xlog:disable")
            .classPath(folder)
            .run("Few");

    assertThat(exit.output()).containsExactly(REGULAR);
    assertThat(exit.err())
        .containsExactly(
            "[rockpool] the agent failed, and the program runs on without Rockpool:"
                + " java.io.IOException: the agent's jar lacks definer.classes");
  }

  @Test
  void aStartThatFailsIsToldOfAndTheJdkServes() {
    Sources.compileTo(folder, FAILING);

    ChildJvm.Exit exit =
        ChildJvm.plain()
            .with("-javaagent:" + ChildJvm.AGENT_JAR)
            .startingAfter("10")
            .classPath(folder)
            .run("Failing");

    assertThat(exit.output()).containsExactly(REGULAR);
    assertThat(exit.err())
        .singleElement()
        .asString()
        .startsWith("[rockpool] Arenas are the JDK's: the pool's start failed:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"10", "5000"})
  void verboseTellsOnceThatThePoolStarts(String after) {
    Sources.compileTo(folder, MANY);

    ChildJvm.Exit exit =
        ChildJvm.plain()
            .with("-javaagent:" + ChildJvm.AGENT_JAR + "=verbose")
            .startingAfter(after)
            .classPath(folder)
            .run("Many", "1", "platform", after);

    assertThat(exit.out()).containsExactly("true");
    assertThat(exit.err()).containsOnlyOnce("[rockpool] the pool starts");
  }
}
