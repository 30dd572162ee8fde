package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs on the class path: the plain case. */
class ClassPathIT {
  private static final String SHARED = Arena.ofShared().getClass().getName();

  private static final String ALL_WAYS =
      """
      import java.lang.foreign.Arena;
      import java.util.Set;
      import java.util.TreeSet;
      import java.util.function.Supplier;

      public class Main {
        static final Arena CONSTANT = Arena.ofConfined();
        enum Kind { ONE; final Arena arena = Arena.ofConfined(); }
        record Holder(Arena arena) { Holder() { this(Arena.ofConfined()); } }
        interface Opener { default Arena open() { return Arena.ofConfined(); } }

        public static void main(String[] args) throws Exception {
          print("call", Arena.ofConfined());
          Supplier<Arena> reference = Arena::ofConfined;
          print("reference", reference.get());
          Supplier<Arena> lambda = () -> Arena.ofConfined();
          print("lambda", lambda.get());
          print("constant", CONSTANT);
          print("enum", Kind.ONE.arena);
          print("record", new Holder().arena());
          print("interface", new Opener() {}.open());
          Thread platform = new Thread(() -> print("platform thread", Arena.ofConfined()));
          platform.start();
          platform.join();
          print("reflection", (Arena) Arena.class.getMethod("ofConfined").invoke(null));
          print("shared", Arena.ofShared());
        }

        static void print(String what, Arena arena) {
          try (arena) {
            arena.allocate(8).set(java.lang.foreign.ValueLayout.JAVA_LONG, 0, 1L);
            System.out.println(what + ": " + arena.getClass().getName());
          }
        }
      }
      """;

  private static final String ADDRESSES =
      """
      import java.lang.foreign.Arena;
      import java.util.Set;
      import java.util.TreeSet;

      public class Main {
        public static void main(String[] args) {
          Set<Long> addresses = new TreeSet<>();
          for (int i = 0; i < 100; i++) { // then the thread keeps a block
            try (Arena arena = Arena.ofConfined()) {
              arena.allocate(512);
            }
          }
          for (int size = 1; size <= 512; size++) {
            try (Arena arena = Arena.ofConfined()) {
              addresses.add(arena.allocate(size).address());
            }
          }
          System.out.println(addresses.size() + " address");
        }
      }
      """;

  private static final String VIRTUAL_THREADS =
      """
      import java.lang.foreign.Arena;
      import java.lang.foreign.MemorySegment;
      import java.lang.foreign.ValueLayout;
      import java.util.concurrent.Executors;
      import java.util.concurrent.atomic.AtomicLong;

      public class Main {
        static final AtomicLong SUM = new AtomicLong();

        public static void main(String[] args) throws Exception {
          try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 1; i <= 1000; i++) {
              long value = i;
              threads.submit(() -> use(value));
            }
          }
          System.out.println("sum " + SUM);
        }

        static void use(long value) {
          try (Arena outer = Arena.ofConfined()) {
            MemorySegment kept = outer.allocate(ValueLayout.JAVA_LONG);
            if (kept.get(ValueLayout.JAVA_LONG, 0) != 0) {
              throw new AssertionError("not zero");
            }
            kept.set(ValueLayout.JAVA_LONG, 0, value);
            Thread.yield();
            try (Arena inner = Arena.ofConfined()) {
              inner.allocateFrom("x".repeat((int) value % 100));
              Thread.yield();
            }
            SUM.addAndGet(kept.get(ValueLayout.JAVA_LONG, 0));
          }
        }
      }
      """;

  @TempDir private Path directory;

  @Test
  void everyWayToAskForAConfinedArenaGetsAPooledOne() {
    Sources.compileTo(directory, ALL_WAYS);

    assertThat(ChildJvm.withAgent().classPath(directory).run("Main").quietOutput())
        .containsExactly(
            "call: " + POOLED,
            "reference: " + POOLED,
            "lambda: " + POOLED,
            "constant: " + POOLED,
            "enum: " + POOLED,
            "record: " + POOLED,
            "interface: " + POOLED,
            "platform thread: " + POOLED,
            "reflection: " + REGULAR,
            "shared: " + SHARED);
  }

