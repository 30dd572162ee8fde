package dev.rockpool.structs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;

/**
 * Counts calls of malloc for calls that pass structs by value. The counter is a library that stands
 * in front of the C library; it counts by thread, so neither the compilers nor the collector
 * disturb. The program itself asks for no native memory while it counts.
 *
 * <p>Prints a line for each way to call: the number of mallocs, then of calls.
 */
@SuppressWarnings("restricted")
final class Mallocs {
  /** The system property with the file of the library that counts. */
  static final String COUNTER = "mallocs.library";

  private static final int CALLS = 10_000;
  private static final int CHAINS = 500;

  private static final MethodHandle COUNT =
      Linker.nativeLinker()
          .downcallHandle(
              SymbolLookup.libraryLookup(Path.of(System.getProperty(COUNTER)), Arena.global())
                  .findOrThrow("mallocs_of_thread"),
              FunctionDescriptor.of(JAVA_LONG));

  private static final Arena ARENA = Arena.global();

  /** Something that calls a function so many times. */
  private interface Calls {
    void run(int times) throws Throwable;
  }

  private Mallocs() {}

  public static void main(String[] args) throws Exception {
    countAll("platform thread");
    Thread.ofVirtual().start(() -> countAll("virtual thread")).join();
  }

  private static void countAll(String thread) {
    try {
      CStruct longs = Structs.chain().getFirst();
      CStruct floats = Structs.chain().get(1);
      CStruct large = Structs.chain().getLast();
      count(thread, "downcall that returns 16 bytes in integer registers", CALLS, downcalls(longs));
      count(thread, "downcall that returns 16 bytes in float registers", CALLS, downcalls(floats));
      count(thread, "upcall of 16 bytes", CALLS, upcalls(longs));
      count(thread, "upcall of 128 bytes", CALLS, upcalls(large));
      count(thread, "upcall of 304 bytes", CALLS, upcalls(Structs.beyond()));
      count(thread, "chain, 4 deep", CHAINS, new DeepCalls(longs, 4));
      count(thread, "chain, 16 deep", CHAINS, new DeepCalls(longs, Chain.DEPTH));
    } catch (Throwable failure) {
      throw new AssertionError(failure);
    }
  }

  private static void count(String thread, String what, int times, Calls calls) throws Throwable {
    calls.run(times);
    long before = (long) COUNT.invokeExact();
    calls.run(times);
    long after = (long) COUNT.invokeExact();
    System.out.println(thread + ", " + what + ": " + (after - before) + " / " + times);
  }

  private static Calls downcalls(CStruct struct) {
    MethodHandle make =
        Native.ourFunction(
            struct.name() + "_make", FunctionDescriptor.of(struct.layout(), JAVA_LONG));
    SegmentAllocator result = SegmentAllocator.prefixAllocator(ARENA.allocate(struct.layout()));
    return times -> {
      for (int i = 0; i < times; i++) {
        MemorySegment made = (MemorySegment) make.invokeExact(result, (long) i);
      }
    };
  }

  /** One downcall, which does all the upcalls. */
  private static Calls upcalls(CStruct struct) {
    MemoryLayout layout = struct.layout();
    MethodHandle repeat =
        Native.ourFunction(
            struct.name() + "_repeat", FunctionDescriptor.of(JAVA_LONG, ADDRESS, layout, JAVA_INT));
    MemorySegment callee =
        Native.pointerTo(
            MethodHandles.lookup(),
            new Callee(ARENA.allocate(layout)),
            "copy",
            FunctionDescriptor.of(layout, layout),
            ARENA);
    MemorySegment argument = struct.make(ARENA, 1);
    return times -> {
      long hash = (long) repeat.invokeExact(callee, argument, times);
    };
  }

  private record Callee(MemorySegment result) {
    @SuppressWarnings("unused") // by C
    MemorySegment copy(MemorySegment argument) {
      return result.copyFrom(argument);
    }
  }

  /** Calls inside calls, with memory for all results from the start. */
  private static final class DeepCalls implements Calls {
    private final int depth;
    private final MethodHandle chain;
    private final MemorySegment up;
    private final MemorySegment argument;
    private final SegmentAllocator[] results;

    DeepCalls(CStruct struct, int depth) {
      this.depth = depth;
      FunctionDescriptor upward =
          FunctionDescriptor.of(struct.layout(), struct.layout(), JAVA_INT, JAVA_INT);
      chain = Native.ourFunction(struct.name() + "_chain", upward.appendArgumentLayouts(ADDRESS));
      up = Native.pointerTo(MethodHandles.lookup(), this, "up", upward, ARENA);
      argument = struct.make(ARENA, 1);
      results = new SegmentAllocator[depth];
      for (int i = 0; i < depth; i++) {
        results[i] = SegmentAllocator.prefixAllocator(ARENA.allocate(struct.layout()));
      }
    }

    @Override
    public void run(int times) throws Throwable {
      for (int i = 0; i < times; i++) {
        down(argument, depth - 1);
      }
    }

    private MemorySegment down(MemorySegment struct, int level) throws Throwable {
      return (MemorySegment) chain.invokeExact(results[level], struct, level, 0, up);
    }

    @SuppressWarnings("unused") // by C
    private MemorySegment up(MemorySegment struct, int level, int context) throws Throwable {
      return level == 0 ? argument : down(struct, level - 1);
    }
  }
}
