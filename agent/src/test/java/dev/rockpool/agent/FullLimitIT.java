package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Jvm.Exit;
import dev.rockpool.testing.Sources;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Option {@code limit} once memory is full: who is served, who is refused, and what is counted. */
class FullLimitIT {
  /** What the programs have in common. */
  private static final String BOOK =
      """
      import java.lang.management.*;
      import javax.management.*;

      public class Book {
        static final long MIB = 1 << 20;
        static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

        static long inUse() {
          try {
            ObjectName agent = new ObjectName("dev.rockpool:type=Agent");
            while (!SERVER.isRegistered(agent)) {
              Thread.sleep(10);
            }
            return (long) SERVER.getAttribute(agent, "LimitInUse");
          } catch (JMException | InterruptedException failure) {
            throw new AssertionError(failure);
          }
        }

        static long fullCollections() {
          return ManagementFactory.getGarbageCollectorMXBeans().stream()
              .filter(each -> each.getName().matches("G1 Old Generation|MarkSweepCompact"))
              .mapToLong(GarbageCollectorMXBean::getCollectionCount)
              .sum();
        }

        /** Collects until no more than that is in use; returns what is. */
        static long collected(long expected) throws Exception {
          long last = inUse();
          for (int i = 0; i < 100 && last > expected; i++) {
            System.gc();
            Thread.sleep(20);
            last = inUse();
          }
          return last;
        }
      }
      """;

  @TempDir private Path directory;

  private Exit end(ChildJvm jvm, String program, String... arguments) throws Exception {
    Path classes = Sources.compileTo(directory.resolve("program"), BOOK, program);
    return jvm.with("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED")
        .classPath(classes)
        .run(Stream.concat(Stream.of("Main"), Stream.of(arguments)).toArray(String[]::new));
  }

  private List<String> run(ChildJvm jvm, String program, String... arguments) throws Exception {
    return end(jvm, program, arguments).quietOutput();
  }

  /** Each arrival used to put off the refusal of all others, and to have garbage collected. */
  @ParameterizedTest
  @CsvSource({"100, 30", "10, 300", "1, 3000"})
  void requestsAreRefusedAtAnyRateOfArrivals(String everyMillis, String requests) throws Exception {
    List<String> lines =
        run(
            ChildJvm.withAgent("limit=64m"),
            """
            import java.nio.ByteBuffer;
            import java.util.*;
            import java.util.concurrent.atomic.AtomicInteger;

            public class Main {
              public static void main(String[] args) throws Exception {
                List<ByteBuffer> held = new ArrayList<>();
                for (int i = 0; i < 64; i++) {
                  held.add(ByteBuffer.allocateDirect(1 << 20));
                }
                long millis = Long.parseLong(args[0]);
                AtomicInteger refused = new AtomicInteger();
                List<Thread> requests = new ArrayList<>();
                long collections = Book.fullCollections();
                long start = System.nanoTime();
                for (int i = 0; i < Integer.parseInt(args[1]); i++) {
                  Thread.sleep(millis);
                  requests.add(Thread.startVirtualThread(() -> {
                    try {
                      ByteBuffer.allocateDirect(1 << 20);
                    } catch (OutOfMemoryError atTheLimit) {
                      refused.incrementAndGet();
                    }
                  }));
                }
                for (Thread each : requests) {
                  each.join();
                }
                long tenths = (System.nanoTime() - start) / 100_000_000;
                collections = Book.fullCollections() - collections;
                System.out.println(
                    refused + " refused, " + (collections <= 3 + tenths / 8 ? "few" : collections)
                        + " collections, " + held.size() + " held");
              }
            }
            """,
            everyMillis,
            requests);

    assertThat(lines).containsExactly(requests + " refused, few collections, 64 held");
  }

