package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.tools.attach.AgentInitializationException;
import dev.rockpool.testing.Sources;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Option {@code limit}: all kinds of native memory. */
class LimitIT {
  /**
   * For each kind, holds all but 9,999 bytes of the limit; asks for 10,000, which is refused; and
   * for 9,999, which is not. Prints the messages.
   */
  private static final String EACH_KIND =
      """
      import java.lang.foreign.*;
      import java.nio.ByteBuffer;
      import java.util.*;
      import java.util.regex.*;
      import java.lang.invoke.MethodHandle;
      import static java.lang.foreign.ValueLayout.JAVA_LONG;
      import sun.misc.Unsafe;

      public class Main {
        static final MethodHandle MALLOC = link("malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
        static final MethodHandle REALLOC = link("realloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
        static final MethodHandle FREE = link("free", FunctionDescriptor.ofVoid(JAVA_LONG));
        static final long LIMIT = 64 << 20;
        static final Pattern IN_USE = Pattern.compile(".* in use (\\\\d+), .*");
        static Object held;

        public static void main(String[] args) throws Throwable {
          warmUp();
          confined();
          freeKept();
          shared();
          unsafe();
          malloc();
          switch (args[0]) {
            case "automatic" -> automatic();
            case "direct" -> direct();
            default -> global();
          }
          System.out.println("done");
        }

        /** Has the blocks that this thread keeps give way. */
        static void freeKept() {
          try (Arena arena = Arena.ofShared()) {
            arena.allocate(LIMIT - inUse() + 1);
          } catch (OutOfMemoryError noneWasKept) {
            return;
          }
        }

        static void warmUp() {
          for (int i = 0; i < 100; i++) {
            try (Arena arena = Arena.ofConfined()) {
              arena.allocate(100);
            }
          }
        }

        /** Asks for more than there is, of an arena that has nothing to do with the pool. */
        static long inUse() {
          try (Arena arena = Arena.ofShared()) {
            arena.allocate(LIMIT + 1);
            throw new AssertionError("not refused");
          } catch (OutOfMemoryError refused) {
            Matcher matcher = IN_USE.matcher(refused.getMessage());
            if (!matcher.matches()) {
              throw refused;
            }
            return Long.parseLong(matcher.group(1));
          }
        }

        static void ask(SegmentAllocator allocator, long byteSize) {
          allocator.allocate(byteSize).fill((byte) 1);
        }

        static void fill(String kind, SegmentAllocator allocator) {
          long before = inUse();
          ask(allocator, LIMIT - before - 9_999);
          try {
            ask(allocator, 10_000);
            throw new AssertionError("not refused");
          } catch (OutOfMemoryError refused) {
            System.out.println(kind + ": " + refused.getMessage());
          }
          ask(allocator, 9_999);
          if (inUse() != LIMIT) {
            throw new AssertionError(inUse());
          }
        }

        static void confined() {
          long before = inUse();
          try (Arena arena = Arena.ofConfined()) {
            fill("confined", arena);
          }
          if (inUse() != before) {
            throw new AssertionError(inUse() + " instead of " + before);
          }
        }

        static void shared() {
          long before = inUse();
          try (Arena arena = Arena.ofShared()) {
            fill("shared", arena);
          }
          if (inUse() != before) {
            throw new AssertionError(inUse() + " instead of " + before);
          }
        }

        static void automatic() {
          fill("automatic", Arena.ofAuto());
        }

        static void direct() {
          List<ByteBuffer> buffers = new ArrayList<>();
          fill("direct", (byteSize, alignment) -> {
            ByteBuffer buffer = ByteBuffer.allocateDirect((int) byteSize);
            buffers.add(buffer);
            return MemorySegment.ofBuffer(buffer);
          });
        }

        static MethodHandle link(String name, FunctionDescriptor type) {
          Linker linker = Linker.nativeLinker();
          return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
        }

        static void unsafe() throws Exception {
          var field = Unsafe.class.getDeclaredField("theUnsafe");
          field.setAccessible(true);
          Unsafe unsafe = (Unsafe) field.get(null);
          long before = inUse();
          List<Long> taken = new ArrayList<>();
          fill("unsafe", (byteSize, alignment) -> {
            taken.add(unsafe.allocateMemory(byteSize));
            return MemorySegment.ofAddress(taken.getLast()).reinterpret(byteSize);
          });
          taken.set(0, unsafe.reallocateMemory(taken.getFirst(), 1000));
          taken.forEach(unsafe::freeMemory);
          if (inUse() != before) {
            throw new AssertionError(inUse() + " instead of " + before);
          }
        }

        static void malloc() throws Throwable {
          long before = inUse();
          List<Long> taken = new ArrayList<>();
          fill("malloc", (byteSize, alignment) -> {
            try {
              taken.add((long) MALLOC.invokeExact(byteSize));
            } catch (RuntimeException | Error failure) {
              throw failure;
            } catch (Throwable impossible) {
              throw new AssertionError(impossible);
            }
            return MemorySegment.ofAddress(taken.getLast()).reinterpret(byteSize);
          });
          try {
            taken.add((long) REALLOC.invokeExact((long) taken.get(1), 10_000L));
            throw new AssertionError("not refused");
          } catch (OutOfMemoryError refused) {
            if (inUse() != LIMIT) {
              throw new AssertionError(inUse());
            }
          }
          taken.set(1, (long) REALLOC.invokeExact((long) taken.get(1), 9_000L));
          taken.set(1, (long) REALLOC.invokeExact((long) taken.get(1), 9_900L));
          if (inUse() != LIMIT - 99) {
            throw new AssertionError(inUse());
          }
          for (long each : taken) {
            FREE.invokeExact(each);
          }
          if (inUse() != before) {
            throw new AssertionError(inUse() + " instead of " + before);
          }
        }

        static void global() {
          fill("global", Arena.global());
        }
      }
      """;

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "limit=64m | direct",
        "limit=67108864,record=recorded.jfr | automatic",
        "limit=64m,arenas=off | global",
        "limit=64m,record=recorded.jfr,arenas=off | direct"
      })
  void eachKindIsRefusedAtTheByteAndGoesOn(String options, String last) throws Exception {
    Path program = Sources.compileTo(directory.resolve("program"), EACH_KIND);

    List<String> lines =
        ChildJvm.withAgent(options.replace("record=", "record=" + directory + "/"))
            .with("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED")
            .classPath(program)
            .run("Main", last)
            .quietOutput();

    assertThat(lines).hasSize(6).endsWith("done");
    for (String line : lines.subList(0, 5)) {
      String kind = line.substring(0, line.indexOf(':'));
      String method = kind.equals("global") ? "ask" : kind;
      String note =
          kind.equals("malloc") ? " Memory that C code frees is not seen as freed\\." : "";
      assertThat(line)
          .matches(
              kind
                  + ": Native memory must stay within its limit: asked for 10000 bytes, in use"
                  + " 67098865, limit 67108864\\. Most is held by Main\\.(lambda\\$)?"
                  + method
                  + "(\\$\\d+)?:\\d+ \\("
                  + kind
                  + ", 6\\d+ bytes\\).* Free memory sooner, or raise the limit: agent option"
                  + " limit\\."
                  + note);
    }
  }

  private static final String LINKED =
      """
      import java.lang.foreign.*;
      import java.lang.invoke.MethodHandle;
      import static java.lang.foreign.ValueLayout.JAVA_LONG;

      public class Main {
        static class Library {
          static MethodHandle link(String name, FunctionDescriptor type) {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
          }
        }

        static final MethodHandle MALLOC = Library.link("malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));

        public static void main(String[] args) throws Throwable {
          allocate();
          System.out.println("for C to free");
          Library.link("free", FunctionDescriptor.ofVoid(JAVA_LONG));
          try {
            allocate();
            System.out.println("not refused");
          } catch (OutOfMemoryError refused) {
            System.out.println(refused.getMessage());
          }
        }

        static void allocate() throws Throwable {
          for (int i = 0; i < 60; i++) {
            long unused = (long) MALLOC.invokeExact(100_000L);
          }
        }
      }
      """;

  /** A program that does not link free may have C free its memory, as one may that is excluded. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "limit=1m                                 | Native memory .* Main\\.allocate:\\d+"
            + " \\(malloc, 1000000 bytes\\).* limit\\. Memory that C code frees is not seen as"
            + " freed\\.",
        "limit=1m,exclude=Main$Library            | not refused",
      })
  void mallocCountsOnceTheProgramHasLinkedFree(String options, String expected) throws Exception {
    Path program = Sources.compileTo(directory.resolve("program"), LINKED);

    List<String> lines =
        ChildJvm.withAgent(options)
            .with("--enable-native-access=ALL-UNNAMED")
            .classPath(program)
            .run("Main")
            .quietOutput();

    assertThat(lines).hasSize(2).startsWith("for C to free");
    assertThat(lines.getLast()).matches(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"limit=1m", "limit=1m,record=recorded.jfr"})
  void globalArenaIsOneObjectAndTheLineThatAllocatesItsHolder(String options) throws Exception {
    Path program =
        Sources.compileTo(
            directory.resolve("program"),
            """
            import java.lang.foreign.Arena;

            public class Main {
              static Arena arena() {
                return Arena.global();
              }

              static Arena other() {
                return Arena.global();
              }

              public static void main(String[] args) {
                System.out.println(arena() == other() && arena().scope() == Arena.global().scope());
                arena().allocate(1000);
                other().allocate(600_000);
                try {
                  other().allocate(600_000);
                } catch (OutOfMemoryError refused) {
                  System.out.println(refused.getMessage());
                }
              }
            }
            """);

    List<String> lines =
        ChildJvm.withAgent(options.replace("record=", "record=" + directory + "/"))
            .classPath(program)
            .run("Main")
            .quietOutput();

    assertThat(lines).hasSize(2).startsWith("true");
    assertThat(lines.getLast())
        .contains(
            "Most is held by Main.main:15 (global, 600000 bytes), Main.main:14 (global, 1000 ");
  }

  /** Nobody else can free the blocks that these threads keep. */
  @Test
  void blocksOfIdleThreadsLeaveRoom() throws Exception {
    Path program =
        Sources.compileTo(
            directory.resolve("program"),
            """
            import java.lang.foreign.Arena;
            import java.util.concurrent.CountDownLatch;

            public class Main {
              static final int THREADS = 400;
              static final CountDownLatch used = new CountDownLatch(THREADS);
              static final CountDownLatch end = new CountDownLatch(1);

              static void useAndIdle() {
                for (int i = 0; i < 40; i++) {
                  Arena[] open = new Arena[10];
                  for (int at = 0; at < open.length; at++) {
                    open[at] = Arena.ofConfined();
                    open[at].allocate(100);
                  }
                  for (Arena each : open) {
                    each.close();
                  }
                }
                used.countDown();
                try {
                  end.await();
                } catch (InterruptedException ended) {
                  return;
                }
              }

              public static void main(String[] args) throws Exception {
                for (int i = 0; i < THREADS; i++) {
                  Thread.ofPlatform().start(Main::useAndIdle);
                }
                used.await();
                try (Arena arena = Arena.ofShared()) {
                  System.out.println(arena.allocate(7_000_000).byteSize());
                } finally {
                  end.countDown();
                }
              }
            }
            """);

    assertThat(ChildJvm.withAgent("limit=8m").classPath(program).run("Main").quietOutput())
        .containsExactly("7000000");
  }

  /** The first two change nothing that the limit would have to count. */
  @Test
  void limitThatStartedStaysInTheJvm() throws Exception {
    Path program =
        Sources.compileTo(
            directory.resolve("program"),
            """
            public class Main {
              public static void main(String[] args) throws Exception {
                System.out.println("ready");
                System.in.read();
              }
            }
            """);
    try (ChildJvm.Running target =
        ChildJvm.plain()
            .with(Attachment.ALLOW, "--limit-modules=java.instrument,java.management")
            .classPath(program)
            .start("Main")) {
      assertThat(target.answer()).isEqualTo("ready");
      Attachment.attach(target, "verbose");
      Attachment.uninstall(target);
      assertThatThrownBy(() -> Attachment.attach(target, "limit=50%"))
          .isInstanceOf(AgentInitializationException.class);
      Attachment.attach(target, "limit=64m");
      Attachment.uninstall(target);
      assertThatThrownBy(() -> Attachment.attach(target, "limit=32m"))
          .isInstanceOf(AgentInitializationException.class);
      assertThat(target.end().errText())
          .contains("A share of the memory, in agent options limit and limit.process, needs module")
          .contains("Agent option limit must be what it was when the agent first came to this JVM");
    }
  }

  private static final String CONTENTION =
      """
      import java.lang.foreign.*;
      import java.lang.management.ManagementFactory;
      import java.nio.ByteBuffer;
      import java.util.*;
      import java.util.concurrent.*;
      import java.util.concurrent.atomic.*;
      import javax.management.*;

      public class Main {
        static final long LIMIT = 8 << 20;
        static final AtomicLong held = new AtomicLong();
        static final AtomicLong most = new AtomicLong();
        static final AtomicLong refused = new AtomicLong();

        public static void main(String[] args) throws Exception {
          MBeanServer server = ManagementFactory.getPlatformMBeanServer();
          ObjectName agent = new ObjectName("dev.rockpool:type=Agent");
          while (!server.isRegistered(agent)) {
            Thread.sleep(10);
          }
          List<Thread> threads = new ArrayList<>();
          List<Throwable> failures = new CopyOnWriteArrayList<>();
          for (int i = 0; i < 12; i++) {
            SplittableRandom random = new SplittableRandom(i);
            Runnable work = () -> {
              try {
                work(random);
              } catch (Throwable failure) {
                failures.add(failure);
              }
            };
            threads.add(i % 3 == 0 ? Thread.ofVirtual().start(work) : Thread.ofPlatform().start(work));
          }
          for (Thread thread : threads) {
            while (!thread.join(java.time.Duration.ofMillis(5))) {
              long inUse = (long) server.getAttribute(agent, "LimitInUse");
              if (inUse < 0 || inUse > LIMIT) {
                throw new AssertionError(inUse);
              }
            }
          }
          for (Throwable failure : failures) {
            throw new AssertionError(failure);
          }
          long highest = (long) server.getAttribute(agent, "LimitHighest");
          if (most.get() > LIMIT || highest > LIMIT || highest < LIMIT / 2 || held.get() != 0) {
            throw new AssertionError(most + " " + highest + " " + held);
          }
          while (!takesNearlyAll()) { // for which garbage gives way if anybody waits
            System.gc();
          }
          @SuppressWarnings("unchecked")
          var byKind = (javax.management.openmbean.TabularData) server.getAttribute(agent, "LimitInUseByKind");
          Map<Object, Object> kinds = new TreeMap<>();
          for (Object row : byKind.values()) {
            var entry = (javax.management.openmbean.CompositeData) row;
            kinds.put(entry.get("key"), entry.get("value"));
          }
          System.out.println(kinds.get("confined") + " " + kinds.get("shared") + " " + refused.get());
        }

        static boolean takesNearlyAll() {
          try (Arena all = Arena.ofShared()) {
            all.allocate(LIMIT * 7 / 8);
            return true;
          } catch (OutOfMemoryError refused) {
            return false;
          }
        }

        static void took(long byteSize) {
          most.accumulateAndGet(held.addAndGet(byteSize), Math::max);
        }

        static void work(SplittableRandom random) {
          for (int i = 0; i < 300; i++) {
            int byteSize = random.nextInt(random.nextInt(3) == 0 ? 1_000_000 : 50_000) + 9_000;
            try {
              switch (random.nextInt(6)) {
                case 0 -> hold(Arena.ofShared(), byteSize);
                case 1 -> Arena.ofAuto().allocate(byteSize);
                case 2 -> ByteBuffer.allocateDirect(byteSize);
                case 3 -> {
                  try (Arena arena = Arena.ofConfined()) {
                    arena.allocate(random.nextInt(600));
                  }
                }
                default -> hold(Arena.ofConfined(), byteSize);
              }
            } catch (OutOfMemoryError atTheLimit) {
              if (!atTheLimit.getMessage().startsWith("Native memory must stay within its limit")) {
                throw atTheLimit;
              }
              refused.incrementAndGet();
            }
          }
        }

        static void hold(Arena arena, int byteSize) {
          try (arena) {
            arena.allocate(byteSize);
            took(byteSize);
            Thread.yield();
            held.addAndGet(-byteSize);
          }
        }
      }
      """;

  @Test
  void linesAndTheirHighestAreSeenByJmx() {
    Path program =
        Sources.compileTo(
            directory.resolve("program"),
            """
            import java.lang.foreign.Arena;
            import java.lang.management.ManagementFactory;
            import java.util.*;
            import javax.management.*;
            import javax.management.openmbean.*;

            public class Main {
              public static void main(String[] args) throws Exception {
                MBeanServer server = ManagementFactory.getPlatformMBeanServer();
                ObjectName agent = new ObjectName("dev.rockpool:type=Agent");
                while (!server.isRegistered(agent)) {
                  Thread.sleep(10);
                }
                Arena kept = kept();
                large();
                print(server, agent);
                watch(server, agent, 1500);
                kept.allocate(500);
                print(server, agent);
                watch(server, agent, 2000);
                large();
                kept.close();
                print(server, agent);
              }

              static void watch(MBeanServer server, ObjectName agent, long bytes) throws Exception {
                server.invoke(agent, "watch", new Object[] {bytes}, new String[] {"long"});
              }

              static void large() {
                try (Arena arena = Arena.ofConfined()) {
                  arena.allocate(70_000);
                }
              }

              static Arena kept() {
                Arena arena = Arena.ofShared();
                arena.allocate(1000);
                return arena;
              }

              static void print(MBeanServer server, ObjectName agent) throws Exception {
                System.out.println(server.getAttribute(agent, "LimitHighest")
                    + " " + sites(server.invoke(agent, "largestSites", new Object[] {9}, new String[] {"int"}))
                    + " " + sites(server.invoke(agent, "watchedSites", null, null)));
              }

              static Map<Object, Object> sites(Object table) {
                Map<Object, Object> sites = new TreeMap<>();
                for (Object row : ((TabularData) table).values()) {
                  CompositeData entry = (CompositeData) row;
                  sites.put(entry.get("key"), entry.get("value"));
                }
                return sites;
              }
            }
            """);

    List<String> output =
        ChildJvm.withAgent("limit=8m", "arenas=off").classPath(program).run("Main").quietOutput();

    String shared = "shared Main.kept:37=";
    assertThat(output)
        .containsExactly(
            "71000 {" + shared + "1000} {}",
            "1500 {" + shared + "1500} {}",
            "71500 {} {confined Main.large:31=70000, " + shared + "1500}");
  }

  /** Threads that wait get their bytes; others are refused. */
  @ParameterizedTest
  @CsvSource({"limit.wait=60s, 0", "limit.wait=0, [1-9]\\d*"})
  void limitHoldsUnderContention(String wait, String refused) throws Exception {
    Path program = Sources.compileTo(directory.resolve("program"), CONTENTION);

    List<String> output =
        ChildJvm.withAgent("limit=8m", wait).classPath(program).run("Main").quietOutput();

    assertThat(output).singleElement().asString().matches("0 0 " + refused);
  }

  @Test
  void flightRecorderHasTheFigures() throws Exception {
    Path program =
        Sources.compileTo(
            directory.resolve("program"),
            """
            import java.lang.foreign.Arena;
            import java.util.concurrent.CountDownLatch;
            import jdk.jfr.consumer.RecordingStream;

            public class Main {
              public static void main(String[] args) throws Exception {
                CountDownLatch done = new CountDownLatch(1);
                try (RecordingStream stream = new RecordingStream(); Arena arena = Arena.ofShared()) {
                  arena.allocate(5000);
                  stream.enable("dev.rockpool.Limit");
                  stream.onEvent("dev.rockpool.Limit", event -> {
                    System.out.println(event.getLong("limit") + " " + event.getLong("shared"));
                    done.countDown();
                  });
                  stream.startAsync();
                  done.await();
                }
              }
            }
            """);

    List<String> lines =
        ChildJvm.withAgent("limit=1m").classPath(program).run("Main").quietOutput();

    assertThat(lines.getFirst()).isEqualTo("1048576 5000");
  }

  @Test
  void theLimitCanBeChangedWhileTheProgramRuns() {
    Path program =
        Sources.compileTo(
            directory.resolve("program"),
            """
            import java.lang.foreign.*;
            import java.lang.management.ManagementFactory;
            import javax.management.*;

            public class Main {
              public static void main(String[] args) throws Exception {
                MBeanServer server = ManagementFactory.getPlatformMBeanServer();
                ObjectName agent = new ObjectName("dev.rockpool:type=Agent");
                while (!server.isRegistered(agent)) {
                  hold(1000);
                  Thread.sleep(10);
                }
                System.out.println(hold(3_000_000));
                for (String limit : new String[] {"4m", "1m", "0", "half", "5m"}) {
                  try {
                    System.out.println(
                        server.invoke(
                            agent,
                            "changeLimit",
                            new Object[] {limit},
                            new String[] {"java.lang.String"}));
                  } catch (RuntimeMBeanException refused) {
                    System.out.println(refused.getTargetException().getMessage());
                  }
                  System.out.println(hold(3_000_000));
                }
                System.out.println(server.getAttribute(agent, "Limit"));
              }

              static boolean hold(long byteSize) {
                try {
                  Arena.ofShared().allocate(byteSize);
                  return true;
                } catch (OutOfMemoryError refused) {
                  return false;
                }
              }
            }
            """);

    List<String> lines =
        ChildJvm.withAgent("limit=2m", "limit.wait=0").classPath(program).run("Main").quietOutput();

    assertThat(lines)
        .hasSize(12)
        .startsWith("false", "4194304", "true")
        .endsWith("false", "5242880", "false", "5242880");
    assertThat(lines.get(3))
        .matches(
            "The limit must not be below what is in use: 1048576 bytes asked for, \\d+ in use;"
                + " free memory first, or set a higher limit");
    assertThat(List.of(lines.get(5), lines.get(7)))
        .allMatch(line -> line.startsWith("Agent option limit must be off, a number of bytes"));
  }

  /** Each thread keeps one, which nobody counts. */
  @Test
  void theJdkKeepsOnlySmallTemporaryBuffersOfChannels() {
    Path program =
        Sources.compileTo(
            directory.resolve("program"),
            """
            import java.nio.ByteBuffer;
            import java.nio.channels.FileChannel;
            import java.nio.file.*;
            import java.util.concurrent.*;

            public class Main {
              public static void main(String[] args) throws Exception {
                byte[] large = new byte[4 << 20];
                CountDownLatch written = new CountDownLatch(60);
                long before = resident();
                for (int i = 0; i < 60; i++) {
                  Thread.ofPlatform().daemon().start(() -> {
                    try (FileChannel file = FileChannel.open(
                        Files.createTempFile("rockpool", ""),
                        StandardOpenOption.WRITE,
                        StandardOpenOption.DELETE_ON_CLOSE)) {
                      file.write(ByteBuffer.wrap(large));
                      file.write(ByteBuffer.allocate(100 << 10));
                    } catch (Exception failure) {
                      failure.printStackTrace();
                    }
                    written.countDown();
                    while (true) {
                      java.util.concurrent.locks.LockSupport.park();
                    }
                  });
                }
                written.await();
                System.out.println(resident() - before > 200 << 20 ? "kept" : "not kept");
              }

              static long resident() throws Exception {
                return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("RssAnon:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
                    .findAny()
                    .orElseThrow();
              }
            }
            """);

    assertThat(ChildJvm.withAgent().classPath(program).run("Main").quietOutput())
        .containsExactly("kept");
    assertThat(ChildJvm.withAgent("limit=1g").classPath(program).run("Main").quietOutput())
        .containsExactly("not kept");
    assertThat(
            ChildJvm.withAgent("limit=1g")
                .with("-Djdk.nio.maxCachedBufferSize=10000000")
                .classPath(program)
                .run("Main")
                .quietOutput())
        .as("the user has said otherwise")
        .containsExactly("kept");
  }

  @Test
  void shareIsThatOfTheContainersMemory() throws Exception {
    Path program = Sources.compileTo(directory.resolve("program"), Programs.ARENA);
    try (ControlGroup group = ControlGroup.of(512 << 20)) {
      assertThat(
              ChildJvm.withAgent("limit=25%", "verbose")
                  .inControlGroup(group.folder())
                  .classPath(program)
                  .run("Main")
                  .err())
          .contains("[rockpool] the limit of native memory is 134217728 bytes");
    }
  }

  /** Netty takes its memory by malloc, where it has native access. */
  @ParameterizedTest
  @ValueSource(strings = {"adaptive", "pooled", "unpooled"})
  void nettyIsRefusedAndGoesOn(String allocator) {
    List<String> lines =
        ClientPrograms.on(
                ChildJvm.withAgent("limit=50m").with("--enable-native-access=ALL-UNNAMED"))
            .run(ClientPrograms.named("NettyHolder"), allocator)
            .output();

    assertThat(lines.getFirst())
        .matches(
            "Native memory must stay within its limit: asked for \\d+ bytes, in use \\d+, limit"
                + " 52428800\\. Most is held by dev\\.rockpool\\.clients\\.NettyHolder\\.hold:\\d+"
                + " \\(malloc, \\d{8} bytes\\).*");
    assertThat(lines.getLast()).matches("goes on after \\d+");
  }

  /** As some versions of Netty do without native access. */
  @Test
  void lookUpsOfArenasAreNotCountedAndThatIsSaid() throws Exception {
    Path program =
        Sources.compileTo(
            directory.resolve("program"),
            """
            import java.lang.foreign.Arena;
            import java.lang.invoke.*;

            public class Main {
              public static void main(String[] args) throws Throwable {
                MethodHandle open =
                    MethodHandles.lookup()
                        .findStatic(Arena.class, "ofShared", MethodType.methodType(Arena.class));
                try (Arena arena = (Arena) open.invokeExact()) {
                  System.out.println(arena.allocate(2_000_000).byteSize());
                }
              }
            }
            """);

    ChildJvm.Exit exit = ChildJvm.withAgent("limit=1m").classPath(program).run("Main");

    assertThat(exit.out()).containsExactly("2000000");
    assertThat(exit.err())
        .containsExactly(
            "[rockpool] Main looks up methods of Arena by name, whose memory is not counted.");
  }

  /** As CleanerJava25 of Netty 4.2.7 does. */
  @Test
  void lookUpsByTheNameOfTheClassAreSaidToo() throws Exception {
    Path program =
        Sources.compileTo(
            directory.resolve("program"),
            """
            import java.lang.invoke.*;

            public class Main {
              public static void main(String[] args) throws Throwable {
                Class<?> type = Class.forName("java.lang.foreign.Arena");
                MethodHandle open =
                    MethodHandles.lookup().findStatic(type, "ofShared", MethodType.methodType(type));
                System.out.println(open.invoke() != null);
              }
            }
            """);

    ChildJvm.Exit exit = ChildJvm.withAgent("limit=1m").classPath(program).run("Main");

    assertThat(exit.out()).containsExactly("true");
    assertThat(exit.err())
        .containsExactly(
            "[rockpool] Main looks up methods of Arena by name, whose memory is not counted.");
  }

  /** A library's caller is the site; without a caller, two frames of the library are. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          limit=1m                         | com.acme.buf.Buffers.of:7
          limit=1m,sites.skip=com.acme.*   | Main.main:6
          limit=1m,sites.skip=com.acme.*,sites.skip=Ma* | com.acme.buf.Buffers.of:7, called by Main.main:6
          """)
  void sitesAreThoseWhoUseALibrary(String options, String site) throws Exception {
    Path program =
        Sources.compileTo(
            directory.resolve("program"),
            """
            package com.acme.buf;

            import java.lang.foreign.*;

            public class Buffers {
              public static MemorySegment of(long byteSize) {
                return Arena.ofShared().allocate(byteSize);
              }
            }
            """,
            """
            import com.acme.buf.Buffers;

            public class Main {
              public static void main(String[] args) {
                try {
                  Buffers.of(1_000_000);
                  Buffers.of(1_000_000);
                } catch (OutOfMemoryError refused) {
                  System.out.println(refused.getMessage());
                }
              }
            }
            """);

    List<String> lines = ChildJvm.withAgent(options).classPath(program).run("Main").quietOutput();

    assertThat(lines.getFirst()).contains("Most is held by " + site + " (shared, 1000000 bytes).");
  }

  /** Mapped files do not count, whatever the arena. */
  @Test
  void luceneMapsMoreThanTheLimit() {
    Path index = directory.resolve("index");

    List<String> lines =
        ClientPrograms.on(ChildJvm.withAgent("limit=1m"))
            .run(ClientPrograms.named("LuceneIndex"), index.toString(), "20000")
            .output();

    assertThat(index)
        .isDirectoryContaining(file -> file.toFile().length() > 1 << 20)
        .as("a file larger than the limit");
    assertThat(lines.getFirst())
        .matches(
            "Native memory must stay within its limit: asked for 600000 bytes, in use \\d+, limit"
                + " 1048576\\. Most is held by dev\\.rockpool\\.clients\\.LuceneIndex\\.beside:\\d+"
                + " \\(shared, 600000 bytes\\).*");
    assertThat(lines.getLast()).isEqualTo("10000 hits");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "limit=1m                   | Native memory must stay within its limit: asked for 2000000"
            + " bytes",
        "limit=1m,limit.action=warn | done",
      })
  void actionDecidesOnARequestBeyondTheLimit(String options, String expected) throws Exception {
    Path program =
        Sources.compileTo(
            directory.resolve("program"),
            """
            import java.lang.foreign.*;

            public class Main {
              public static void main(String[] args) {
                try (Arena arena = Arena.ofShared()) {
                  for (int i = 0; i < 5; i++) {
                    arena.allocate(2_000_000);
                  }
                  System.out.println("done");
                } catch (OutOfMemoryError refused) {
                  System.out.println(refused.getMessage());
                }
              }
            }
            """);

    var outcome = ChildJvm.withAgent(options).classPath(program).run("Main");

    assertThat(outcome.outText()).startsWith(expected);
    assertThat(outcome.err().stream().filter(line -> line.contains("must stay within")))
        .hasSize(options.contains("warn") ? 1 : 0);
  }
}
