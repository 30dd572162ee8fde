package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The agent costs nothing before it pays: classes come late, and the pool comes last. */
@Timeout(120)
class StartIT {
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

  /**
   * Takes address space by stacks of threads until none is left for a stack as large as that of the
   * start: less would end the JVM. Opens arenas then, and after the threads ended.
   */
  private static final String NO_THREAD =
      """
      import java.lang.foreign.Arena;
      import java.util.ArrayList;
      import java.util.List;
      import java.util.concurrent.CountDownLatch;

      public class NoThread {
        static final CountDownLatch END = new CountDownLatch(1);
        static volatile String last;

        static void open() {
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(8);
            last = arena.getClass().getName();
          }
        }

        static void await() {
          try {
            END.await();
          } catch (InterruptedException never) {
            return;
          }
        }

        public static void main(String[] args) throws InterruptedException {
          List<Thread> threads = new ArrayList<>();
          open();
          for (long stack = 256 << 20; stack >= 1 << 20; stack >>= 1) {
            try {
              while (true) {
                Thread thread = new Thread(null, NoThread::await, "waits", stack);
                thread.start();
                threads.add(thread);
              }
            } catch (OutOfMemoryError full) {
              // The program's own.
            }
          }
          for (int i = 0; i < 6000; i++) {
            open();
          }
          System.out.println(last);
          END.countDown();
          for (Thread each : threads) {
            each.join();
          }
          Thread.sleep(300); // the system frees the stacks a little later
          while (!last.contains("Rockpool")) {
            open();
          }
          System.out.println(last);
        }
      }
      """;

  /** Loads a class with arenas where so many bytes of heap are left, and the next where all are. */
  private static final String FULL =
      """
      import java.lang.foreign.Arena;

      public class Full {
        public static class Opener {
          public static String open() {
            try (Arena arena = Arena.ofConfined()) {
              arena.allocate(8);
              return arena.getClass().getName();
            }
          }
        }

        static class Loader extends ClassLoader {
          Class<?> define(byte[] bytes) {
            return defineClass("Full$Opener", bytes, 0, bytes.length);
          }
        }

        static Object[] kept = new Object[1 << 21];

        public static void main(String[] args) throws Exception {
          byte[] bytes;
          try (var in = Full.class.getResourceAsStream("Full$Opener.class")) {
            bytes = in.readAllBytes();
          }
          Loader first = new Loader();
          int count = 0;
          if (args.length > 1) {
            while (Runtime.getRuntime().freeMemory() > Integer.parseInt(args[0])) {
              kept[count++] = new byte[1000];
            }
          }
          byte[] left = new byte[args.length > 1 ? 0 : Integer.parseInt(args[0])];
          for (int size = 1 << 20; size >= 16 && args.length == 1; size >>= 1) {
            try {
              while (true) {
                kept[count++] = new byte[size];
              }
            } catch (OutOfMemoryError full) {
              count--;
            }
          }
          left = null;
          try {
            first.define(bytes);
          } catch (OutOfMemoryError full) {
            // The program's own.
          }
          kept = null;
          String opened = "";
          for (int i = 0; i < 10_000 && !opened.contains("Rockpool"); i++) {
            opened = (String) new Loader().define(bytes).getMethod("open").invoke(null);
            Thread.sleep(1); // the agent waits before it collects garbage again
          }
          System.out.println(opened);
        }
      }
      """;

  /** Fails while the pool's start reads a setting: once for lack of heap, or else for good. */
  private static final String FAILING =
      """
      import java.lang.foreign.Arena;
      import java.util.Properties;

      public class Failing {
        static final Error FULL = new OutOfMemoryError("made before");
        static final Error BROKEN = new NoClassDefFoundError();
        static Object[] kept = new Object[1 << 20];
        static volatile boolean failed;
        static volatile boolean full;

        static class Settings extends Properties {
          @Override
          public String getProperty(String name) {
            if (!name.equals("rockpool.shared.slots") || failed) {
              return super.getProperty(name);
            }
            failed = true;
            if (getProperty("once") != null) {
              throw FULL;
            }
            if (getProperty("interrupted") != null) {
              Thread.currentThread().interrupt();
            }
            fill();
            full = true;
            throw BROKEN;
          }
        }

        static void fill() {
          int count = 0;
          for (int size = 1 << 20; size >= 16; size >>= 1) {
            try {
              while (true) {
                kept[count] = new byte[size];
                count++;
              }
            } catch (OutOfMemoryError full) {
              continue;
            }
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
          Thread.sleep(1); // its first use takes heap
          while (!failed) {
            open();
          }
          while (!full && System.getProperty("once") == null) {
            Thread.onSpinWait();
          }
          Thread.sleep(500);
          kept = null;
          String opened = "";
          for (int i = 0; i < 4000 && !opened.contains("Rockpool"); i++) {
            opened = open();
            Thread.sleep(1);
          }
          System.out.println(opened);
        }
      }
      """;

