package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Jvm.Exit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Option {@code limit}: what stays counted, and what is credited, if something fails. */
class LimitRefundsIT {
  /** A cleanup action that runs before the memory is freed finds it in use. */
  @ParameterizedTest
  @CsvSource({"limit=64m", "'limit=64m,arenas=off'"})
  void bytesAreRefundedAfterTheirMemoryIsFreed(String options) {
    List<String> lines =
        LimitProgram.run(
            ChildJvm.withAgent(options),
            """
            static void main() {
              for (int i = 0; i < 2; i++) {
                try (Arena arena = i == 0 ? Arena.ofConfined() : Arena.ofShared()) {
                  arena.allocate(60 * Book.MIB);
                  MemorySegment.NULL.reinterpret(
                      arena, closed -> System.out.println(Book.inUse() >= 60 * Book.MIB));
                }
                System.out.println(Book.inUse() < Book.MIB);
              }
            }
            """);

    assertThat(lines).containsExactly("true", "true", "true", "true");
  }

  /** An Error in a cleanup action keeps the JDK from freeing what comes behind it. */
  @Test
  void whatTheJdkDoesNotFreeStaysCounted() {
    List<String> lines =
        LimitProgram.run(
            ChildJvm.withAgent("limit=64m"),
            """
            static void main() {
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
            """);

    assertThat(lines).containsExactly("3 60");
  }

  /** With any agent, the JVM prints an assertion if it loads a class while the heap is full. */
  @Test
  void heapThatIsFullLosesNothing() {
    Exit end =
        LimitProgram.end(
            ChildJvm.withAgent("limit=64m").with("-Xmx16m", "-XX:+UseSerialGC"),
            """
            static Object heap;

            static void main() throws Exception {
              Book.inUse();
              use(); // initializes all classes
              int errors = 0;
              for (int round = 0; round < 40; round++) {
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
              System.out.println((errors > 10 ? "errors" : errors) + " " + Book.collected(Book.MIB) / Book.MIB);
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
            """);

    assertThat(end.output()).containsExactly("errors 0");
  }

  /** Frames that C2 has compiled are smaller than others, and end at other calls. */
  @ParameterizedTest
  @ValueSource(strings = {"-XX:+TieredCompilation", "-XX:-TieredCompilation"})
  void stackThatEndsLosesNothing(String compilation) {
    List<String> lines =
        LimitProgram.run(
            ChildJvm.withAgent("limit=64m").with(compilation),
            """
            static int ended;
            static int left;

            /** On small stacks, whose end is near. */
            static void main() throws Exception {
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
            """);

    assertThat(lines).containsExactly("ended 0");
  }

  /** Memory that the JDK does not free either, where the stack ends in its code, stays in use. */
  @ParameterizedTest
  @ValueSource(strings = {"-XX:+TieredCompilation", "-XX:-TieredCompilation"})
  void stackThatEndsWhereMemoryIsFreedLosesNothing(String compilation) {
    Exit end =
        LimitProgram.end(
            ChildJvm.withAgent("limit=256m").with(compilation, "-XX:NativeMemoryTracking=summary"),
            """
            import module java.management;
            import static java.lang.foreign.ValueLayout.JAVA_LONG;
            import sun.misc.Unsafe;

            static final Unsafe UNSAFE = Book.unsafe();
            static final MethodHandle MALLOC = Book.link("malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
            static final MethodHandle FREE = Book.link("free", FunctionDescriptor.ofVoid(JAVA_LONG));
            static int left;
            static boolean isDone;
            static boolean isOnce;
            static int ended;

            interface Use {
              void run() throws Throwable;
            }

            static void main() throws Throwable {
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
              String text = Book.command("vmNativeMemory", "summary", "scale=B");
              Matcher other = Pattern.compile("Other .reserved=([0-9]+)").matcher(text);
              return other.find() ? Long.parseLong(other.group(1)) : 0;
            }

            """);

    assertThat(end.output()).hasSize(5).allMatch(line -> line.endsWith("true as the JVM"));
  }

  @Test
  void buffersOnPagesAreRefunded() {
    List<String> lines =
        LimitProgram.run(
            ChildJvm.withAgent("limit=64m").with("-Dsun.nio.PageAlignDirectMemory=true"),
            """
            static void main() throws Exception {
              Book.inUse();
              for (int i = 0; i < 1000; i++) {
                ByteBuffer.allocateDirect(100_000);
              }
              System.out.println(Book.collected(100_000) <= 100_000);
            }
            """);

    assertThat(lines).containsExactly("true");
  }

  /** These fail, and what they were to move is still there. */
  @Test
  void failedReallocationsChangeNothing() {
    List<String> lines =
        LimitProgram.run(
            ChildJvm.withAgent("limit=64m"),
            """
            import static java.lang.foreign.ValueLayout.JAVA_LONG;
            import sun.misc.Unsafe;

            static void main() throws Throwable {
              MethodHandle malloc = Book.link("malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
              MethodHandle realloc = Book.link("realloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
              MethodHandle free = Book.link("free", FunctionDescriptor.ofVoid(JAVA_LONG));
              Unsafe unsafe = Book.unsafe();
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
            """);

    assertThat(lines).containsExactly("refused", "0", "2", "0");
  }
}
