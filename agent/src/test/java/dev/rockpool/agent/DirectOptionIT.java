package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Sources;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The effect of option {@code direct} on direct buffers, and on nothing else. */
@Tag("jdk")
class DirectOptionIT {
  private static final String OUT_OF_MEMORY =
      "java.lang.OutOfMemoryError: Direct memory must stay within its limit: asked for %d bytes,"
          + " reserved %d, limit 1048576. %s the limit: -Drockpool.direct.limit.";

  private static final String FREE_OR_RAISE =
      "Free buffers sooner with Unsafe.invokeCleaner, or raise";

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "arenas=on                          | 0    | 0",
        "direct=off                         | 0    | 0",
        "direct                             | 1000 | 1010",
        "direct=on,arenas=off,linker=off    | 1000 | 1010",
        "direct,exclude=*$Inner             | 1000 | 1000",
        "direct,include=*$Inner             | 0    | 10"
      })
  void buffersAreOursAsTheOptionsSay(String options, long call, long withInner) {
    try (ChildJvm.Running program = start(ChildJvm.withAgent(options))) {
      assertThat(program.ask("call 1000")).isEqualTo(figures(call, 1000 - call));
      assertThat(program.ask("inner 10")).isEqualTo(figures(withInner, 1010 - withInner));
      assertThat(program.ask("free")).isEqualTo(figures(0, 0));
      assertThat(program.end().code()).isZero();
    }
  }

  @Test
  void verboseTellsOfClassesAndOfTheCleaner() {
    try (ChildJvm.Running program = start(ChildJvm.withAgent("direct", "verbose"))) {
      program.ask("inner 10");
      program.ask("free");
      assertThat(program.end().err())
          .contains(
              "[rockpool] dev.rockpool.clients.Conversation: 5 call sites of"
                  + " ByteBuffer.allocateDirect(int) rewritten",
              "[rockpool] dev.rockpool.clients.Conversation$Inner: 1 call site of"
                  + " ByteBuffer.allocateDirect(int) rewritten",
              "[rockpool] Unsafe.invokeCleaner frees Rockpool's direct buffers, too");
    }
  }

  @Test
  void whatDoesNotFitIsRefusedAndTheProgramGoesOn() {
    try (ChildJvm.Running program =
        start(ChildJvm.withAgent("direct").with("-Drockpool.direct.limit=1m"))) {
      assertThat(program.ask("call -1"))
          .isEqualTo("java.lang.IllegalArgumentException: capacity < 0: (-1 < 0)");
      assertThat(program.ask("call 2000000"))
          .isEqualTo(OUT_OF_MEMORY.formatted(2_000_000, 0, "Raise"));
      assertThat(program.ask("call 600000")).isEqualTo(figures(600_000, 0));
      assertThat(program.ask("reference 600000"))
          .isEqualTo(OUT_OF_MEMORY.formatted(600_000, 600_000, FREE_OR_RAISE));
      assertThat(program.ask("use")).isEqualTo(figures(600_000, 0));
      assertThat(program.ask("free")).isEqualTo(figures(0, 0));
      assertThat(program.ask("call 600000")).isEqualTo(figures(600_000, 0));
      assertThat(program.end().code()).isZero();
    }
  }

  /** Twenty times the limit, in buffers that are dropped. */
  @Test
  void droppedBuffersAreFoundByTheCollectorUnderTheLimitOfTheJvm() {
    try (ChildJvm.Running program =
        start(ChildJvm.withAgent("direct").with("-XX:MaxDirectMemorySize=1m"))) {
      assertThat(program.ask("churn 100000")).startsWith("ours ").endsWith(", the JVM's 0");
      assertThat(program.ask("collect")).isEqualTo(figures(0, 0));
      assertThat(program.ask("call 2000000"))
          .isEqualTo(OUT_OF_MEMORY.formatted(2_000_000, 0, "Raise"));
      program.end();
    }
  }

  @Test
  void buffersThatHaveToStartOnPagesAreTheJdks() {
    try (ChildJvm.Running program =
        start(ChildJvm.withAgent("direct").with("-Dsun.nio.PageAlignDirectMemory=true"))) {
      assertThat(program.ask("page")).isEqualTo("true");
      assertThat(program.ask("collect")).startsWith("ours 0, ");
      program.end();
    }
  }

  /** The cleaner is rewritten although its class is in use. */
  @Test
  void attachedToAProgramAndTakenOutOfItAgain() throws Exception {
    try (ChildJvm.Running program = start(ChildJvm.plain().with(Attachment.ALLOW))) {
      assertThat(program.ask("call 1000")).isEqualTo(figures(0, 1000));
      assertThat(program.ask("free")).isEqualTo(figures(0, 0));

      Attachment.attach(program, "direct");
      assertThat(program.ask("call 1000")).isEqualTo(figures(1000, 0));
      assertThat(program.ask("reference 100")).isEqualTo(figures(1100, 0));
      assertThat(program.ask("old 10")).as("linked before").isEqualTo(figures(1100, 10));
      assertThat(program.ask("free")).isEqualTo(figures(0, 0));
      program.ask("call 500");

      Attachment.uninstall(program);
      assertThat(program.ask("call 10")).isEqualTo(figures(500, 10));
      assertThat(program.ask("use")).isEqualTo(figures(500, 10));
      assertThat(program.ask("free")).as("only the JDK's").isEqualTo(figures(500, 0));
      assertThat(program.ask("collect")).isEqualTo(figures(0, 0));
      assertThat(program.end().code()).isZero();
    }
  }

  @Test
  void aJarWithoutTheLibraryIsToldAndTheJdksBuffersGoOn() throws Exception {
    Path jar = Jars.withoutLibrary(directory.resolve("agent.jar"));
    try (ChildJvm.Running program = start(ChildJvm.withAgent(jar, "direct,linker=off"))) {
      assertThat(program.ask("call 1000")).isEqualTo(figures(0, 1000));
      assertThat(program.ask("free")).isEqualTo(figures(0, 0));
      assertThat(ClientPrograms.told(program.end()))
          .containsExactlyInAnyOrder(
              "[rockpool] direct buffers can't come from Rockpool on this JDK, which goes on with"
                  + " its own: java.io.UncheckedIOException: java.io.IOException: the agent's jar"
                  + " lacks start.classes",
              "[rockpool] Unsafe.invokeCleaner can't free Rockpool's direct buffers on this JDK,"
                  + " and leaves them to the collector: java.io.UncheckedIOException:"
                  + " java.io.IOException: the agent's jar lacks start.classes");
    }
  }

  @Test
  void waitsAndCollectionsAreSeenByTheFlightRecorder() {
    assertThat(
            ClientPrograms.on(ChildJvm.withAgent("direct").with("-Drockpool.direct.limit=1m"))
                .run(
                    ClientPrograms.named("DirectFlight"),
                    directory.resolve("direct.jfr").toString())
                .quietOutput())
        .containsExactlyInAnyOrder(
            "refused beside 600000",
            "dev.rockpool.DirectMemoryWait 600000 false",
            "dev.rockpool.DirectMemoryCollection 1 true");
  }

  /** Neither JMX nor JFR nor {@code sun.misc.Unsafe} is there. */
  @Test
  void aModuleThatNeedsNothingElseHasThem() {
    Sources.compileTo(
        directory,
        "module app {}",
        """
        package app;

        public class Main {
          public static void main(String[] args) throws Exception {
            System.out.println(java.nio.ByteBuffer.allocateDirect(100).put(0, (byte) 1));
            Class<?> ours = Class.forName("jdk.internal.foreign.RockpoolDirectMemory");
            var global = ours.getDeclaredMethod("global");
            global.setAccessible(true);
            System.out.println(global.invoke(null));
            System.out.println(ModuleLayer.boot().findModule("java.management"));
            while (isWatched()) {
              Thread.sleep(10);
            }
          }

          /** Whether the agent still looks whether JMX is there. */
          static boolean isWatched() {
            return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(each -> each.getName().equals("rockpool-agent"));
          }
        }
        """);

    ChildJvm jvm =
        ChildJvm.withAgent("direct")
            .with("--add-opens=java.base/jdk.internal.foreign=app")
            .with("--limit-modules=java.instrument", "-Xmx32m", "-XX:+UseG1GC")
            .with("--illegal-native-access=deny")
            .modulePath(directory);

    assertThat(jvm.run("-m", "app/app.Main").quietOutput())
        .containsExactly(
            "java.nio.DirectByteBuffer[pos=0 lim=100 cap=100]",
            "DirectMemory[reserved=100, limit=" + (32 << 20) + "]",
            "Optional.empty");
  }

  /** One of its own, and the agent's: neither knows of the other's buffers. */
  @Test
  void aProgramWithTheLibraryHasTwo() {
    Sources.compileTo(
        directory,
        List.of("-cp", ChildJvm.LIBRARY_JAR.toString()),
        """
        import dev.rockpool.direct.DirectMemory;

        static void main() throws Exception {
          ByteBuffer agents = ByteBuffer.allocateDirect(100);
          ByteBuffer own = DirectMemory.global().allocate(10);
          Class<?> ours = Class.forName("jdk.internal.foreign.RockpoolDirectMemory");
          var global = ours.getDeclaredMethod("global");
          global.setAccessible(true);
          System.out.println(global.invoke(null));
          System.out.println(DirectMemory.global());
          try {
            DirectMemory.global().free(agents);
          } catch (IllegalArgumentException refused) {
            System.out.println("refused");
          }
          DirectMemory.global().free(own);
          agents.put(0, (byte) 1);
        }
        """);

    ChildJvm jvm =
        ChildJvm.withAgent("direct")
            .with("--enable-native-access=ALL-UNNAMED", "-Drockpool.direct.limit=1k")
            .with("--add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED")
            .classPath(directory, ChildJvm.LIBRARY_JAR);

    assertThat(jvm.lines())
        .containsExactly(
            "DirectMemory[reserved=100, limit=1024]",
            "DirectMemory[reserved=10, limit=1024]",
            "refused");
  }

  private static ChildJvm.Running start(ChildJvm jvm) {
    ChildJvm.Running program =
        ClientPrograms.on(jvm.with("--add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED"))
            .start(ClientPrograms.named("Conversation"));
    assertThat(program.answer()).isEqualTo("ready");
    return program;
  }

  private static String figures(long ours, long ofJvm) {
    return "ours " + ours + ", the JVM's " + ofJvm;
  }
}