  /** Leaves so many bytes of heap, opens enough arenas for a start, and then frees the heap. */
  private static final String NEARLY_FULL =
      """
      import java.lang.foreign.Arena;

      public class NearlyFull {
        static Object[] kept = new Object[1 << 17];
        static volatile String last;

        static long free() {
          Runtime runtime = Runtime.getRuntime();
          return runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
        }

        static void open() {
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(8);
            last = arena.getClass().getName();
          }
        }

        public static void main(String[] args) throws InterruptedException {
          long left = Long.parseLong(args[0]);
          open();
          System.gc();
          for (int i = 0; free() > left + 4000; System.gc()) {
            while (free() > left + 2000) {
              kept[i++] = new byte[1000];
            }
          }
          for (int i = 0; i < 8000; i++) {
            open();
            if (i % 100 == 0) {
              Thread.sleep(0, 200_000);
            }
          }
          Thread.sleep(300);
          kept = null;
          while (!last.contains("Rockpool")) {
            open();
          }
          System.out.println(last);
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

  /** Loads a class with arenas when told to. */
  private static final String WAITING =
      """
      import java.util.Scanner;

      public class Waiting {
        public static void main(String[] args) throws Exception {
          System.out.println("ready");
          Scanner lines = new Scanner(System.in);
          while (lines.hasNextLine()) {
            if (lines.nextLine().equals("options")) {
              System.out.println(System.getProperty("rockpool.agent.options"));
            } else {
              Class.forName("Few").getMethod("main", String[].class).invoke(null, (Object) args);
            }
          }
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
  void aProgramWithoutArenasLoadsTheGateAlone() throws IOException {
    ClassLoadingLog classes = classesOf("None");

    assertThat(classes.sources().keySet().stream().filter(each -> each.contains("rockpool")))
        .containsExactlyInAnyOrder(
            "dev.rockpool.agent.AgentEntry", "dev.rockpool.agent.Door", "dev.rockpool.agent.Gate");
    assertThat(classes.ours()).isEmpty();
  }

  @Test
  void aProgramWithFewArenasHasNoPool() throws IOException {
    assertThat(classesOf("Few").library())
        .containsExactlyInAnyOrder(
            "java.lang.foreign.RockpoolArenas",
            "jdk.internal.foreign.RockpoolStart",
            "jdk.internal.foreign.RockpoolStart$Preparation");
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
                .with("-javaagent:" + ChildJvm.AGENT_JAR, "-Drockpool.first.arenas=0")
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
                .with("-Drockpool.first.arenas=0")
                .startingAfter("20")
                .classPath(folder)
                .run("Many", "1", "platform", "20")
                .quietOutput())
        .containsExactly("true");
  }

  /** Each attempt takes milliseconds, and the JVM prints two lines. */
  @Test
  @EnabledOnOs(OS.LINUX) // "ulimit"
  void aStartWithoutThreadIsNotTriedAgainAtOnce() {
    Sources.compileTo(folder, NO_THREAD);

    ChildJvm.Exit exit =
        ChildJvm.plain()
            .with("-javaagent:" + ChildJvm.AGENT_JAR, "-Drockpool.first.arenas=0")
            .with("-XX:+UseSerialGC", "-Xmx64m", "-XX:ReservedCodeCacheSize=64m")
            .with("-XX:CompressedClassSpaceSize=32m")
            .withAddressSpace(1_500_000)
            .startingAfter("")
            .classPath(folder)
            .run("NoThread");

    assertThat(exit.output())
        .filteredOn(line -> !line.contains("[warning]"))
        .containsExactly(REGULAR, ChildJvm.POOLED);
    assertThat(exit.output()).filteredOn(line -> line.contains("rockpool-start")).hasSize(1);
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
                .with("-Drockpool.first.arenas=0")
                .startingAfter("10")
                .classPath(folder)
                .run("Later")
                .quietOutput())
        .containsExactly(ChildJvm.POOLED);
    assertThat(ClassLoadingLog.read(log).sources().keySet())
        .filteredOn(each -> each.startsWith("javax.management."))
        .containsExactly("javax.management.MBeanServerFactory");
  }

  private ChildJvm.Running waiting() {
    Sources.compileTo(folder, FEW, WAITING);
    ChildJvm.Running program =
        ChildJvm.withAgent().with(Attachment.ALLOW).classPath(folder).start("Waiting");
    assertThat(program.answer()).isEqualTo("ready");
    return program;
  }

  @Test
  void anAgentThatWaitsForArenasIsSeenAndCanLeave() throws Exception {
    try (ChildJvm.Running program = waiting()) {
      assertThat(program.ask("options"))
          .isEqualTo("none yet, waits for the first class that opens arenas");
      Attachment.uninstall(program);
      assertThat(program.ask("options")).isEqualTo("null");
      assertThat(program.ask("arena")).isEqualTo(REGULAR);
    }
  }