  @Test
  void arenasThatFollowEachOtherUseTheSameMemory() {
    Sources.compileTo(directory, ADDRESSES);

    assertThat(ChildJvm.withAgent().classPath(directory).run("Main").quietOutput())
        .containsExactly("1 address");
  }

  @Test
  void virtualThreadsDoNotSeeEachOthersMemory() {
    Sources.compileTo(directory, VIRTUAL_THREADS);

    assertThat(ChildJvm.withAgent().classPath(directory).run("Main").quietOutput())
        .containsExactly("sum 500500");
  }

  @Test
  void classesInAJarArePooled() throws Exception {
    Path jar = Jars.create(directory.resolve("program.jar"), Sources.compile(25, Programs.ARENA));

    assertThat(ChildJvm.withAgent().with("-jar", jar.toString()).run().quietOutput())
        .containsExactly(POOLED);
  }

  /** As libraries are that still support old Java, and find the arenas by a check at run time. */
  @ParameterizedTest
  @ValueSource(strings = {"8", "11", "17", "21"})
  void classesForAnOlderJavaArePooled(String release) {
    Sources.compileTo(
        directory,
        List.of("-source", release, "-target", release, "-Xlint:-options"),
        Programs.ARENA);

    assertThat(ChildJvm.withAgent().classPath(directory).run("Main").quietOutput())
        .containsExactly(POOLED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-Xverify:all", "-XX:+UseZGC", "-XX:-UseCompressedOops"})
  void otherModesOfTheJvmDoNotMatter(String mode) {
    Sources.compileTo(directory, Programs.ARENA);

    assertThat(ChildJvm.withAgent().with(mode).classPath(directory).run("Main").output())
        .containsExactly(POOLED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-Dsun.nio.PageAlignDirectMemory=true"})
  void whereThePoolStandsAsideArenasAreTheJdks(String mode) {
    ChildJvm.assumeThatItTellsOf(mode);
    Sources.compileTo(directory, Programs.ARENA);

    assertThat(ChildJvm.withAgent().with(mode).classPath(directory).run("Main").quietOutput())
        .containsExactly(REGULAR);
  }

  /** The class path is looked through before the agent's jar. */
  @Test
  void filesOnTheClassPathDoNotReplaceThoseOfTheAgent() throws Exception {
    Sources.compileTo(directory, Programs.ARENA);
    Path folder = Files.createDirectories(directory.resolve("dev/rockpool/agent"));
    for (String group : List.of("definer", "agent", "rewrite", "start", "arenas")) {
      Files.write(folder.resolve(group + ".classes"), new byte[] {1, 2, 3});
    }

    assertThat(ChildJvm.withAgent().classPath(directory).run("Main").quietOutput())
        .containsExactly(POOLED);
  }

  /** Nearly all other classes of the agent are in java.base. */
  @ParameterizedTest
  @CsvSource({
    "AgentInJavaBase, '[rockpool] a class of the program''s shadows the agent''s own,"
        + " dev.rockpool.agent.AgentInJavaBase; the program runs on without Rockpool'",
    "Agent, ''"
  })
  void aClassOfTheProgramThatShadowsTheAgentIsNotGivenItsPower(String name, String told) {
    Sources.compileTo(
        directory,
        Programs.ARENA,
        """
        package dev.rockpool.agent;

        class %s {
          static void premain(String options, java.lang.instrument.Instrumentation power) {
            System.out.println("got " + power);
          }
        }
        """
            .formatted(name));

    ChildJvm.Exit exit = ChildJvm.withAgent().classPath(directory).run("Main");

    assertThat(exit.output()).containsExactly(told.isEmpty() ? POOLED : REGULAR);
    assertThat(String.join("\n", exit.err())).isEqualTo(told);
  }

  @Test
  void theAgentsJarMayStandAnywhere() throws Exception {
    Path folder = Files.createDirectory(directory.resolve("with space, 100% & ümlaut #1"));
    Path jar = Files.copy(ChildJvm.AGENT_JAR, folder.resolve("a gent+.jar"));
    Path classes = Sources.compileTo(directory.resolve("classes"), Programs.ARENA);

    assertThat(ChildJvm.withAgent(jar).classPath(classes).run("Main").quietOutput())
        .containsExactly(POOLED);
  }
}