  /** One that asks again and again for more than there is used to stall all others. */
  @Test
  void whatFitsIsServedWhoeverWaits() throws Exception {
    List<String> lines =
        run(
            ChildJvm.withAgent("limit=64m"),
            """
            import java.lang.foreign.Arena;

            public class Main {
              public static void main(String[] args) throws Exception {
                try (Arena held = Arena.ofShared()) {
                  held.allocate(30 * Book.MIB);
                  Thread large = Thread.startVirtualThread(() -> {
                    for (int i = 0; i < 3; i++) {
                      try (Arena arena = Arena.ofShared()) {
                        arena.allocate(40 * Book.MIB);
                        throw new AssertionError();
                      } catch (OutOfMemoryError atTheLimit) {
                        continue;
                      }
                    }
                  });
                  int served = 0;
                  while (large.isAlive()) {
                    try (Arena arena = Arena.ofShared()) {
                      arena.allocate(1000);
                      served++;
                    }
                  }
                  System.out.println(served > 1000 ? "served" : served);
                }
              }
            }
            """);

    assertThat(lines).containsExactly("served");
  }

  @Test
  void eventLoopIsRefusedAtOnce() throws Exception {
    List<String> lines =
        run(
            ChildJvm.withAgent("limit=64m", "limit.wait=0"),
            """
            import java.lang.foreign.Arena;

            public class Main {
              public static void main(String[] args) {
                int refused = 0;
                try (Arena held = Arena.ofShared()) {
                  held.allocate(64 * Book.MIB);
                  for (int i = 0; i < 2000; i++) { // a quarter of an hour, if each waited
                    try {
                      held.allocate(1);
                    } catch (OutOfMemoryError atTheLimit) {
                      refused++;
                    }
                  }
                }
                System.out.println(refused);
              }
            }
            """);

    assertThat(lines).containsExactly("2000");
  }

  /** A cleanup action that runs before the memory is freed finds it in use. */
  @ParameterizedTest
  @CsvSource({"limit=64m", "'limit=64m,arenas=off'"})
  void bytesAreRefundedAfterTheirMemoryIsFreed(String options) throws Exception {
    List<String> lines =
        run(
            ChildJvm.withAgent(options),
            """
            import java.lang.foreign.*;

            public class Main {
              public static void main(String[] args) {
                for (int i = 0; i < 2; i++) {
                  try (Arena arena = i == 0 ? Arena.ofConfined() : Arena.ofShared()) {
                    arena.allocate(60 * Book.MIB);
                    MemorySegment.NULL.reinterpret(
                        arena, closed -> System.out.println(Book.inUse() >= 60 * Book.MIB));
                  }
                  System.out.println(Book.inUse() < Book.MIB);
                }
              }
            }
            """);

    assertThat(lines).containsExactly("true", "true", "true", "true");
  }

  /** An Error in a cleanup action keeps the JDK from freeing what comes behind it. */
  @Test
  void whatTheJdkDoesNotFreeStaysCounted() throws Exception {
    List<String> lines =
        run(
            ChildJvm.withAgent("limit=64m"),
            """
            import java.lang.foreign.*;

            public class Main {
              public static void main(String[] args) {
                int leaked = 0;
                try {
                  for (int i = 0; i < 6; i++) {
                    leak();
                    leaked++;
                  }
                } catch (IllegalStateException full) {
                  System.out.println(leaked + " " + Book.inUse() / Book.MIB);
                }
              }

              static void leak() {
                Arena arena = Arena.ofShared();
                try {
                  arena.allocate(20 * Book.MIB);
                } catch (OutOfMemoryError atTheLimit) {
                  throw new IllegalStateException();
                }
                MemorySegment.NULL.reinterpret(
                    arena, closed -> Arena.ofAuto().allocate(65 * Book.MIB));
                try {
                  arena.close();
                  throw new AssertionError();
                } catch (OutOfMemoryError inAction) {
                  return;
                }
              }
            }
            """);

    assertThat(lines).containsExactly("3 60");
  }

