package dev.rockpool.agent;

import static dev.rockpool.agent.FigureEvents.assertFigures;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Sources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Option {@code record}: who holds native memory, by call site. */
class HoldersIT {
  private static final String MAIN =
      """
      import static java.nio.file.StandardOpenOption.*;

      static final List<Object> HELD = new ArrayList<>();

      static void main(String[] args) throws Exception {
        switch (args[0]) {
          case "kinds" -> kinds();
          case "same" -> same();
          case "leaks" -> Leaks.run();
          case "freed" -> Freed.run();
          case "unseen" -> unseen();
          case "threads" -> threads(Thread.ofPlatform());
          case "virtual" -> threads(Thread.ofVirtual());
          default -> throw new AssertionError(args[0]);
        }
        System.out.println("done");
      }

      static void kinds() throws Exception {
        for (int i = 0; i < 20; i++) {
          shared(i % 2 == 0);
          automatic();
          HELD.add(direct());
          Arena.global().allocate(16);
        }
        Supplier<Arena> reference = Arena::ofShared;
        try (Arena arena = reference.get()) {
          arena.allocate(5);
        }
        Path file = Files.createTempFile("holders", null);
        try (FileChannel channel = FileChannel.open(file, READ, WRITE, DELETE_ON_CLOSE)) {
          HELD.add(channel.map(FileChannel.MapMode.READ_WRITE, 0, 1000));
          mapForEver(channel);
          try (Arena arena = Arena.ofConfined()) {
            channel.map(FileChannel.MapMode.READ_WRITE, 0, 2000, arena).set(ValueLayout.JAVA_BYTE, 1, (byte) 1);
          }
        }
        await();
      }

      static void mapForEver(FileChannel channel) throws Exception {
        channel.map(FileChannel.MapMode.READ_WRITE, 0, 3000, Arena.global());
        System.gc();
        System.gc();
      }

      static void shared(boolean byAnother) throws Exception {
        Arena arena = Arena.ofShared();
        arena.allocate(100);
        arena.allocateFrom("12345");
        if (byAnother) {
          Thread.ofVirtual().start(arena::close).join();
        } else {
          arena.close();
        }
      }

      static void automatic() {
        Arena.ofAuto().allocate(24);
      }

      static ByteBuffer direct() {
        return ByteBuffer.allocateDirect(300);
      }

      static class Leaks {
        static void run() throws Exception {
          for (int i = 0; i < 40; i++) {
            Thread.ofPlatform().start(Leaks::leave).join();
          }
          for (int i = 0; i < 2000; i++) {
            Arena arena = ofUse(i % 2 == 0);
          }
          HELD.add(kept().allocate(10));
          dropped().allocate(20);
          await();
        }

        /** Every third arena stays open. */
        static void leave() {
          for (int i = 0; i < 3; i++) {
            Arena arena = Arena.ofConfined();
            arena.allocate(24);
            if (i != 1) {
              arena.close();
            }
          }
        }

        /** One that is never closed, and never used. */
        static Arena ofUse(boolean isUsed) {
          Arena arena = Arena.ofConfined();
          if (isUsed) {
            arena.allocate(100);
            arena.close();
          }
          return arena;
        }

        static Arena kept() {
          return Arena.ofShared();
        }

        static Arena dropped() {
          return Arena.ofShared();
        }
      }

      /** Buffers that the program frees itself, most of which stay reachable. */
      static class Freed {
        static void run() throws Exception {
          for (int i = 0; i < 500; i++) {
            invokeCleaner(made());
          }
          for (int i = 0; i < 500; i++) {
            clean(held());
          }
          Path file = Files.createTempFile("holders", null);
          try (FileChannel channel = FileChannel.open(file, READ, WRITE, DELETE_ON_CLOSE)) {
            for (int i = 0; i < 500; i++) {
              invokeCleaner(mapped(channel, i));
            }
          }
        }

        static ByteBuffer made() {
          return ByteBuffer.allocateDirect(1000);
        }

        static ByteBuffer held() {
          ByteBuffer buffer = ByteBuffer.allocateDirect(1000);
          HELD.add(buffer);
          return buffer;
        }

        static ByteBuffer mapped(FileChannel channel, int at) throws Exception {
          ByteBuffer buffer = channel.map(FileChannel.MapMode.READ_WRITE, at, 1000);
          HELD.add(buffer);
          return buffer;
        }

        static void invokeCleaner(ByteBuffer buffer) throws Exception {
          Class<?> type = Class.forName("sun.misc.Unsafe");
          var field = type.getDeclaredField("theUnsafe");
          field.setAccessible(true);
          type.getMethod("invokeCleaner", ByteBuffer.class).invoke(field.get(null), buffer);
        }

        /** As older libraries do, by reflection. */
        static void clean(ByteBuffer buffer) throws Exception {
          Object cleaner = Class.forName("sun.nio.ch.DirectBuffer").getMethod("cleaner").invoke(buffer);
          if (cleaner == null) { // Rockpool's
            invokeCleaner(buffer);
            return;
          }
          var clean = cleaner.getClass().getMethod("clean");
          clean.setAccessible(true);
          clean.invoke(cleaner);
        }
      }

      /** By reflection, which is not rewritten. */
      static void unseen() throws Exception {
        HELD.add(ByteBuffer.class.getMethod("allocateDirect", int.class).invoke(null, 5_000_000));
        HELD.add(direct());
      }

      /** References found by a collection are queued before those found by the next. */
      static void await() throws Exception {
        for (int i = 0; i < 3; i++) {
          ReferenceQueue<Object> queue = new ReferenceQueue<>();
          PhantomReference<Object> last = new PhantomReference<>(new Object(), queue);
          System.gc();
          if (queue.remove(60_000) != last) {
            throw new AssertionError("not collected");
          }
        }
      }

      static void threads(Thread.Builder kind) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
          boolean leaves = i % 5 == 0;
          threads.add(kind.start(() -> {
            for (int n = 0; n < 1000; n++) {
              try (Arena arena = Arena.ofConfined()) {
                arena.allocate(24);
              }
            }
            if (leaves) {
              HOLD.get();
            }
          }));
        }
        for (Thread thread : threads) {
          thread.join();
        }
      }

      static final Supplier<Arena> HOLD = () -> {
        Arena arena = Arena.ofConfined();
        arena.allocate(70_000);
        synchronized (HELD) {
          HELD.add(arena);
        }
        return arena;
      };

      /** The answers of all kinds, for comparison with the JDK's. */
      static void same() throws Exception {
        Path file = Files.createTempFile("holders", null);
        try (FileChannel channel = FileChannel.open(file, READ, WRITE, DELETE_ON_CLOSE)) {
          say(() -> ByteBuffer.allocateDirect(-1));
          say(() -> ByteBuffer.allocateDirect(3));
          say(() -> channel.map(FileChannel.MapMode.READ_WRITE, 0, -1));
          say(() -> channel.map(FileChannel.MapMode.READ_WRITE, 0, 9).capacity());
          say(() -> channel.map(null, 0, 9));
          say(() -> channel.map(FileChannel.MapMode.READ_WRITE, 0, 9, null));
          say(() -> ((FileChannel) null).map(FileChannel.MapMode.READ_WRITE, 0, 9) == null);
          Arena global = Arena.global();
          say(() -> global == Arena.global() && global.equals(Arena.global()));
          for (Arena arena : List.of(Arena.ofShared(), Arena.ofAuto(), Arena.global())) {
            say(() -> arena.scope().isAlive());
            say(() -> arena.scope() == arena.scope());
            say(() -> arena.allocate(-1));
            say(() -> arena.allocate(8, 3));
            say(() -> arena.allocateFrom((String) null));
            say(() -> arena.allocateFrom("some").getString(0));
            say(() -> arena.allocateFrom(ValueLayout.JAVA_INT, 1, 2, 3).byteSize());
            say(() -> arena.allocate(5).scope() == arena.scope());
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, 5, arena);
            say(() -> mapped.scope() == arena.scope());
            say(() -> mapped.isReadOnly() + " " + mapped.isMapped() + " " + mapped.byteSize());
            say(() -> { Thread.ofVirtual().start(() -> arena.allocate(3)).join(); return 1; });
            say(() -> { arena.close(); return 1; });
            say(() -> mapped.get(ValueLayout.JAVA_BYTE, 0));
            say(() -> { arena.close(); return 1; });
            say(() -> arena.allocate(3).byteSize());
            say(() -> arena.scope().isAlive());
          }
          Arena failing = Arena.ofShared();
          failing.allocate(8).reinterpret(failing, freed -> { throw new IllegalStateException("mine"); });
          say(() -> { failing.close(); return 1; });
          say(() -> failing.scope().isAlive());
        }
      }

      interface Answer {
        Object get() throws Exception;
      }

      static void say(Answer answer) {
        try {
          System.out.println(answer.get());
        } catch (Throwable thrown) {
          System.out.println(thrown.getClass().getName() + (thrown instanceof NullPointerException ? "" : thrown.getMessage()));
        }
      }
      """;

