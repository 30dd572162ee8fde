package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Option {@code count}: what is counted, that nothing is refused, and the log. */
class CountIT {
  /** Holds a number of bytes of its own of each kind, then frees them, and tells the figures. */
  private static final String EACH_KIND =
      """
      import static java.lang.foreign.ValueLayout.JAVA_LONG;
      import sun.misc.Unsafe;

      static final MethodHandle MALLOC = Book.link("malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
      static final MethodHandle FREE = Book.link("free", FunctionDescriptor.ofVoid(JAVA_LONG));
      static Object automatic;
      static Object direct;

      static void main() throws Throwable {
        Unsafe unsafe = Book.unsafe();
        Book.agent();
        Arena confined = Arena.ofConfined();
        confined.allocate(100_001);
        confined.allocate(100_002, 64);
        Arena shared = Arena.ofShared();
        shared.allocate(200_003);
        Arena.global().allocate(300_004);
        automatic = Arena.ofAuto().allocate(400_005);
        direct = ByteBuffer.allocateDirect(500_006);
        long byUnsafe = unsafe.allocateMemory(600_007);
        byUnsafe = unsafe.reallocateMemory(byUnsafe, 600_017);
        long byMalloc = (long) MALLOC.invokeExact(700_008L);
        tell();
        confined.close();
        shared.close();
        unsafe.freeMemory(byUnsafe);
        FREE.invokeExact(byMalloc);
        automatic = null;
        direct = null;
        Book.collected(300_004);
        tell();
      }

      static void tell() throws Exception {
        print("kind", Book.inUseByKind());
        print("site", Book.table(Book.invoke("largestSites", 3)));
        System.out.println("sum=" + Book.inUse() + " limit=" + Book.attribute("Limit")
            + " refused=" + Book.attribute("LimitRefused")
            + " " + ((long) Book.attribute("Resident") > 1 << 20)
            + " " + ((long) Book.attribute("Memory") > 1 << 20));
      }

      static void print(String name, Map<Object, Object> table) {
        table.forEach((key, value) -> {
          if ((long) value > 0) {
            System.out.println(name + " " + key + "=" + value);
          }
        });
      }
      """;

  @TempDir private Path directory;

  private ChildJvm program(String options, String program) {
    return LimitProgram.on(ChildJvm.withAgent(options), program);
  }

  /** To the byte, with and without the pool, whose blocks serve none of these. */
  @ParameterizedTest
  @ValueSource(strings = {"count", "count,arenas=on"})
  void allKindsAreCountedToTheByte(String options) {
    List<String> lines = program(options, EACH_KIND).lines();
    lines = lines.stream().filter(line -> !line.startsWith("kind pool")).toList();

    long all = 100_001 + 100_002 + 48 + 200_003 + 300_004 + 400_005 + 500_006 + 600_017 + 700_008;
    int second = lines.lastIndexOf("kind global=300004");
    assertThat(lines.subList(0, second))
        .contains(
            "kind confined=" + (100_001 + 100_002 + 48),
            "kind shared=200003",
            "kind global=300004",
            "kind automatic=400005",
            "kind direct=500006",
            "kind unsafe=600017",
            "kind malloc=700008")
        .anyMatch(line -> line.matches("site malloc Main.main:\\d+=700008"))
        .anyMatch(line -> line.matches("site unsafe Main.main:\\d+=600017"))
        .anyMatch(line -> line.matches("site direct Main.main:\\d+=500006"))
        .anyMatch(line -> line.matches("sum=\\d+ limit=0 refused=0 true true"))
        .hasSize(7 + 3 + 1);
    if (options.equals("count")) {
      assertThat(lines.get(10)).startsWith("sum=" + all + " ");
    }
    assertThat(lines.subList(second, lines.size()))
        .hasSize(3)
        .anyMatch(line -> line.matches("site global Main.main:\\d+=300004"));
  }

