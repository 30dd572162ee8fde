package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Sources;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs on the class path: the plain case. */
@Tag("jdk")
class ClassPathIT {
  private static final String SHARED = Arena.ofShared().getClass().getName();

  private static final String ALL_WAYS =
      """
      static final Arena CONSTANT = Arena.ofConfined();
      enum Kind { ONE; final Arena arena = Arena.ofConfined(); }
      record Holder(Arena arena) { Holder() { this(Arena.ofConfined()); } }
      interface Opener { default Arena open() { return Arena.ofConfined(); } }

      static void main() throws Exception {
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
      """;

  private static final String VIRTUAL_THREADS =
      """
      static final AtomicLong SUM = new AtomicLong();

      static void main() throws Exception {
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
      """;

  @TempDir private Path directory;

  @Test
  void everyWayToAskForAConfinedArenaGetsAPooledOne() {
    assertThat(ChildJvm.withAgent().program(ALL_WAYS).lines())
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
  void virtualThreadsDoNotSeeEachOthersMemory() {
    assertThat(ChildJvm.withAgent().program(VIRTUAL_THREADS).lines()).containsExactly("sum 500500");
  }

  /** For an older Java as libraries are that find the arenas by a check at run time. */
  @Test
  void classesInAJarArePooledWhereverTheAgentsJarStands() throws Exception {
    Path folder = Files.createDirectory(directory.resolve("with space, 100% & ümlaut #1"));
    Path agent = Files.copy(ChildJvm.AGENT_JAR, folder.resolve("a gent+.jar"));
    Path classes = directory.resolve("classes");
    Sources.compileTo(
        classes, List.of("-source", "8", "-target", "8", "-Xlint:-options"), Programs.ARENA);
    Path jar = Jars.create(directory.resolve("program.jar"), Sources.read(classes));

    assertThat(ChildJvm.withAgent(agent).with("-jar", jar.toString()).run().quietOutput())
        .containsExactly(POOLED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-Xverify:all", "-XX:+UseZGC"})
  void otherModesOfTheJvmDoNotMatter(String mode) {
    assertThat(ChildJvm.withAgent().with(mode).program(Programs.ARENA).run("Main").output())
        .containsExactly(POOLED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-Dsun.nio.PageAlignDirectMemory=true"})
  void whereThePoolStandsAsideArenasAreTheJdks(String mode) {
    ChildJvm.assumeThatItTellsOf(mode);
    assertThat(ChildJvm.withAgent().with(mode).program(Programs.ARENA).lines())
        .containsExactly(REGULAR);
  }

  /** The class path is looked through before the agent's jar. */
  @Test
  void filesOnTheClassPathDoNotReplaceThoseOfTheAgent() throws Exception {
    Sources.compileTo(directory, Programs.ARENA, "package dev.rockpool.agent;\n\nclass Agent {}");
    Path folder = directory.resolve("dev/rockpool/agent");
    for (String group : List.of("definer", "agent", "rewrite", "start", "arenas")) {
      Files.write(folder.resolve(group + ".classes"), new byte[] {1, 2, 3});
    }

    assertThat(ChildJvm.withAgent().classPath(directory).lines()).containsExactly(POOLED);
  }
}