  /** With any agent, the JVM prints an assertion if it loads a class while the heap is full. */
  @Test
  void heapThatIsFullLosesNothing() throws Exception {
    Exit end =
        end(
            ChildJvm.withAgent("limit=64m").with("-Xmx16m", "-XX:+UseSerialGC"),
            """
            import java.lang.foreign.Arena;
            import java.nio.ByteBuffer;
            import java.util.*;

            public class Main {
              static Object heap;

              public static void main(String[] args) throws Exception {
                Book.inUse();
                int errors = 0;
                for (int round = 0; round < 100; round++) {
                  heap = null;
                  try {
                    for (int size = 1 << 20; size > 16; size /= 2) {
                      fill(size);
                    }
                  } finally {
                    try {
                      use();
                    } catch (OutOfMemoryError expected) {
                      errors++;
                    }
                  }
                }
                heap = null;
                System.out.println((errors > 20 ? "errors" : errors) + " " + Book.collected(Book.MIB) / Book.MIB);
              }

              static void fill(int size) {
                try {
                  while (true) {
                    heap = new Object[] {heap, new byte[size]};
                  }
                } catch (OutOfMemoryError full) {
                  return;
                }
              }

              static void use() {
                for (int i = 0; i < 50; i++) {
                  ByteBuffer.allocateDirect(64 << 10);
                  try (Arena arena = i % 2 == 0 ? Arena.ofShared() : Arena.ofConfined()) {
                    arena.allocate(100_000);
                  }
                  Arena.ofAuto().allocate(100_000);
                }
              }
            }
            """);

    assertThat(end.output()).containsExactly("errors 0");
  }

  /** Frames that C2 has compiled are smaller than others, and end at other calls. */
  @ParameterizedTest
  @ValueSource(strings = {"-XX:+TieredCompilation", "-XX:-TieredCompilation"})
  void stackThatEndsLosesNothing(String compilation) throws Exception {
    List<String> lines =
        run(
            ChildJvm.withAgent("limit=64m").with(compilation),
            """
            import java.lang.foreign.Arena;
            import java.nio.ByteBuffer;

            public class Main {
              static int ended;
              static int left;

              /** On small stacks, whose end is near. */
              public static void main(String[] args) throws Exception {
                Book.inUse();
                for (int kind = 0; kind < 4; kind++) {
                  int use = kind;
                  run(kind, -1); // initializes all classes
                  for (int i = 0; i < 200; i++) {
                    int tries = i % 97;
                    Thread thread = new Thread(null, () -> run(use, tries), "small", 200_000);
                    thread.start();
                    thread.join();
                  }
                }
                System.out.println((ended > 400 ? "ended" : ended) + " " + Book.collected(Book.MIB / 2) * 2 / Book.MIB);
              }

              /** Arenas are closed where there is stack: else they would stay open without a limit, too. */
              static void run(int kind, int tries) {
                try (Arena arena = kind == 2 ? Arena.ofShared() : Arena.ofConfined()) {
                  if (tries < 0) {
                    use(kind, arena);
                  } else {
                    dive(kind, arena, tries);
                  }
                }
              }

              /** Uses memory at each depth on the way back, from the end on. */
              static boolean dive(int kind, Arena arena, int tries) {
                boolean deeper;
                try {
                  deeper = dive(kind, arena, tries);
                } catch (StackOverflowError here) {
                  deeper = true;
                  left = tries;
                }
                if (deeper && left-- > 0) {
                  try {
                    use(kind, arena);
                    return false;
                  } catch (StackOverflowError again) {
                    ended++;
                    return true;
                  }
                }
                return false;
              }

              static void use(int kind, Arena arena) {
                switch (kind) {
                  case 0 -> ByteBuffer.allocateDirect(100_000);
                  case 1 -> Arena.ofAuto().allocate(100_000);
                  default -> arena.allocate(100_000);
                }
              }
            }
            """);

    assertThat(lines).containsExactly("ended 0");
  }