  /** Threads that open and close arenas of one site, of which some are never closed. */
  @ParameterizedTest
  @CsvSource({"count", "'count,arenas=on'"})
  void manyThreadsAreCountedExactly(String options) {
    List<String> lines =
        program(
                options,
                """
                static final List<Arena> KEPT = Collections.synchronizedList(new ArrayList<>());

                static void main() throws Exception {
                  Book.agent();
                  List<Thread> threads = new ArrayList<>();
                  for (int i = 0; i < 40; i++) {
                    Runnable task = () -> {
                      for (int k = 0; k < 5000; k++) {
                        use(k);
                      }
                    };
                    threads.add(i % 2 == 0 ? Thread.startVirtualThread(task) : Thread.ofPlatform().start(task));
                  }
                  for (Thread each : threads) {
                    each.join();
                  }
                  Map<Object, Object> kinds = Book.inUseByKind();
                  System.out.println(kinds.get("confined") + " " + kinds.get("shared"));
                }

                static void use(int k) {
                  Arena arena = k % 3 == 0 ? Arena.ofShared() : Arena.ofConfined();
                  arena.allocate(1001);
                  arena.allocate(2002);
                  if (k % 1000 == 1 || k % 1000 == 3) {
                    KEPT.add(arena); // 1, 1003: confined, and so on
                  } else {
                    arena.close();
                  }
                }
                """)
            .lines();

    long shared = 0;
    for (int k = 0; k < 5000; k++) {
      shared += k % 3 == 0 && (k % 1000 == 1 || k % 1000 == 3) ? 1 : 0;
    }
    assertThat(lines).containsExactly((10 - shared) * 40 * 3003 + " " + shared * 40 * 3003);
  }

  /** More than a limit could ever be, and an arena that is closed twice. */
  @Test
  void nothingIsRefusedAndExceptionsAreTheJdks() {
    String classes =
        """
        static void main() throws Exception {
          for (int i = 0; i < 64; i++) {
            ByteBuffer.allocateDirect(16 << 20);
          }
          Arena arena = Arena.ofConfined();
          System.out.println(arena.getClass().getName());
          tell(() -> arena.allocate(-1));
          tell(() -> arena.allocate(1, 3));
          tell(() -> arena.allocate(Long.MAX_VALUE));
          Thread other = new Thread(() -> tell(() -> arena.allocate(1)));
          other.start();
          other.join();
          MemorySegment.NULL.reinterpret(arena, gone -> {
            throw new IllegalStateException("of the action");
          });
          tell(arena::close);
          tell(arena::close);
          tell(() -> arena.allocate(1));
        }

        static void tell(Runnable action) {
          try {
            action.run();
            System.out.println("done");
          } catch (RuntimeException | OutOfMemoryError failure) {
            System.out.println(failure);
          }
        }
        """;
    List<String> plain =
        ChildJvm.plain()
            .with("-XX:MaxDirectMemorySize=64m", "--enable-native-access=ALL-UNNAMED")
            .program(classes)
            .lines();
    List<String> counted =
        ChildJvm.withAgent("count")
            .with("-XX:MaxDirectMemorySize=64m", "--enable-native-access=ALL-UNNAMED")
            .program(classes)
            .lines();

    assertThat(plain).hasSize(8).contains("java.lang.IllegalStateException: of the action");
    assertThat(counted.getFirst()).isEqualTo("jdk.internal.foreign.RockpoolLimit$Confined");
    assertThat(counted.subList(1, 8)).isEqualTo(plain.subList(1, 8));
  }

  private static final String HOLDS =
      """
      static Arena kept = Arena.ofShared();

      static void main() throws Exception {
        kept.allocate(123_456);
        System.out.println("ready");
        System.in.read();
      }
      """;

  private static JsonObject await(Path file, int number) throws Exception {
    List<String> lines = List.of();
    while (lines.size() < number) {
      Thread.sleep(50);
      lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
    }
    return JsonParser.parseString(lines.get(number - 1)).getAsJsonObject();
  }

  /** The first lines may be from before the program allocated. */
  private static JsonObject awaitInUse(Path file, long bytes) throws Exception {
    int number = 1;
    JsonObject line = await(file, number);
    while (line.get("inUse").getAsLong() != bytes) {
      line = await(file, ++number);
    }
    return line;
  }

