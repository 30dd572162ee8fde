package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.rockpool.testing.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The memory of C code by line, from option {@code record.c} to the events in the file. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "async-profiler is loaded on Linux alone")
class CCodeIT {
  /** Keeps 200 of 2,000 deflaters, of some 270 KB each. */
  private static final String MAIN =
      """
      static final List<Deflater> KEPT = new ArrayList<>();

      static void main(String[] args) {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000;
        for (int i = 0; i < 2000 || System.nanoTime() < end; i++) {
          deflate();
          if (i < 2000 && i % 10 == 0) {
            leak();
          }
        }
        System.out.println("done");
      }

      static void deflate() {
        try (Deflater deflater = new Deflater()) {
          deflater.setInput(new byte[100]);
          deflater.finish();
          deflater.deflate(new byte[200]);
        }
      }

      static void leak() {
        KEPT.add(new Deflater());
      }
      """;

  /** In so many, the profiler records more than it keeps in a file. */
  private static final int SECONDS = 5;

  private static final int LEAK = 23;

  /** What a deflater takes at most; zlib-ng and the system's zlib differ from the JDK's. */
  private static final long MOST_BYTES = 200 * 400_000L;

  private static final long LEAST_BYTES = 200 * 200_000L;

  @TempDir private Path folder;
  private Path jar;
  private Path scratch;

  @BeforeEach
  void makeProgram() throws IOException {
    jar = Jars.create(folder.resolve("a.jar"), Sources.compile(Sources.RELEASE, MAIN));
    scratch = Files.createDirectories(folder.resolve("scratch, 100%"));
  }

  private ChildJvm.Exit run(Path agent, String option, String... more) {
    return run(agent, 0, option, more);
  }

  private ChildJvm.Exit run(Path agent, int seconds, String option, String... more) {
    return ChildJvm.withAgent(agent, "record=" + folder.resolve("a.jfr") + "," + option)
        .with("-Djava.io.tmpdir=" + scratch)
        .with(more)
        .run("-jar", jar.toString(), Integer.toString(seconds));
  }

  private List<RecordedEvent> memory() throws IOException {
    return FigureEvents.read(folder.resolve("a.jfr"), "CMemory");
  }

  @ParameterizedTest
  @CsvSource({"record.c, 65536", "record.c=512k, 524288", "record.c=0, 0"})
  void theLineThatLeaksHasMostBytesOfCCode(String option, long interval) throws IOException {
    assertThat(run(ChildJvm.AGENT_JAR, option).quietOutput()).containsExactly("done");

    RecordedEvent most = memory().getFirst();
    assertThat(most.getString("category")).isEqualTo("C code");
    assertThat(most.getString("site")).isEqualTo("Main.leak:" + LEAK);
    assertThat(most.getString("library")).contains("z");
    assertThat(most.getString("stack")).contains("java.util.zip.Deflater.init", "Main.main:");
    assertThat(most.getLong("liveBytes")).isBetween(LEAST_BYTES, MOST_BYTES);
    assertThat(most.getLong("interval")).isEqualTo(interval);
    assertThat(memory()).extracting(event -> event.getString("site")).doesNotHaveDuplicates();
    assertThat(memory())
        .filteredOn(event -> event.getString("site").startsWith("Main.deflate"))
        .allMatch(event -> event.getLong("liveBytes") < LEAST_BYTES / 10);
  }

  /** All but some events between two files are there. */
  @Test
  void manyFilesAreFoldedOneAfterTheOther() throws IOException {
    run(ChildJvm.AGENT_JAR, SECONDS, "record.c=0").quietOutput();

    RecordedEvent most = memory().getFirst();
    assertThat(most.getString("site")).isEqualTo("Main.leak:" + LEAK);
    assertThat(most.getLong("liveBytes")).isBetween(LEAST_BYTES, MOST_BYTES);
    assertThat(memory())
        .filteredOn(event -> event.getString("site").startsWith("Main.deflate"))
        .allMatch(event -> event.getLong("liveBytes") < LEAST_BYTES / 10);
  }

