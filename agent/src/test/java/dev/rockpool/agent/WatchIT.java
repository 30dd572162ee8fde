package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.PATH;

import dev.rockpool.testing.Jvm.Exit;
import dev.rockpool.testing.Jvm.Running;
import dev.rockpool.testing.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program gets and leaves whose container, process or limit is full. */
class WatchIT {
  private static final int KILLED = 137;

  /** Does as it is told: takes MiB of memory, and gives back what Java code holds. */
  private static final String PROGRAM =
      """
      import static java.lang.foreign.ValueLayout.*;

      static final Linker LINKER = Linker.nativeLinker();

      /** Memory that nobody counts, as C code takes it. */
      static final MethodHandle MMAP =
          LINKER.downcallHandle(
              LINKER.defaultLookup().findOrThrow("mmap"),
              FunctionDescriptor.of(
                  ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
      static final MethodHandle MUNMAP =
          LINKER.downcallHandle(
              LINKER.defaultLookup().findOrThrow("munmap"),
              FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));

      static final Deque<MemorySegment> ofC = new ArrayDeque<>();
      static final Deque<Arena> ofJava = new ArrayDeque<>();
      static final List<byte[]> heap = new ArrayList<>();
      static final List<Object> deflaters = new ArrayList<>();

      static void main() throws Throwable {
        Scanner in = new Scanner(System.in);
        while (in.hasNext()) {
          String what = in.next();
          int count = in.nextInt();
          String answer = "done";
          try {
            for (int i = 0; i < count; i++) {
              one(what);
            }
          } catch (OutOfMemoryError refused) {
            answer = refused.getMessage();
          }
          System.out.println(answer);
        }
      }

      static void one(String what) throws Throwable {
        switch (what) {
          case "java" -> {
            Arena arena = Arena.ofShared();
            arena.allocate(1 << 20);
            ofJava.add(arena);
          }
          case "free" -> ofJava.remove().close();
          case "c" -> {
            MemorySegment taken =
                (MemorySegment) MMAP.invokeExact(0L, 1L << 20, 3, 0x22, -1, 0L);
            ofC.add(taken.reinterpret(1 << 20).fill((byte) 1));
          }
          case "cAndSleep" -> {
            one("c");
            Thread.sleep(20);
          }
          case "unmap" -> {
            int ignored = (int) MUNMAP.invokeExact(ofC.remove(), 1L << 20);
          }
          case "garbage" -> heap.add(new byte[1 << 20]);
          case "deflater" -> deflaters.add(new java.util.zip.Deflater());
          case "huge" -> {
            try {
              java.nio.ByteBuffer.allocateDirect(1 << 30);
            } catch (OutOfMemoryError refused) {
              return;
            }
          }
          case "fill" -> {
            Object[] chain = null;
            try {
              while (true) {
                chain = new Object[] {chain};
              }
            } catch (OutOfMemoryError full) {
              while (true) {
                one("huge");
              }
            }
          }
          case "interrupt" ->
              Thread.getAllStackTraces().keySet().stream()
                  .filter(each -> each.getName().equals("rockpool-watch"))
                  .forEach(Thread::interrupt);
          case "drop" -> heap.clear();
          case "sleep" -> Thread.sleep(100);
          case "throw" -> {
            try {
              one("java");
            } catch (OutOfMemoryError refused) {
              return;
            }
          }
          default -> throw new AssertionError(what);
        }
      }
      """;

  @TempDir private Path directory;
  private Path program;
  private Path evidence;

  @BeforeEach
  void compile() {
    program = Sources.compileTo(directory.resolve("program"), PROGRAM);
    evidence = directory.resolve("evidence.txt");
  }

  private ChildJvm jvm(String... options) {
    return ChildJvm.withAgent(options)
        .with("-Xmx256m", "--enable-native-access=ALL-UNNAMED")
        .in(directory)
        .classPath(program);
  }

  private List<String> entries() throws IOException {
    return Files.readAllLines(evidence).stream().filter(line -> line.startsWith("{")).toList();
  }

