package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.pool.Pooler;
import dev.rockpool.testing.Sources;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs that print what comes of their arenas: the same with the agent as without, and as after
 * the rewrite at build time.
 */
@Tag("jdk")
class SameResultsIT {
  private static final String NATIVE_CALLS =
      """
      import module java.base;

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
      static void main() throws Exception {
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
      """;

  /** The agent's arenas have a way of their own to allocate strings. */
  private static final String STRINGS =
      """
      static final List<Charset> CHARSETS = List.of(
          StandardCharsets.UTF_8, StandardCharsets.US_ASCII, StandardCharsets.ISO_8859_1,
          StandardCharsets.UTF_16, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE,
          StandardCharsets.UTF_32, StandardCharsets.UTF_32LE, StandardCharsets.UTF_32BE);
      static final List<String> LETTERS =
          List.of("a", "\u00e9", "\u6f22", "\ud83d\ude00", "\ud83d", "\0");
      static final int[] LENGTHS =
          {0, 1, 5, 62, 63, 64, 126, 127, 128, 254, 255, 256, 510, 511, 512, 513, 1000, 5000};

      static void main() {
        System.out.println(Arena.ofConfined().getClass().getName());
        for (Charset charset : CHARSETS) {
          for (String letter : LETTERS) {
            int hash = 0;
            for (int length : LENGTHS) {
              hash = 31 * hash + inArenas(letter.repeat(length), charset);
            }
            System.out.println(charset + " " + letter.codePointAt(0) + " " + hash);
          }
        }
        try (Arena arena = Arena.ofConfined()) {
          for (Runnable misuse : List.<Runnable>of(
              () -> arena.allocateFrom((String) null),
              () -> arena.allocateFrom("", (Charset) null),
              () -> arena.allocateFrom("", Charset.forName("GBK")))) {
            try {
              misuse.run();
            } catch (RuntimeException e) {
              System.out.println(e);
            }
          }
        }
      }

      /** In a new arena, then behind others, then what the next arena sees. */
      static int inArenas(String text, Charset charset) {
        int hash = 0;
        try (Arena arena = Arena.ofConfined()) {
          hash = 31 * hash + hash(arena.allocateFrom(text, charset));
          hash = 31 * hash + hash(arena.allocateFrom("x" + text, charset));
          hash = 31 * hash + hash(arena.allocateFrom(text));
        }
        try (Arena arena = Arena.ofConfined()) {
          for (int i = 0; i < 33; i++) {
            hash = 31 * hash + hash(arena.allocate(16));
          }
        }
        return hash;
      }

      static int hash(MemorySegment segment) {
        return Arrays.hashCode(segment.toArray(ValueLayout.JAVA_BYTE));
      }
      """;

  @TempDir private Path directory;

  @Test
  void nativeCallsReturnTheSame() throws IOException {
    Sources.compileTo(directory, NATIVE_CALLS);

    List<String> without = run(ChildJvm.plain());
    List<String> with = run(ChildJvm.withAgent());

    assertThat(without)
        .startsWith(REGULAR)
        .hasSize(7)
        .contains("452 [-3, 3, 5, 17, 150] [164, 2] -1/2");
    assertThat(with).startsWith(POOLED);
    assertThat(with.subList(1, with.size())).isEqualTo(without.subList(1, without.size()));
    List<String> rewritten = runRewritten();
    assertThat(rewritten).startsWith("dev.rockpool.arena.BlockArena");
    assertThat(rewritten.subList(1, with.size())).isEqualTo(without.subList(1, without.size()));
  }

  @Test
  void misuseIsAnsweredTheSame() throws IOException {
    Sources.compileTo(directory, MISUSE);

    List<String> without = run(ChildJvm.plain());
    List<String> with = run(ChildJvm.withAgent());

    assertThat(without)
        .startsWith("java.lang.IllegalStateException: Already closed")
        .endsWith("cleaned 16", "false");
    assertThat(with).isEqualTo(without);
    assertThat(runRewritten()).isEqualTo(without);
  }

  @Test
  void stringsHaveTheSameBytes() throws IOException {
    Sources.compileTo(directory, STRINGS);

    List<String> without = run(ChildJvm.plain());
    List<String> with = run(ChildJvm.withAgent());

    assertThat(without).startsWith(REGULAR).hasSize(1 + 9 * 6 + 3);
    assertThat(with).startsWith(POOLED);
    assertThat(with.subList(1, with.size())).isEqualTo(without.subList(1, without.size()));
    List<String> rewritten = runRewritten();
    assertThat(rewritten).startsWith("dev.rockpool.arena.BlockArena");
    assertThat(rewritten.subList(1, with.size())).isEqualTo(without.subList(1, without.size()));
  }

  /** Not after the rewrite: the library can't take part in the JDK's list of actions. */
  @Test
  void cleanupActionsRunInTheSameOrder() throws IOException {
    Sources.compileTo(
        directory,
        """
        static void main() {
          for (int allocated : new int[] {0, 16, 600, 20000}) {
            List<Integer> order = new ArrayList<>();
            try (Arena arena = Arena.ofConfined()) {
              MemorySegment memory =
                  allocated == 0 ? MemorySegment.ofAddress(16) : arena.allocate(allocated);
              for (int action = 0; action < 4; action++) {
                int number = action;
                memory.reinterpret(arena, _ -> order.add(number));
              }
            }
            System.out.println(order);
          }
        }
        """);

    List<String> without = run(ChildJvm.plain());

    assertThat(without).hasSize(4).contains("[3, 2, 1, 0]");
    assertThat(run(ChildJvm.withAgent())).isEqualTo(without);
  }

  private List<String> runRewritten() throws IOException {
    assertThat(new Pooler(List.of(), List.of(), false).rewrite(directory).classes()).isPositive();
    return run(ChildJvm.plain(), directory, ChildJvm.LIBRARY_JAR);
  }

  private List<String> run(ChildJvm jvm) {
    return run(jvm, directory);
  }

  private static List<String> run(ChildJvm jvm, Path... classPath) {
    return jvm.with("--enable-native-access=ALL-UNNAMED").classPath(classPath).lines();
  }
}