  @Test
  void anAgentThatWaitsForArenasTakesTheOptionsOfAnAttach() throws Exception {
    try (ChildJvm.Running program = waiting()) {
      Attachment.attach(program, "exclude=Few");
      assertThat(program.ask("options")).contains("exclude=Few");
      assertThat(program.ask("arena")).isEqualTo(REGULAR);
    }
  }

  @Test
  void anAgentThatWaitsForArenasWaitsOnAfterARefusedAttach() throws Exception {
    try (ChildJvm.Running program = waiting()) {
      assertThatThrownBy(() -> Attachment.attach(program, "nonsense"));
      assertThat(program.ask("options")).startsWith("none yet");
      assertThat(program.ask("arena")).isEqualTo(ChildJvm.POOLED);
    }
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

  @ParameterizedTest
  @ValueSource(ints = {20_000, 50_000, 100_000, 300_000, 600_000, 1_000_000})
  void anInstallationThatHasNoHeapBreaksNothing(int left) {
    Sources.compileTo(folder, FULL);

    ChildJvm.Exit exit =
        ChildJvm.withAgent()
            .with("-Xms24m", "-Xmx24m", "-Xmn2m", "-XX:+UseSerialGC", "-XX:-UseTLAB")
            .classPath(folder)
            .run("Full", Integer.toString(left));

    assertThat(exit.output()).containsExactly(ChildJvm.POOLED);
    assertThat(exit.err()).isEmpty();
  }

  /** A trial allocation would fail, and the JVM would end at its error, caught or not. */
  @ParameterizedTest
  @ValueSource(strings = {"Serial", "G1"})
  void aProgramThatEndsWithItsFirstOutOfMemoryErrorGoesOn(String collector) {
    Sources.compileTo(folder, FULL);

    ChildJvm.Exit exit =
        ChildJvm.withAgent()
            .with("-Xms32m", "-Xmx32m", "-XX:+Use" + collector + "GC")
            .with("-XX:+ExitOnOutOfMemoryError")
            .classPath(folder)
            .run("Full", "1500000", "gently");

    assertThat(exit.output()).containsExactly(ChildJvm.POOLED);
    assertThat(exit.err()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"Parallel, 2m, 700000", "Serial, 1m, 300000", "G1, 2m, 1500000"})
  void aStartAtAFullHeapIsNoOutOfMemoryErrorOfTheJvm(String collector, String young, String left) {
    Sources.compileTo(folder, NEARLY_FULL);

    ChildJvm.Exit exit =
        ChildJvm.plain()
            .with("-javaagent:" + ChildJvm.AGENT_JAR, "-Drockpool.first.arenas=0")
            .with("-Xms24m", "-Xmx24m", "-Xmn" + young, "-XX:+Use" + collector + "GC")
            .with("-XX:+ExitOnOutOfMemoryError")
            .startingAfter("")
            .classPath(folder)
            .run("NearlyFull", left);

    assertThat(exit.output()).containsExactly(ChildJvm.POOLED);
    assertThat(exit.err()).isEmpty();
  }

  private ChildJvm.Exit failing(String... options) {
    Sources.compileTo(folder, FAILING);
    return ChildJvm.plain()
        .with("-javaagent:" + ChildJvm.AGENT_JAR, "-Drockpool.first.arenas=0", "-Xmx32m")
        .with(options)
        .startingAfter("10")
        .classPath(folder)
        .run("Failing");
  }

  @Test
  void aPoolThatIsMadeWhileTheHeapIsFullIsMadeAgain() {
    ChildJvm.Exit exit = failing("-Donce=1");

    assertThat(exit.output()).containsExactly(ChildJvm.POOLED);
    assertThat(exit.err()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-XX:+UseSerialGC", "-Dinterrupted=1"})
  void aStartThatFailsIsToldOfOnceThereIsHeapAgain(String option) {
    ChildJvm.Exit exit = failing(option);

    assertThat(exit.output()).containsExactly(REGULAR);
    assertThat(exit.err())
        .containsExactly(
            "[rockpool] Arenas are the JDK's: the pool's start failed:"
                + " java.lang.NoClassDefFoundError");
  }

  @ParameterizedTest
  @ValueSource(strings = {"10", "5000"})
  void verboseTellsOnceThatThePoolStarts(String after) {
    Sources.compileTo(folder, MANY);

    ChildJvm.Exit exit =
        ChildJvm.plain()
            .with("-javaagent:" + ChildJvm.AGENT_JAR + "=verbose", "-Drockpool.first.arenas=0")
            .startingAfter(after)
            .classPath(folder)
            .run("Many", "1", "platform", after);

    assertThat(exit.out()).containsExactly("true");
    assertThat(exit.err()).containsOnlyOnce("[rockpool] the pool starts");
  }
}