  /** The names are documented, and others read them. */
  @Test
  void aLineIsWrittenInEachPeriod() throws Exception {
    Path log = directory.resolve("log-%p.json");
    try (ChildJvm.Running target =
        program("count,count.every=1s,count.log=" + log, HOLDS).start("Main")) {
      assertThat(target.answer()).isEqualTo("ready");
      Path file = directory.resolve("log-" + target.pid() + ".json");

      JsonObject line = awaitInUse(file, 123_456);

      assertThat(line.keySet())
          .containsExactly(
              "time",
              "host",
              "pid",
              "version",
              "resident",
              "limit",
              "inUse",
              "highest",
              "refused",
              "byKind",
              "self",
              "sites");
      assertThat(line.get("pid").getAsString()).isEqualTo(target.pid());
      assertThat(line.get("resident").getAsLong()).isGreaterThan(1 << 20);
      assertThat(line.getAsJsonObject("byKind").get("shared").getAsLong()).isEqualTo(123_456);
      JsonObject site = line.getAsJsonArray("sites").get(0).getAsJsonObject();
      assertThat(site.get("site").getAsString()).matches("Main.<clinit>:\\d+");
      assertThat(site.get("kind").getAsString()).isEqualTo("shared");
      assertThat(site.get("bytes").getAsLong()).isEqualTo(123_456);

      Files.delete(file);
      assertThat(await(file, 1).get("inUse").getAsLong()).isEqualTo(123_456);
    }
  }

  /** As on a disk that is full for a while. */
  @Test
  void aFolderThatIsGoneIsToldOnce() throws Exception {
    Path folder = Files.createDirectory(directory.resolve("logs"));
    Path log = folder.resolve("log.json");
    try (ChildJvm.Running target =
        program("count,count.every=1s,count.log=" + log, HOLDS).start("Main")) {
      assertThat(target.answer()).isEqualTo("ready");
      await(log, 1);
      Files.delete(log);
      Files.delete(folder);
      while (!target.soFar().contains("can't be written")) {
        Thread.sleep(50);
      }
      Thread.sleep(2500); // for two more lines that can't be written
      Files.createDirectory(folder);

      await(log, 2); // the first is empty, which ends what was perhaps written in part

      assertThat(target.end().err())
          .singleElement()
          .asString()
          .matches("\\[rockpool] what is in use can't be written to .*log.json, until it can: .*");
    }
  }

  @Test
  void detachEndsTheLog() throws Exception {
    Path log = directory.resolve("log.json");
    try (ChildJvm.Running target =
        program("count,count.every=1s,count.log=" + log, HOLDS)
            .with(Attachment.ALLOW)
            .start("Main")) {
      assertThat(target.answer()).isEqualTo("ready");
      await(log, 1);
      Attachment.uninstall(target);
      int lines = Files.readAllLines(log).size();
      Thread.sleep(2500);

      assertThat(Files.readAllLines(log)).hasSizeLessThanOrEqualTo(lines + 1);
    }
  }

  /** Objects of a histogram of the heap are what the gauge says, about. */
  @Test
  void whatRockpoolTakesIsAboutWhatTheHeapHas() {
    List<String> lines =
        program(
                "count",
                """
                static final List<ByteBuffer> KEPT = new ArrayList<>();

                static void main() throws Exception {
                  Book.agent();
                  long before = self();
                  for (int i = 0; i < 50_000; i++) {
                    KEPT.add(ByteBuffer.allocateDirect(8));
                  }
                  System.out.println("self " + (self() - before));
                  System.out.println(Book.command("gcClassHistogram"));
                }

                static long self() {
                  return (long) Book.table(Book.attribute("Self")).get("tables");
                }
                """)
            .lines();

    Map<String, Long> bytes = new TreeMap<>();
    List<String> counted = new ArrayList<>();
    for (String line : lines) {
      String[] words = line.strip().split(" +", -1);
      if (words.length > 3 && words[0].endsWith(":")) {
        bytes.put(words[3], Long.parseLong(words[2]));
      } else if (words[0].equals("self")) {
        counted.add(words[1]);
      }
    }
    long real =
        bytes.get("jdk.internal.foreign.RockpoolAllocations$Taken")
            + 50_000 * (32 + 24) // of the map, which has other entries in the JVM, too
            + 65_536 * 4;
    assertThat(counted).hasSize(1);
    assertThat((double) Long.parseLong(counted.getFirst())).isBetween(0.75 * real, 1.25 * real);
  }

  /** What limits could say of a JVM that counts, and of one that has counted. */
  @Test
  void aLimitCanNotComeLater() throws Exception {
    try (ChildJvm.Running target = program("count", HOLDS).with(Attachment.ALLOW).start("Main")) {
      assertThat(target.answer()).isEqualTo("ready");
      Attachment.uninstall(target);

      assertThatThrownBy(() -> Attachment.attach(target, "limit=64m"));
      Attachment.attach(target, "count");
      assertThat(target.end().errText())
          .contains("must be what it was when the agent first came to this JVM, \"off,count=on\"");
    }
  }
}