  /** Memory that the JDK does not free either, where the stack ends in its code, stays in use. */
  @ParameterizedTest
  @ValueSource(strings = {"-XX:+TieredCompilation", "-XX:-TieredCompilation"})
  void stackThatEndsWhereMemoryIsFreedLosesNothing(String compilation) throws Exception {
    Exit end =
        end(
            ChildJvm.withAgent("limit=256m").with(compilation, "-XX:NativeMemoryTracking=summary"),
            """
            import java.lang.foreign.*;
            import java.lang.invoke.MethodHandle;
            import java.nio.ByteBuffer;
            import java.util.regex.*;
            import javax.management.ObjectName;
            import sun.misc.Unsafe;
            import static java.lang.foreign.ValueLayout.JAVA_LONG;

            public class Main {
              static final Unsafe UNSAFE = unsafe();
              static final MethodHandle MALLOC = link("malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
              static final MethodHandle FREE = link("free", FunctionDescriptor.ofVoid(JAVA_LONG));
              static int left;
              static boolean isDone;
              static boolean isOnce;
              static int ended;

              interface Use {
                void run() throws Throwable;
              }

              public static void main(String[] args) throws Throwable {
                for (int i = 0; i < 5; i++) {
                  int kind = i;
                  open(kind).run(); // initializes all classes
                  ended = 0;
                  long before = Book.inUse() - known();
                  for (int round = 0; round < 200; round++) {
                    int skipped = round % 40;
                    Thread thread = new Thread(null, () -> use(kind, skipped), "small", 200_000);
                    thread.start();
                    thread.join();
                  }
                  Thread.sleep(1500); // the housekeeper makes up for refunds
                  long lost = Math.abs(Book.inUse() - known() - before);
                  System.out.println(kind + " " + (ended > 20) + " " + (lost < Book.MIB ? "as the JVM" : lost));
                }
              }

              static void use(int kind, int skipped) {
                try {
                  Use free = open(kind);
                  isOnce = kind < 2;
                  dive(free, skipped);
                  if (!isDone) {
                    free.run();
                  }
                } catch (Throwable failure) {
                  throw new AssertionError(failure);
                }
              }

              /** Frees on the way back from the end of the stack, after so many calls. */
              static void dive(Use free, int skipped) throws Throwable {
                try {
                  dive(free, skipped);
                } catch (StackOverflowError here) {
                  left = skipped;
                  isDone = false;
                }
                if (!isDone && left-- <= 0) {
                  try {
                    free.run();
                    isDone = true;
                  } catch (StackOverflowError again) {
                    ended++;
                    isDone = isOnce; // the JDK would wait for ever for the end of that close
                  }
                }
              }

              static Use open(int kind) throws Throwable {
                switch (kind) {
                  case 0, 1:
                    Arena arena = kind == 0 ? Arena.ofConfined() : Arena.ofShared();
                    arena.allocate(100_000);
                    return () -> {
                      if (arena.scope().isAlive()) {
                        arena.close();
                      }
                    };
                  case 2:
                    ByteBuffer buffer = ByteBuffer.allocateDirect(100_000);
                    return () -> UNSAFE.invokeCleaner(buffer);
                  case 3:
                    long taken = UNSAFE.allocateMemory(100_000);
                    return () -> UNSAFE.freeMemory(taken);
                  default:
                    long linked = (long) MALLOC.invokeExact(100_000L);
                    return () -> {
                      FREE.invokeExact(linked);
                    };
                }
              }

              /** Returns the bytes that the JVM knows; it does not see the linked malloc. */
              static long known() throws Exception {
                String text = (String) Book.SERVER.invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "vmNativeMemory",
                    new Object[] {new String[] {"summary", "scale=B"}},
                    new String[] {String[].class.getName()});
                Matcher other = Pattern.compile("Other .reserved=([0-9]+)").matcher(text);
                return other.find() ? Long.parseLong(other.group(1)) : 0;
              }

              static MethodHandle link(String name, FunctionDescriptor type) {
                Linker linker = Linker.nativeLinker();
                return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
              }

              static Unsafe unsafe() {
                try {
                  var field = Unsafe.class.getDeclaredField("theUnsafe");
                  field.setAccessible(true);
                  return (Unsafe) field.get(null);
                } catch (ReflectiveOperationException impossible) {
                  throw new AssertionError(impossible);
                }
              }
            }
            """);

    assertThat(end.output()).hasSize(5).allMatch(line -> line.endsWith("true as the JVM"));
  }

  @Test
  void buffersOnPagesAreRefunded() throws Exception {
    List<String> lines =
        run(
            ChildJvm.withAgent("limit=64m").with("-Dsun.nio.PageAlignDirectMemory=true"),
            """
            import java.nio.ByteBuffer;

            public class Main {
              public static void main(String[] args) throws Exception {
                Book.inUse();
                for (int i = 0; i < 1000; i++) {
                  ByteBuffer.allocateDirect(100_000);
                }
                System.out.println(Book.collected(100_000) <= 100_000);
              }
            }
            """);

    assertThat(lines).containsExactly("true");
  }

