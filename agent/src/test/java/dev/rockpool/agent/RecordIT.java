package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Sources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Recording, from the option to the events in the file. */
class RecordIT {
  private static final String MAIN =
      """
      static void main(String[] args) throws Exception {
        switch (args[0]) {
          case "known" -> known();
          case "threads" -> threads(Thread.ofPlatform());
          case "virtual" -> threads(Thread.ofVirtual());
          case "moving" -> moving();
          case "talk" -> {
            Scanner lines = new Scanner(System.in);
            while (lines.hasNextLine()) {
              open(Integer.parseInt(lines.nextLine()), 8);
              System.out.println("done");
            }
          }
          default -> throw new AssertionError(args[0]);
        }
      }

      static void known() {
        open(900, 8);
        open(50, 0);
        for (int i = 0; i < 10; i++) {
          try (Arena outer = Arena.ofConfined()) {
            outer.allocate(100);
            outer.allocate(20, 64);
            Other.open();
          }
        }
      }

      static void threads(Thread.Builder kind) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
          threads.add(kind.start(() -> open(1000, 24)));
        }
        for (Thread thread : threads) {
          thread.join();
        }
      }

      /** Uses an arena on another carrier than it was opened on: which thread's counts then? */
      static void moving() throws Exception {
        FutureTask<Boolean> moves = new FutureTask<>(() -> {
          try (Arena arena = Arena.ofConfined()) {
            long first = threadOfCounts(arena);
            String carrier = carrier();
            while (carrier().equals(carrier)) {
              Thread.sleep(1); // wakes on any carrier
            }
            arena.allocate(8);
            return threadOfCounts(arena) != first;
          }
        });
        Thread.ofVirtual().start(moves);
        System.out.println(moves.get());
      }

      static String carrier() {
        return Thread.currentThread().toString().replaceFirst(".*@", "");
      }

      static long threadOfCounts(Arena arena) throws Exception {
        var counts = arena.getClass().getDeclaredField("counts");
        counts.setAccessible(true);
        var thread = counts.getType().getDeclaredField("threadId");
        thread.setAccessible(true);
        return thread.getLong(counts.get(arena));
      }

      static void open(int arenas, int byteSize) {
        for (int i = 0; i < arenas; i++) {
          try (Arena arena = Arena.ofConfined()) {
            if (byteSize > 0) {
              arena.allocate(byteSize);
            }
          }
        }
      }

      static class Other {
        static void open() {
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(20_000);
          }
        }
      }
      """;

  @TempDir private Path directory;
  private Path program;
  private Path current;

