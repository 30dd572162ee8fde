package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that print what comes of their arenas: the same with the agent as without. */
class SameResultsIT {
  private static final String NATIVE_CALLS =
      """
      import java.lang.foreign.*;
      import java.lang.invoke.*;
      import java.util.Arrays;
      import java.util.function.Supplier;

      public class Main {
        static final Linker LINKER = Linker.nativeLinker();
        static final SymbolLookup LIBC = LINKER.defaultLookup();
        static final Supplier<Arena> ARENAS = Arena::ofConfined;

        public static void main(String[] args) throws Throwable {
          try (Arena arena = Arena.ofConfined()) {
            System.out.println(arena.getClass().getName());
          }
          for (int round = 0; round < 300; round++) {
            String report = strlen(round) + " " + qsort(round) + " " + ldiv(round) + " " + errno();
            if (round % 50 == 0) {
              System.out.println(report);
            }
          }
        }

        static MethodHandle function(
            String name, FunctionDescriptor type, Linker.Option... options) {
          return LINKER.downcallHandle(LIBC.find(name).orElseThrow(), type, options);
        }

        static final MethodHandle STRLEN = function(
            "strlen", FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));

        static long strlen(int round) throws Throwable {
          try (Arena arena = Arena.ofConfined()) {
            return (long) STRLEN.invokeExact(arena.allocateFrom("x".repeat(round * 3) + "\\u00e9"));
          }
        }

        static final MethodHandle QSORT = function(
            "qsort",
            FunctionDescriptor.ofVoid(
                ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG,
                ValueLayout.ADDRESS));

        static String qsort(int round) throws Throwable {
          try (Arena arena = ARENAS.get()) {
            MethodType type = MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class);
            MemorySegment comparator = LINKER.upcallStub(
                MethodHandles.lookup().findStatic(Main.class, "compare", type),
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS.withTargetLayout(ValueLayout.JAVA_INT),
                    ValueLayout.ADDRESS.withTargetLayout(ValueLayout.JAVA_INT)),
                arena);
            MemorySegment numbers =
                arena.allocateFrom(ValueLayout.JAVA_INT, 5, round, -3, 17, round % 7);
            QSORT.invokeExact(numbers, 5L, 4L, comparator);
            return Arrays.toString(numbers.toArray(ValueLayout.JAVA_INT));
          }
        }

        /** Opens arenas within the call of an outer one. */
        static int compare(MemorySegment a, MemorySegment b) {
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(8, 8).copyFrom(a).asSlice(0, 4);
            return Integer.compare(
                copy.get(ValueLayout.JAVA_INT, 0), b.get(ValueLayout.JAVA_INT, 0));
          }
        }

        static final StructLayout PAIR = MemoryLayout.structLayout(
            ValueLayout.JAVA_LONG.withName("quotient"), ValueLayout.JAVA_LONG.withName("remainder"));
        static final MethodHandle LDIV = function(
            "ldiv", FunctionDescriptor.of(PAIR, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));

        static String ldiv(int round) throws Throwable {
          try (Arena arena = Arena.ofConfined()) {
            SegmentAllocator allocator = arena;
            MemorySegment pair = (MemorySegment) LDIV.invokeExact(allocator, 1000L + round, 7L);
            return Arrays.toString(pair.toArray(ValueLayout.JAVA_LONG));
          }
        }

        static final StructLayout STATE = Linker.Option.captureStateLayout();
        static final VarHandle ERRNO =
            STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
        static final MethodHandle CHDIR = function(
            "chdir",
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS),
            Linker.Option.captureCallState("errno"));

        static String errno() throws Throwable {
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            int result = (int) CHDIR.invokeExact(state, arena.allocateFrom("/no/such/folder"));
            return result + "/" + (int) ERRNO.get(state, 0L);
          }
        }
      }
      """;

  private static final String MISUSE =
      """
      import java.lang.foreign.*;
      import java.util.concurrent.Callable;
      import java.util.concurrent.FutureTask;

      public class Main {
        public static void main(String[] args) throws Exception {
          Arena closed = Arena.ofConfined();
          MemorySegment dangling = closed.allocate(16);
          closed.close();
          print(() -> closed.allocate(1));
          print(() -> { closed.close(); return null; });
          print(() -> dangling.get(ValueLayout.JAVA_BYTE, 0));
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(16, 8);
            print(() -> arena.allocate(-1));
            print(() -> arena.allocate(1, 3));
            print(() -> arena.allocate(Long.MAX_VALUE));
            print(() -> arena.allocate((MemoryLayout) null));
            print(() -> (Object) segment.get(ValueLayout.JAVA_INT, 16));
            print(() -> segment.byteSize() + " " + segment.isNative() + " " + segment.scope().equals(arena.scope()));
            print(() -> segment.address() % 8);
            FutureTask<Object> foreign = new FutureTask<>(() -> {
              print(() -> arena.allocate(1));
              print(() -> segment.get(ValueLayout.JAVA_BYTE, 0));
              print(() -> { arena.close(); return null; });
              return null;
            });
            Thread thread = new Thread(foreign, "foreign");
            thread.start();
            foreign.get();
            MemorySegment cleaned = segment.reinterpret(
                arena, each -> System.out.println("cleaned " + each.byteSize()));
            System.out.println(cleaned.byteSize());
          }
          System.out.println(closed.scope().isAlive());
        }

        static void print(Callable<Object> use) {
          try {
            System.out.println(use.call());
          } catch (Throwable e) {
            System.out.println(
                e.toString().replaceAll("0x\\\\w+|address:\\\\d+|#\\\\d+|@\\\\w+", "?"));
          }
        }
      }
      """;

  @TempDir private Path directory;

  @Test
  void nativeCallsReturnTheSame() {
    Sources.compileTo(directory, NATIVE_CALLS);

    List<String> without = run(ChildJvm.plain());
    List<String> with = run(ChildJvm.withAgent());

    assertThat(without)
        .startsWith(REGULAR)
        .hasSize(7)
        .contains("452 [-3, 3, 5, 17, 150] [164, 2] -1/2");
    assertThat(with).startsWith(POOLED);
    assertThat(with.subList(1, with.size())).isEqualTo(without.subList(1, without.size()));
  }

  @Test
  void misuseIsAnsweredTheSame() {
    Sources.compileTo(directory, MISUSE);

    List<String> without = run(ChildJvm.plain());
    List<String> with = run(ChildJvm.withAgent());

    assertThat(without)
        .startsWith("java.lang.IllegalStateException: Already closed")
        .endsWith("cleaned 16", "false");
    assertThat(with).isEqualTo(without);
  }

  private List<String> run(ChildJvm jvm) {
    return jvm.with("--enable-native-access=ALL-UNNAMED")
        .classPath(directory)
        .run("Main")
        .quietOutput();
  }
}