  /** Objects that own C memory are counted without a recording, too. */
  @ParameterizedTest
  @ValueSource(strings = {"linker=on", "record=recording.jfr"})
  void evidenceOutlivesAKill(String otherOptions) throws Exception {
    try (ControlGroup group = ControlGroup.of(256 << 20)) {
      Exit exit =
          jvm("limit=128m", "evidence=evidence.txt", otherOptions)
              .inControlGroup(group.folder())
              .start("Main")
              .endAfter("deflater 12\njava 40\nc 50\nsleep 20\ncAndSleep 1000\n");
      assertThat(exit.code()).isEqualTo(KILLED);
    }
    assertThat(entries())
        .hasSize(3)
        .allMatch(entry -> entry.contains("\"host\":\"" + AgentOptions.host() + "\""));
    assertThat(entries().getFirst())
        .contains("\"reason\":\"66% of the memory reached\"", "\"memory\":268435456,")
        .contains("\"limit\":134217728,\"inUse\":419")
        .contains("{\"site\":\"Main.one:", "\"kind\":\"shared\",\"bytes\":41943040}")
        .containsPattern(
            "\\{\"site\":\"java.util.zip.Deflater at Main.one:\\d+\",[^}]*\"open\":12}");
    assertThat(entries().get(1)).contains("\"reason\":\"75% of the memory reached\"");
    assertThat(entries().getLast()).contains("\"reason\":\"90% of the memory reached\"");
    if (otherOptions.startsWith("record")) {
      assertThat(RecordingFile.readAllEvents(directory.resolve("recording.jfr")))
          .as("what was recorded up to 90%")
          .anyMatch(event -> event.getEventType().getName().equals("dev.rockpool.HolderSite"));
    }
  }

  @Test
  void javaCodeIsRefusedAtTheBoundOfTheProcessAndServedAgain() throws Exception {
    try (ControlGroup group = ControlGroup.of(400 << 20);
        Running running =
            jvm("limit=300m", "limit.process=75%").inControlGroup(group.folder()).start("Main")) {
      assertThat(running.ask("c 180")).isEqualTo("done");
      assertThat(running.ask("sleep 15")).isEqualTo("done");
      assertThat(running.ask("java 200"))
          .matches(
              "Native memory must keep the process within its bound: asked for 1048576 bytes, in"
                  + " use \\d+, resident in the process \\d+ beside files, bound 314572800\\. Most"
                  + " is held by Main\\.one:\\d+ \\(shared, \\d+ bytes\\)\\. Free memory sooner, or"
                  + " raise the bound: agent option limit\\.process\\.");
      assertThat(running.ask("c 40")).isEqualTo("done");
      running.ask("sleep 5");
      assertThat(running.ask("java 1")).startsWith("Native memory must keep the process");
      assertThat(running.ask("unmap 120")).isEqualTo("done");
      running.ask("sleep 25");
      assertThat(running.ask("java 20")).isEqualTo("done");
      assertThat(running.end().code()).isZero();
    }
  }

  /** A share of the memory initializes management of the JDK, which the bound uses too. */
  @Test
  void aBoundInBytesNeedsNoShare() throws Exception {
    try (Running running = jvm("evidence=off", "limit=300m", "limit.process=200m").start("Main")) {
      running.ask("c 220");
      running.ask("sleep 15");
      assertThat(running.ask("java 1")).startsWith("Native memory must keep the process");
      running.ask("unmap 200");
      running.ask("sleep 25");
      assertThat(running.ask("java 20")).isEqualTo("done");
      Exit exit = running.end();
      assertThat(exit.code()).isZero();
      assertThat(exit.err()).noneMatch(line -> line.contains("can't be watched"));
    }
  }

  /** The heap is a part of the process that a collection makes smaller; with G1 at once. */
  @Test
  void garbageOnTheHeapMakesRoom() throws Exception {
    try (ControlGroup group = ControlGroup.of(512 << 20);
        Running running =
            jvm("limit=300m", "limit.process=60%")
                .with("-XX:+UseG1GC")
                .inControlGroup(group.folder())
                .start("Main")) {
      running.ask("garbage 200");
      running.ask("drop 1");
      running.ask("sleep 15");
      assertThat(running.ask("java 180")).isEqualTo("done");
      assertThat(running.end().code()).isZero();
    }
  }