  @BeforeEach
  void compile() throws Exception {
    program = Sources.compileTo(directory.resolve("program"), MAIN);
    current = Files.createDirectory(directory.resolve("current"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"on", "off"})
  void figuresOfAKnownProgramAreExact(String arenas) throws Exception {
    run("known", "record", "arenas=" + arenas).quietOutput();

    List<RecordedEvent> events = read(onlyFile());
    assertThat(histograms(events))
        .containsExactly(
            "platform arenas=970 allocations=930 bytes=208400 empty=50"
                + " | 0=50 8=900 64=10 16384=10 | 8=7200 64=1200 16384=200000");
    assertThat(sites(events))
        .containsExactlyInAnyOrder(
            "Main.open:LINE arenas=950 allocations=900 bytes=7200 largestTotal=8 | 0=50 8=900",
            "Main.known:LINE arenas=10 allocations=20 bytes=1200 largestTotal=120 | 64=10",
            "Main$Other.open:LINE arenas=10 allocations=10 bytes=200000 largestTotal=20000"
                + " | 16384=10");
    RecordedEvent settings = named(events, "RecorderSettings").getFirst();
    assertThat(settings.getBoolean("arenas")).isEqualTo(arenas.equals("on"));
    assertThat(settings.getInt("followed")).isEqualTo(8192);
    assertThat(settings.getString("jdk")).isEqualTo(Runtime.version().toString());
    assertThat(settings.getInt("processors")).isPositive();
    assertThat(settings.getString("program")).isEqualTo("Main");
    assertThat(settings.getString("host")).startsWith(System.getProperty("os.name") + " ");
  }

  @ParameterizedTest
  @CsvSource({"threads, platform, 100", "virtual, virtual, 0"})
  void figuresOfManyThreadsAreExact(String what, String kind, long threads) throws Exception {
    run(what, "record=named-%p.jfr").quietOutput();

    Path file = onlyFile();
    assertThat(file.getFileName().toString()).matches("named-\\d+\\.jfr");
    assertThat(histograms(read(file)))
        .containsExactly(
            kind
                + " arenas=100000 allocations=100000 bytes=2400000 empty=0"
                + " | 24=100000 | 24=2400000");
    List<RecordedEvent> settings = named(read(file), "RecorderSettings");
    assertThat(settings.stream().mapToLong(event -> event.getLong("threads")).sum())
        .isBetween(threads, threads + 200);
    assertThat(settings.stream().mapToLong(event -> event.getLong("processorTime")).sum())
        .isPositive();
  }

  /** Each platform thread has counts of its own, which no other may write. */
  @Test
  void virtualThreadsCountWhereTheyAre() throws Exception {
    ChildJvm jvm =
        ChildJvm.withAgent("record")
            .with("-Djdk.virtualThreadScheduler.parallelism=4")
            .with("--add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED")
            .in(current)
            .classPath(program);

    assertThat(jvm.lines("moving")).containsExactly("true");
    assertThat(histograms(read(onlyFile())))
        .containsExactly("virtual arenas=1 allocations=1 bytes=8 empty=0 | 8=1 | 8=8");
  }

  @Test
  void theRecordingThatIsRunningHasTheEventsAndNoOtherIsWritten() throws Exception {
    ChildJvm.withAgent("record")
        .with("-XX:StartFlightRecording:filename=theirs.jfr", "-Xlog:jfr*=off")
        .in(current)
        .classPath(program)
        .lines("known");

    assertThat(onlyFile()).hasFileName("theirs.jfr");
    assertThat(histograms(read(onlyFile()))).hasSize(1);
  }

  @Test
  void dumpsHaveWhatWasClosedSinceTheLast() throws Exception {
    try (ChildJvm.Running jvm =
        ChildJvm.withAgent("record=end.jfr").in(current).classPath(program).start("Main", "talk")) {
      for (int round = 1; round <= 3; round++) {
        jvm.ask(Integer.toString(round * 100));
        jcmd(jvm.pid(), "JFR.dump", "name=rockpool", "filename=" + current.resolve("dump.jfr"));
        int sum = 100 * round * (round + 1) / 2;
        assertThat(arenas(read(current.resolve("dump.jfr")))).isEqualTo(sum);
      }
      jvm.ask("7");
      jvm.end().quietOutput();
    }
    assertThat(arenas(read(current.resolve("end.jfr")))).isEqualTo(607);
  }

  @Test
  void theFileIsWrittenWhenTheProgramIsTerminated() throws Exception {
    try (ChildJvm.Running jvm =
        ChildJvm.withAgent("record=killed.jfr")
            .in(current)
            .classPath(program)
            .start("Main", "talk")) {
      jvm.ask("500");
      ProcessHandle process = ProcessHandle.of(Long.parseLong(jvm.pid())).orElseThrow();
      process.destroy();
      process.onExit().join();
      assertThat(jvm.end().code()).isEqualTo(128 + 15);
    }
    assertThat(arenas(read(current.resolve("killed.jfr")))).isEqualTo(500);
  }

  @Test
  void recordingMayStartByAttachAndEndWithTheAgent() throws Exception {
    try (ChildJvm.Running jvm =
        ChildJvm.plain()
            .with(Attachment.ALLOW)
            .in(current)
            .program(Programs.CONVERSATION)
            .start("Main")) {
      assertThat(jvm.answer()).isEqualTo("ready");
      for (String file : List.of("first.jfr", "second.jfr")) {
        Attachment.attach(jvm, "record=" + file);
        assertThat(jvm.ask("call")).isEqualTo("jdk.internal.foreign.RockpoolRecordedArena");
        assertThat(jvm.ask("late")).isEqualTo("jdk.internal.foreign.RockpoolRecordedArena");
        Attachment.uninstall(jvm);
        assertThat(jvm.ask("call")).isEqualTo(ChildJvm.REGULAR);

        List<RecordedEvent> events = read(current.resolve(file));
        assertThat(arenas(events)).isEqualTo(2);
        assertThat(named(events, "ArenaSite"))
            .extracting(site -> site.getString("site"))
            .allMatch(site -> String.valueOf(site).matches("Main(\\$Late)?\\.\\w+:\\d+"))
            .hasSize(2);
        assertThat(named(events, "HolderSite"))
            .filteredOn(site -> site.getString("site").startsWith("Main")) // others are the JDK's
            .isNotEmpty()
            .allSatisfy(site -> assertThat(site.getLong("opened")).isEqualTo(1));
      }
      jvm.end().quietOutput();
    }
  }

  @Test
  void recordedArenasAreThoseOfThePresentAttach() throws Exception {
    try (ChildJvm.Running jvm =
        ChildJvm.plain()
            .with(Attachment.ALLOW, "--add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED")
            .in(current)
            .program(Programs.CONVERSATION)
            .start("Main")) {
      assertThat(jvm.answer()).isEqualTo("ready");
      for (String arenas : List.of("off", "on", "off")) {
        Attachment.attach(jvm, "record=" + arenas + ".jfr,arenas=" + arenas);
        assertThat(jvm.ask("hold")).isEqualTo("jdk.internal.foreign.RockpoolRecordedArena");
        assertThat(jvm.ask("wrapped")).isEqualTo(arenas.equals("on") ? POOLED : ChildJvm.REGULAR);
        Attachment.uninstall(jvm);
      }
      jvm.end().quietOutput();
    }
  }

  @Test
  void classesBeyondTheFirstFourThousandShareASite() throws Exception {
    int classes = 5000;
    Map<String, byte[]> many = new TreeMap<>();
    byte[] one =
        Sources.compile(
                Sources.RELEASE,
                """
                public class Many0000 {
                  public static void open() {
                    java.lang.foreign.Arena.ofConfined().close();
                  }
                }
                """)
            .get("Many0000");
    for (int i = 0; i < classes; i++) {
      String name = "Many%04d".formatted(i);
      many.put(
          name,
          new String(one, StandardCharsets.ISO_8859_1)
              .replace("Many0000", name)
              .getBytes(StandardCharsets.ISO_8859_1));
    }
    many.putAll(
        Sources.compile(
            Sources.RELEASE,
            """
            static void main() throws Exception {
              for (int i = 0; i < 5000; i++) {
                Class.forName("Many%04d".formatted(i)).getMethod("open").invoke(null);
              }
            }
            """));
    Path jar = Jars.create(directory.resolve("many.jar"), many);

    ChildJvm.withAgent("record").in(current).classPath(jar).lines();

    List<RecordedEvent> events = read(onlyFile());
    assertThat(arenas(events)).isEqualTo(classes);
    List<RecordedEvent> sites = named(events, "ArenaSite");
    assertThat(sites).hasSize(4001);
    assertThat(sites)
        .filteredOn(site -> site.getString("site").equals("(others)"))
        .singleElement()
        .extracting(site -> site.getLong("arenas"))
        .isEqualTo(1000L);
  }

  /** Nothing but confined arenas is Rockpool's then. */
  @ParameterizedTest
  @CsvSource({
    "--limit-modules=java.base java.instrument, module jdk.jfr is not there",
    "-Djava.io.tmpdir=/proc/none, Flight Recorder"
  })
  void withoutTheFlightRecorderTheProgramRunsOn(String option, String reason) {
    String program =
        """
        import module java.base;

        public class All {
          public static void main(String[] args) throws Exception {
            Arena.ofShared().close();
            Path file = Path.of(args[0]);
            try (FileChannel channel = FileChannel.open(file); Arena arena = Arena.ofConfined()) {
              channel.map(FileChannel.MapMode.READ_ONLY, 0, 1);
              channel.map(FileChannel.MapMode.READ_ONLY, 0, 1, arena);
              System.out.println(Arena.ofAuto().getClass() == Arena.global().getClass());
              System.out.println(arena.getClass().getName());
            }
            System.out.println(ByteBuffer.allocateDirect(1).getClass().getName());
          }
        }
        """;

    ChildJvm.Exit exit =
        ChildJvm.withAgent("record")
            .with(option.replace(' ', ','))
            .program(program)
            .run("All", ChildJvm.AGENT_JAR.toString());

    assertThat(exit.output()).containsExactly("true", POOLED, "java.nio.DirectByteBuffer");
    assertThat(exit.err())
        .filteredOn(line -> line.startsWith("[rockpool]"))
        .singleElement()
        .asString()
        .contains(
            "arenas can't be recorded, and the program runs on without a recording: ", reason);
  }

  @Test
  void aFileThatCannotBeWrittenIsRefusedBeforeTheProgram() throws Exception {
    ChildJvm.Exit exit = run("known", "record=" + current);

    assertThat(exit.code()).isEqualTo(1);
    assertThat(exit.err())
        .containsExactly(
            "[rockpool] Agent option record must be on or off, or a file that can be written: \""
                + current
                + "\"");
    try (Stream<Path> files = Files.list(current)) {
      assertThat(files).isEmpty();
    }
  }

  private ChildJvm.Exit run(String what, String... options) {
    return ChildJvm.withAgent(options).in(current).classPath(program).run("Main", what);
  }

  private Path onlyFile() throws IOException {
    try (Stream<Path> files = Files.list(current)) {
      List<Path> all = files.toList();
      assertThat(all).hasSize(1);
      return all.getFirst();
    }
  }

  private static void jcmd(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin/jcmd").toString());
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor()).isZero();
  }

