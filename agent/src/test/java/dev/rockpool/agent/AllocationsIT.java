package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Option {@code record}: memory taken by sun.misc.Unsafe, and by handles for malloc. */
class AllocationsIT {
  private static final String MAIN =
      """
      import static java.lang.foreign.ValueLayout.*;
      import sun.misc.Unsafe;

      static final Linker LINKER = Linker.nativeLinker();
      static final MethodHandle MALLOC = link("malloc", FunctionDescriptor.of(ADDRESS.withTargetLayout(JAVA_LONG), JAVA_LONG));
      static final MethodHandle CALLOC = link("calloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
      static final MethodHandle REALLOC = link("realloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
      static final MethodHandle ALIGNED = link("aligned_alloc", FunctionDescriptor.of(ADDRESS, JAVA_LONG, JAVA_LONG));
      static final MethodHandle POSIX = link("posix_memalign", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
      static final MethodHandle FREE = link("free", FunctionDescriptor.ofVoid(ADDRESS));
      static final MethodHandle FREE_LONG = link("free", FunctionDescriptor.ofVoid(JAVA_LONG));
      static final MethodHandle LABS = link("labs", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));

      static MethodHandle link(String name, FunctionDescriptor type) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type);
      }

      static void main() throws Throwable {
        for (int i = 0; i < 20; i++) {
          malloc(i % 4 == 0);
          moved();
          aligned();
          posix();
          capturing();
          unsafe(i % 5 == 0);
        }
        byReflection();
        if ((long) LABS.invokeExact(-5L) != 5) {
          throw new AssertionError();
        }
        System.out.println("done");
      }

      static void malloc(boolean leaks) throws Throwable {
        MemorySegment made = (MemorySegment) MALLOC.invokeExact(1000L);
        made.set(JAVA_LONG, 0, 7); // the segment is as large as the layout of its target
        if (!leaks) {
          FREE.invokeExact(made);
        }
      }

      static void moved() throws Throwable {
        long made = (long) CALLOC.invokeExact(3L, 100L);
        long moved = (long) REALLOC.invokeExact(made, 5000L);
        if (MemorySegment.ofAddress(moved).reinterpret(300).get(JAVA_BYTE, 299) != 0) {
          throw new AssertionError();
        }
        FREE_LONG.invokeExact(moved);
      }

      static void aligned() throws Throwable {
        MemorySegment made = (MemorySegment) ALIGNED.invokeExact(64L, 640L);
        if (made.address() % 64 != 0) {
          throw new AssertionError();
        }
      }

      static void posix() throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment result = arena.allocate(ADDRESS);
          if ((int) POSIX.invokeExact(result, 7L, 640L) == 0) { // no alignment, so an error
            throw new AssertionError();
          }
          if ((int) POSIX.invokeExact(result, 64L, 64L) != 0) {
            throw new AssertionError();
          }
          FREE.invokeExact(result.get(ADDRESS, 0));
        }
      }

      /** errno is captured; the heap and unaligned memory take an address. */
      static void capturing() throws Throwable {
        Linker.Option errno = Linker.Option.captureCallState("errno");
        MethodHandle malloc = LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow("malloc"), FunctionDescriptor.of(JAVA_LONG, JAVA_LONG), errno);
        MethodHandle free = LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow("free"), FunctionDescriptor.ofVoid(JAVA_LONG), errno);
        MethodHandle critical = LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow("posix_memalign"), FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG), Linker.Option.critical(true));
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
          free.invokeExact(state, (long) malloc.invokeExact(state, 50L));
          MemorySegment heap = MemorySegment.ofArray(new long[1]);
          MemorySegment unaligned = arena.allocate(12).asSlice(4, 8);
          if ((int) critical.invokeExact(heap, 64L, 64L) != 0 || (int) POSIX.invokeExact(unaligned, 64L, 64L) != 0) {
            throw new AssertionError();
          }
          FREE_LONG.invokeExact(heap.get(JAVA_LONG, 0));
          free.invokeExact(state, unaligned.get(JAVA_LONG_UNALIGNED, 0));
        }
      }

      static Unsafe unsafe() throws Exception {
        var field = Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        return (Unsafe) field.get(null);
      }

      static void unsafe(boolean leaks) throws Exception {
        long made = unsafe().allocateMemory(100);
        made = unsafe().reallocateMemory(made, 300);
        if (!leaks) {
          unsafe().freeMemory(made);
        }
      }

      static void byReflection() throws Exception {
        Unsafe.class.getMethod("allocateMemory", long.class).invoke(unsafe(), 77L);
      }
      """;

  @TempDir private Path directory;

  @Test
  void eachAllocationCountsForTheLineOfTheProgram() throws Exception {
    Path file = directory.resolve("recorded.jfr");

    ChildJvm.withAgent("record=" + file)
        .with("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED")
        .program(MAIN)
        .lines();

    assertThat(sites(file))
        .containsEntry("malloc Main.malloc", "opened=20 closed=15 liveBytes=5000")
        .containsEntry("malloc Main.moved", "opened=40 closed=40 liveBytes=0")
        .containsEntry("malloc Main.aligned", "opened=20 closed=0 liveBytes=12800")
        .containsEntry("malloc Main.posix", "opened=20 closed=20 liveBytes=0")
        .containsEntry("unsafe Main.unsafe", "opened=40 closed=36 liveBytes=1200")
        .containsEntry("unsafe Main.byReflection", "opened=1 closed=0 liveBytes=77")
        .containsEntry("malloc Main.capturing", "opened=60 closed=60 liveBytes=0")
        .hasSizeBetween(
            9, 10); // and two of confined arenas; a tenth are buffers of the JDK's channels
  }

  /** The figures of all lines of a method, by kind and method. */
  private static Map<String, String> sites(Path file) throws Exception {
    Map<String, long[]> sums = new TreeMap<>();
    for (RecordedEvent event : FigureEvents.read(file, "HolderSite")) {
      String method = event.getString("site").replaceFirst(":\\d+$", "");
      long[] sum = sums.computeIfAbsent(event.getString("kind") + " " + method, _ -> new long[3]);
      sum[0] += event.getLong("opened");
      sum[1] += event.getLong("closed");
      sum[2] += event.getLong("liveBytes");
    }
    Map<String, String> figures = new TreeMap<>();
    sums.forEach(
        (name, sum) ->
            figures.put(
                name, "opened=%d closed=%d liveBytes=%d".formatted(sum[0], sum[1], sum[2])));
    return figures;
  }
}