  @Test
  void neitherFilesNorWarningsAreLeftEvenIfNativeAccessIsDenied() throws IOException {
    run(ChildJvm.AGENT_JAR, "record.c", "--illegal-native-access=deny").quietOutput();

    assertThat(memory()).isNotEmpty();
    try (Stream<Path> left = Files.list(scratch)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void withoutItsJarALineSaysSoAndTheRecordingGoesOn() throws IOException {
    Path alone = Files.copy(ChildJvm.AGENT_JAR, folder.resolve("rockpool-agent.jar"));
    ChildJvm.Exit exit = run(alone, "record.c");

    assertThat(exit.output()).containsExactly("done");
    assertThat(exit.err())
        .containsExactly(
            "[rockpool] C code is not recorded (record.c): async-profiler.jar must be beside the"
                + " agent's jar; it is tools.profiler:async-profiler in Maven");
    assertThat(memory()).isEmpty();
    assertThat(RecordingFile.readAllEvents(folder.resolve("a.jfr"))).isNotEmpty();
  }

  @Test
  void aJarThatIsNoneLeavesNothing() throws IOException {
    Path alone = Files.copy(ChildJvm.AGENT_JAR, folder.resolve("rockpool-agent.jar"));
    Files.copy(jar, folder.resolve("async-profiler-9.9.jar"));
    ChildJvm.Exit exit = run(alone, "record.c");

    assertThat(exit.output()).containsExactly("done");
    assertThat(exit.err())
        .singleElement(STRING)
        .startsWith("[rockpool] C code is not recorded (record.c): ")
        .contains("async-profiler-9.9.jar lacks linux-");
    try (Stream<Path> left = Files.list(scratch)) {
      assertThat(left).isEmpty();
    }
  }

  /** Maps 64 MiB, which malloc does not see, and has C code write to them. */
  private static final String MAPS =
      """
      import static java.lang.foreign.ValueLayout.*;

      static MethodHandle handle(String name, MemoryLayout result, MemoryLayout... arguments) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
            linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, arguments));
      }

      static void main() throws Throwable {
        MethodHandle mmap =
            handle("mmap", ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
        MethodHandle memset = handle("memset", ADDRESS, ADDRESS, JAVA_INT, JAVA_LONG);
        long bytes = 64L << 20;
        MemorySegment memory =
            (MemorySegment) mmap.invokeExact(MemorySegment.NULL, bytes, 3, 0x22, -1, 0L);
        touch(memset, memory, bytes);
        System.out.println("done");
      }

      static void touch(MethodHandle memset, MemorySegment memory, long bytes) throws Throwable {
        MemorySegment same = (MemorySegment) memset.invokeExact(memory, 1, bytes);
      }
      """;

  @Test
  @EnabledIf(
      value = "showsPageFaults",
      disabledReason = "the kernel does not let a process see its page faults")
  void pagesThatCCodeTouchesHaveTheirLine() throws IOException {
    jar = Jars.create(folder.resolve("maps.jar"), Sources.compile(Sources.RELEASE, MAPS));
    run(
            ChildJvm.AGENT_JAR,
            "record.c,record.c.faults",
            "--enable-native-access=ALL-UNNAMED",
            "-XX:-UseTransparentHugePages")
        .quietOutput();

    RecordedEvent most = FigureEvents.read(folder.resolve("a.jfr"), "CPages").getFirst();
    assertThat(most.getString("site")).isEqualTo("Main.touch:21");
    assertThat(most.getString("library")).contains("libc");
    assertThat(most.getLong("touchedBytes")).isBetween(60L << 20, 70L << 20);
    assertThat(memory()).isNotEmpty(); // malloc goes on being sampled
  }

  static boolean showsPageFaults() throws IOException {
    Path level = Path.of("/proc/sys/kernel/perf_event_paranoid");
    return Files.exists(level) && Integer.parseInt(Files.readString(level).strip()) <= 2;
  }
}