  private static List<RecordedEvent> read(Path file) throws IOException {
    return RecordingFile.readAllEvents(file);
  }

  private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals("dev.rockpool." + name))
        .toList();
  }

  private static long arenas(List<RecordedEvent> events) {
    long bySites = named(events, "ArenaSite").stream().mapToLong(e -> e.getLong("arenas")).sum();
    assertThat(named(events, "ArenaHistogram").stream().mapToLong(e -> e.getLong("arenas")).sum())
        .isEqualTo(bySites);
    return bySites;
  }

  private static List<String> histograms(List<RecordedEvent> events) {
    return named(events, "ArenaHistogram").stream()
        .map(
            event ->
                text(event, "%s arenas=%s", "threadKind", "arenas")
                    + text(event, " allocations=%s bytes=%s", "allocations", "bytes")
                    + text(event, " empty=%s | %s | %s", "empty", "totals", "totalBytes"))
        .toList();
  }

  private static List<String> sites(List<RecordedEvent> events) {
    return named(events, "ArenaSite").stream()
        .map(
            event ->
                text(event, "%s arenas=%s allocations=%s", "site", "arenas", "allocations")
                    + text(event, " bytes=%s largestTotal=%s", "bytes", "largestTotal")
                    + text(event, " | %s", "totals"))
        .map(line -> line.replaceFirst(":\\d+", ":LINE"))
        .toList();
  }

  private static String text(RecordedEvent event, String format, String... fields) {
    return format.formatted(Stream.of(fields).map(event::<Object>getValue).toArray());
  }
}