  /** These fail, and what they were to move is still there. */
  @Test
  void failedReallocationsChangeNothing() throws Exception {
    List<String> lines =
        run(
            ChildJvm.withAgent("limit=64m"),
            """
            import java.lang.foreign.*;
            import java.lang.invoke.MethodHandle;
            import static java.lang.foreign.ValueLayout.JAVA_LONG;
            import sun.misc.Unsafe;

            public class Main {
              static MethodHandle link(String name, FunctionDescriptor type) {
                Linker linker = Linker.nativeLinker();
                return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
              }

              public static void main(String[] args) throws Throwable {
                MethodHandle malloc = link("malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
                MethodHandle realloc = link("realloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
                MethodHandle free = link("free", FunctionDescriptor.ofVoid(JAVA_LONG));
                var field = Unsafe.class.getDeclaredField("theUnsafe");
                field.setAccessible(true);
                Unsafe unsafe = (Unsafe) field.get(null);
                long byUnsafe = unsafe.allocateMemory(Book.MIB);
                long byMalloc = (long) malloc.invokeExact(Book.MIB);
                try {
                  unsafe.reallocateMemory(byUnsafe, -1);
                } catch (RuntimeException refused) {
                  System.out.println("refused");
                }
                System.out.println((long) realloc.invokeExact(byMalloc, -1L));
                System.out.println(Book.inUse() / Book.MIB);
                free.invokeExact(byMalloc);
                unsafe.freeMemory(byUnsafe);
                System.out.println(Book.inUse() / Book.MIB);
              }
            }
            """);

    assertThat(lines).containsExactly("refused", "0", "2", "0");
  }

  /** The JVM's own figures, and those who watch them, know nothing of a limit. */
  @Test
  void buffersUnderALimitAreTheJdks() throws Exception {
    List<String> lines =
        run(
            ChildJvm.withAgent("limit=64m").with("-XX:MaxDirectMemorySize=32m"),
            """
            import java.lang.management.*;
            import java.nio.ByteBuffer;

            public class Main {
              public static void main(String[] args) throws Exception {
                ByteBuffer held = ByteBuffer.allocateDirect(20 << 20);
                for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
                  if (pool.getName().equals("direct")) {
                    System.out.println(pool.getMemoryUsed() / Book.MIB + " " + Book.inUse() / Book.MIB);
                  }
                }
                try {
                  ByteBuffer.allocateDirect(20 << 20);
                } catch (OutOfMemoryError ofTheJdk) {
                  System.out.println(ofTheJdk.getMessage().startsWith("Cannot reserve"));
                }
                held = null;
                System.out.println(Book.collected(0));
              }
            }
            """);

    assertThat(lines).containsExactly("20 20", "true", "0");
  }

  @Test
  void nothingIsRefusedAfterTheAgentHasLeft() throws Exception {
    Path classes =
        Sources.compileTo(
            directory.resolve("program"),
            BOOK,
            """
            import java.lang.foreign.*;
            import java.lang.invoke.MethodHandle;
            import java.nio.ByteBuffer;
            import static java.lang.foreign.ValueLayout.JAVA_LONG;

            public class Main {
              static MethodHandle link(String name, FunctionDescriptor type) {
                Linker linker = Linker.nativeLinker();
                return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
              }

              public static void main(String[] args) throws Throwable {
                MethodHandle malloc = link("malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
                MethodHandle free = link("free", FunctionDescriptor.ofVoid(JAVA_LONG));
                ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
                long first = (long) malloc.invokeExact(Book.MIB);
                System.out.println(Book.inUse() / Book.MIB);
                System.in.read();
                buffer = null;
                long second = (long) malloc.invokeExact(100 * Book.MIB);
                free.invokeExact(second);
                free.invokeExact(first);
                System.gc();
                System.out.println("free");
                System.in.read();
                System.out.println(Book.inUse());
                System.in.read();
              }
            }
            """);
    try (ChildJvm.Running target =
        ChildJvm.withAgent("limit=64m")
            .with(Attachment.ALLOW, "--enable-native-access=ALL-UNNAMED")
            .classPath(classes)
            .start("Main")) {
      assertThat(target.answer()).isEqualTo("2");
      Attachment.uninstall(target);
      assertThat(target.ask("")).isEqualTo("free");
      Attachment.attach(target, "limit=64m");
      assertThat(target.ask("")).isEqualTo("0");
    }
  }
}