  @TempDir private Path directory;
  private Path program;
  private Path file;

  @BeforeEach
  void compile() {
    program = Sources.compileTo(directory.resolve("program"), MAIN);
    file = directory.resolve("recorded.jfr");
  }

  @ParameterizedTest
  @ValueSource(strings = {"direct=off", "direct=on"})
  void eachKindIsCountedAtItsLine(String direct) throws Exception {
    run("kinds", direct);

    Map<String, RecordedEvent> sites = sites();
    assertThat(sites.keySet())
        .containsExactlyInAnyOrder(
            "shared Main.shared",
            "shared Main",
            "automatic Main.automatic",
            "direct Main.direct",
            "global Main.kinds",
            "mapped Main.kinds",
            "mapped Main.kinds'",
            "mapped Main.mapForEver",
            "temporary (channels)",
            "confined Main.kinds");
    assertFigures(sites.get("shared Main.shared"), "opened=20 closed=20 live=0 byOthers=10");
    assertFigures(
        sites.get("shared Main.shared"),
        "allocations=40 bytes=2120 liveBytes=0 largest=106 leaked=0");
    assertThat(sites.get("shared Main.shared").getDuration("closeTime")).isPositive();
    assertThat(sites.get("shared Main.shared").getDuration("lifeMedian")).isPositive();
    assertFigures(sites.get("shared Main"), "opened=1 closed=1 bytes=5 onVirtual=0");
    assertFigures(sites.get("automatic Main.automatic"), "opened=20 closed=20 bytes=480 live=0");
    assertFigures(sites.get("direct Main.direct"), "opened=20 closed=0 live=20 liveBytes=6000");
    assertFigures(sites.get("global Main.kinds"), "opened=1 allocations=20 liveBytes=320");
    assertFigures(sites.get("mapped Main.kinds"), "opened=1 live=1 liveBytes=1000");
    assertFigures(sites.get("mapped Main.kinds'"), "opened=1 closed=1 bytes=2000 leaked=0");
    assertFigures(sites.get("mapped Main.mapForEver"), "opened=1 live=1 liveBytes=3000 leaked=0");
    assertFigures(sites.get("confined Main.kinds"), "opened=1 closed=1 live=0");
  }