  @Test
  void enoughRefusalsEndTheJvmOnPurpose() throws Exception {
    Exit exit =
        jvm(
                "limit=8m",
                "limit.wait=0",
                "limit.action=exit",
                "limit.exit=5",
                "evidence=evidence.txt")
            .with("-XX:+HeapDumpOnOutOfMemoryError", "-XX:HeapDumpPath=heap-%p")
            .start("Main")
            .endAfter("java 8\nthrow 4\nsleep 15\nthrow 1\nsleep 600\n");
    assertThat(exit.code()).isEqualTo(3);
    assertThat(exit.err())
        .anyMatch(line -> line.matches("\\[rockpool] limit\\.action=exit: \\d+ requests .*"));
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files)
          .filteredOn(file -> file.getFileName().toString().matches("heap-\\d+\\.hprof"))
          .singleElement(PATH)
          .isNotEmptyFile();
    }
    assertThat(entries().getLast())
        .contains("\"reason\":\"limit.action=exit\"", "\"refused\":5", "\"site\":\"Main.one:");
  }

  @Test
  void aFullHeapDoesNotKeepTheJvmFromItsEnd() throws Exception {
    Exit exit =
        jvm("limit=8m", "limit.wait=0", "limit.action=exit", "limit.exit=5")
            .with("-Xmx24m", "-XX:+UseSerialGC")
            .start("Main")
            .endAfter("huge 1\nsleep 15\nfill 1\n");
    assertThat(exit.code()).isEqualTo(3);
  }

  @Test
  void aProgramThatInterruptsAllThreadsLeavesEvidence() throws Exception {
    try (Running running = jvm("limit=8m", "limit.wait=0", "evidence=evidence.txt").start("Main")) {
      running.ask("sleep 5");
      running.ask("interrupt 1");
      running.ask("sleep 5");
      running.ask("throw 10");
      running.ask("sleep 20");
      assertThat(entries()).isNotEmpty();
      assertThat(running.end().err()).isEmpty();
    }
  }

  @Test
  void aLinkInTheFilesPlaceIsNotFollowed() throws Exception {
    Path other = Files.writeString(directory.resolve("other.txt"), "");
    try (Running running = jvm("limit=8m", "limit.wait=0", "evidence=evidence.txt").start("Main")) {
      running.ask("java 1");
      Files.createSymbolicLink(evidence, other);
      running.ask("throw 10");
      running.ask("sleep 20");
      assertThat(other).isEmptyFile();
      Files.delete(evidence);
      Exit exit = running.end();
      assertThat(exit.code()).isZero();
      assertThat(exit.err())
          .singleElement()
          .asString()
          .startsWith("[rockpool] evidence can't be written to ")
          .endsWith("it is no regular file any more");
    }
  }

  /** A file on a volume is renamed, and one that is mounted by itself is emptied. */
  @Test
  void aFullFileGivesWayToTheNewestEntry() throws Exception {
    Files.writeString(evidence, "{\"rockpool\":\"evidence\"}\n".repeat(50_000));
    try (Running running = jvm("limit=8m", "limit.wait=0", "evidence=evidence.txt").start("Main")) {
      running.ask("throw 10");
      running.ask("sleep 20");
      assertThat(running.end().err()).isEmpty();
    }
    assertThat(entries()).singleElement().asString().contains("beyond the limit");
    assertThat(directory.resolve("evidence.txt.1")).isNotEmptyFile();
  }

  /** A volume that is not mounted must not keep the program from starting. */
  @Test
  void aFileThatIsNowhereIsToldAtTheStartAndTheProgramGoesOn() throws Exception {
    Exit exit = jvm("limit=8m", "evidence=folder/evidence.txt").start("Main").endAfter("sleep 5\n");
    assertThat(exit.output()).endsWith("done");
    assertThat(exit.err())
        .singleElement()
        .asString()
        .startsWith("[rockpool] evidence can't be written to folder/evidence.txt, until it can: ");
  }

  @Test
  void aFileThatCanNotBeWrittenIsToldOnceAndTheProgramGoesOn() throws Exception {
    Path folder = Files.createDirectory(directory.resolve("folder"));
    try (Running running =
        jvm("limit=8m", "limit.wait=0", "evidence=folder/evidence.txt").start("Main")) {
      running.ask("java 1");
      Files.delete(folder);
      running.ask("throw 10");
      running.ask("sleep 20");
      Exit exit = running.end();
      assertThat(exit.output()).endsWith("done");
      assertThat(exit.err())
          .singleElement()
          .asString()
          .startsWith("[rockpool] evidence can't be written to folder");
    }
  }
}