  @ParameterizedTest
  @CsvSource({
    "threads, 0, sampled",
    "virtual, 50000, sampled",
    "threads, 0, all",
    "virtual, 50000, all",
    "threads, 0, off"
  })
  void liveConfinedArenasAreTheOpenedOnesLessTheClosedOnes(
      String what, long onVirtual, String leaks) throws Exception {
    run(what, "record.leaks=" + leaks);

    Map<String, RecordedEvent> sites = sites();
    RecordedEvent loop = sites.get("confined Main.lambda$threads");
    assertFigures(loop, "opened=50000 closed=50000 live=0 liveBytes=0 bytes=1200000 leaked=0");
    assertThat(loop.getLong("onVirtual")).isEqualTo(onVirtual);
    RecordedEvent held = sites.get("confined Main.lambda$static");
    assertFigures(held, "opened=10 closed=0 live=10 leaked=0");
    assertThat(held.getLong("liveBytes")).isEqualTo(700_000);
    assertThat(held.getLong("unclosedByEnded")).isEqualTo(onVirtual == 0 ? 10 : 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"direct=off", "direct=on"})
  void aBufferIsFreedWhoeverFreesIt(String direct) throws Exception {
    run("freed", direct);

    Map<String, RecordedEvent> sites = sites();
    for (String site : List.of("direct Main$Freed.made", "direct Main$Freed.held")) {
      assertFigures(sites.get(site), "opened=500 closed=500 live=0 mostLive=1 byOthers=0");
      assertFigures(sites.get(site), "liveBytes=0 mostLiveBytes=1000");
    }
    assertFigures(sites.get("mapped Main$Freed.mapped"), "opened=500 closed=500 live=0 mostLive=1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"direct=off", "direct=on"})
  void thePoolsHaveWhatNoSiteHolds(String direct) throws Exception {
    run("unseen", direct);

    Map<String, RecordedEvent> pools =
        events("BufferPool").stream()
            .collect(toMap(event -> event.getString("pool"), event -> event));
    assertThat(pools).containsOnlyKeys("direct", "mapped");
    assertThat(pools.get("direct").getLong("used"))
        .isBetween(5_000_300L, pools.get("direct").getLong("mostUsed"));
    assertThat(pools.get("direct").getLong("capacity")).isGreaterThanOrEqualTo(5_000_300);
    assertThat(pools.get("direct").getLong("buffers")).isPositive();
    assertThat(sites().get("direct Main.direct").getLong("run"))
        .isEqualTo(pools.get("direct").getLong("run"));
  }

  @Test
  void stacksSayWhetherTheyWereCut() throws Exception {
    run("unseen", "record.stack=2");
    assertThat(stackOfDirect().getString("stack").lines()).hasSize(2);
    assertThat(stackOfDirect().getBoolean("cut")).isTrue();

    run("unseen", "record.stack=3");
    assertThat(stackOfDirect().getBoolean("cut")).isFalse();
  }

  /** Beside it there may be one of the JDK's channels. */
  private RecordedEvent stackOfDirect() throws Exception {
    return events("HolderStack").stream()
        .filter(stack -> stack.getString("site").startsWith("Main.direct:"))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"direct=off", "direct=on"})
  void leaksAreThoseThatNobodyCanClose(String direct) throws Exception {
    run("leaks", direct);

    Map<String, RecordedEvent> sites = sites();
    assertFigures(
        sites.get("confined Main$Leaks.leave"),
        "opened=120 closed=80 live=40 liveBytes=960 unclosedByEnded=40");
    assertFigures(
        sites.get("confined Main$Leaks.ofUse"),
        "closed=1000 live=1000 liveBytes=0 leaked=0 unclosedByEnded=0"); // by the main thread
    assertFigures(sites.get("shared Main$Leaks.kept"), "live=1 liveBytes=10 leaked=0");
    assertFigures(sites.get("shared Main$Leaks.dropped"), "live=1 leaked=1 leakedBytes=20");
  }

  @Test
  void whatIsRecordedBehavesAsTheJdks() {
    List<String> recorded =
        ChildJvm.withAgent("record=" + file).classPath(program).run("Main", "same").output();

    assertThat(recorded)
        .hasSizeGreaterThan(50)
        .isEqualTo(ChildJvm.plain().classPath(program).run("Main", "same").output());
  }

  private void run(String what, String... more) {
    String[] options =
        Stream.concat(Stream.of("record=" + file), Stream.of(more)).toArray(String[]::new);
    ChildJvm.withAgent(options)
        .with("--sun-misc-unsafe-memory-access=allow")
        .with("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED")
        .with("--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED")
        .with("--add-opens=java.base/java.nio=ALL-UNNAMED")
        .classPath(program)
        .lines(what);
  }

  /** By kind, class and method; the second of the same name has a dash. */
  private Map<String, RecordedEvent> sites() throws Exception {
    assertThat(Files.exists(file)).isTrue();
    Map<String, RecordedEvent> sites = new TreeMap<>();
    for (RecordedEvent event : events("HolderSite")) {
      String name =
          event.getString("kind")
              + " "
              + event.getString("site").replaceFirst("(\\$\\d+)?(:\\d+)?$", "");
      sites.put(sites.containsKey(name) ? name + "'" : name, event);
    }
    return sites;
  }

  private List<RecordedEvent> events(String name) throws Exception {
    return FigureEvents.read(file, name);
  }
}
