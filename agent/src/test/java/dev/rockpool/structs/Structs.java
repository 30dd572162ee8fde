package dev.rockpool.structs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.LongAdder;

/** Calls the functions of one struct, to C and back to Java; any wrong result ends the program. */
@SuppressWarnings("restricted")
final class Structs {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup LIBRARY =
      SymbolLookup.libraryLookup(Path.of(System.getProperty("structs.library")), Arena.global());

  /** A larger struct would have too many pieces for a method handle. */
  private static final int LARGEST_MIXED = 128;

  private static final LongAdder MIGRATED = new LongAdder();

  private final Struct struct;
  private final FunctionDescriptor plain;
  private final FunctionDescriptor mixture;
  private final MethodHandle invert;
  private final MethodHandle call;
  private MemorySegment kept;
  private int upcalls;

  private Structs(Struct struct) {
    this.struct = struct;
    MemoryLayout s = struct.layout();
    plain = FunctionDescriptor.of(s, s);
    mixture =
        FunctionDescriptor.of(
            s, JAVA_BYTE, s, JAVA_DOUBLE, s, JAVA_FLOAT, JAVA_LONG, JAVA_DOUBLE, s, JAVA_SHORT);
    invert = function("invert", plain);
    call = function("call", FunctionDescriptor.of(s, ADDRESS, s, JAVA_INT));
  }

  /** Arguments: what to do, and how often. */
  public static void main(String[] args) throws Throwable {
    int count = Integer.parseInt(args[1]);
    List<Structs> few = Struct.ALL.subList(0, Struct.FEW).stream().map(Structs::new).toList();
    switch (args[0]) {
      case "calls" -> {
        List<Structs> all = new ArrayList<>(Struct.ALL.stream().map(Structs::new).toList());
        all.addAll(Struct.LARGE.stream().map(Structs::new).toList());
        for (Structs each : all) {
          onPlatformAndVirtualThread(() -> each.call(count));
        }
      }
      case "waits" -> waits(few, count);
      case "threads" -> {
        for (Structs each : few) {
          each.onThreadsOfC(count);
        }
      }
      default -> {
        for (Struct each :
            List.of(few.getFirst().struct, few.getLast().struct, Struct.LARGE.getFirst())) {
          onPlatformAndVirtualThread(() -> new Structs(each).lifetime());
        }
      }
    }
    try (Arena arena = Arena.ofConfined()) {
      System.out.println(arena.getClass().getName());
    }
  }

  private interface Work {
    void run() throws Throwable;
  }

  private static FutureTask<Void> task(Work work) {
    return new FutureTask<>(
        () -> {
          try {
            work.run();
          } catch (Throwable failure) {
            throw new AssertionError(failure);
          }
          return null;
        });
  }

  private static void onPlatformAndVirtualThread(Work work) throws Throwable {
    work.run();
    FutureTask<Void> again = task(work);
    Thread.ofVirtual().start(again);
    again.get();
  }

  private MethodHandle function(String name, FunctionDescriptor type, Linker.Option... options) {
    return LINKER.downcallHandle(LIBRARY.findOrThrow(struct.name() + "_" + name), type, options);
  }

  /** A method of this object, for C. */
  private MemorySegment pointer(String method, FunctionDescriptor type) throws Throwable {
    MethodHandle target = MethodHandles.lookup().bind(this, method, type.toMethodType());
    return LINKER.upcallStub(target, type, Arena.ofAuto());
  }

  private void call(int rounds) throws Throwable {
    MemoryLayout s = struct.layout();
    MethodHandle critical = function("invert", plain, Linker.Option.critical(false));
    MethodHandle fail =
        function(
            "fail", FunctionDescriptor.of(s, s, JAVA_INT), Linker.Option.captureCallState("errno"));
    MemorySegment inJava = pointer("invertInJava", plain);
    for (int round = 0; round < rounds; round++) {
      try (Arena arena = Arena.ofConfined()) {
        SegmentAllocator to = arena;
        MemorySegment own = struct.make(arena, round);
        MemorySegment inverted = struct.invert(struct.make(arena, round));
        check(inverted, (MemorySegment) invert.invokeExact(to, own), "inverted");
        check(inverted, (MemorySegment) critical.invokeExact(to, own), "by a critical call");
        MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
        check(inverted, (MemorySegment) fail.invokeExact(to, state, own, 17), "with errno");
        if (state.get(JAVA_INT, 0) != 17) {
          throw new AssertionError("errno");
        }
        check(inverted, (MemorySegment) call.invokeExact(to, inJava, own, 1), "by Java");
        check(struct.make(arena, round), own, "the argument");
      }
    }
    if (s.byteSize() <= LARGEST_MIXED) {
      callMixed(rounds);
    }
  }

  /** With other arguments, which are more than there are registers, and with variable ones. */
  private void callMixed(int rounds) throws Throwable {
    MemoryLayout s = struct.layout();
    MethodHandle mixed = function("mixed", mixture);
    MethodHandle callMixed = function("call_mixed", FunctionDescriptor.of(s, ADDRESS, s, s, s));
    MethodHandle fold =
        function(
            "fold",
            FunctionDescriptor.of(s, JAVA_INT, s, JAVA_DOUBLE, s, JAVA_DOUBLE, s),
            Linker.Option.firstVariadicArg(1));
    MemorySegment inJava = pointer("mixedInJava", mixture);
    for (int round = 0; round < rounds; round++) {
      try (Arena arena = Arena.ofConfined()) {
        SegmentAllocator to = arena;
        MemorySegment a = struct.make(arena, round);
        MemorySegment b = struct.make(arena, round + 1);
        MemorySegment c = struct.make(arena, round + 2);
        MemorySegment all = struct.join(1 + 2 + 3 + 4 + 5 + 6, struct.make(arena, round), b, c);
        check(
            all,
            (MemorySegment) mixed.invokeExact(to, (byte) 1, a, 2.0, b, 3f, 4L, 5.0, c, (short) 6),
            "mixed");
        check(all, (MemorySegment) callMixed.invokeExact(to, inJava, a, b, c), "mixed by Java");
        MemorySegment folded = struct.join(5 ^ 9, struct.make(arena, round), b, c);
        check(folded, (MemorySegment) fold.invokeExact(to, 3, a, 5.0, b, 9.0, c), "variadic");
      }
    }
  }

  private void check(MemorySegment expected, MemorySegment found, String what) {
    struct.checkEqual(expected, found, what);
  }

  /** Called by C, which it calls again. */
  @SuppressWarnings("unused") // by C
  private MemorySegment invertInJava(MemorySegment argument) throws Throwable {
    upcalls++;
    SegmentAllocator to = Arena.ofAuto();
    MemorySegment result = (MemorySegment) invert.invokeExact(to, argument);
    check(struct.invert(to.allocate(struct.layout()).copyFrom(argument)), result, "in an upcall");
    return result;
  }

  @SuppressWarnings("unused") // by C
  private MemorySegment mixedInJava(
      byte a,
      MemorySegment b,
      double c,
      MemorySegment d,
      float e,
      long f,
      double g,
      MemorySegment h,
      short i) {
    int sum = (int) (a + c + e + f + g + i);
    return struct.join(sum, Arena.ofAuto().allocate(struct.layout()).copyFrom(b), d, h);
  }

  /**
   * When C has returned, the linker asks the program's allocator for the memory of the result,
   * while the result is in the linker's buffer. There a virtual thread may be unmounted, others of
   * its carrier call, and it goes on elsewhere.
   */
  private static void waits(List<Structs> few, int threads) throws Throwable {
    List<FutureTask<Void>> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int number = i;
      all.add(
          task(
              () -> {
                for (int n = 0; n < 20; n++) {
                  few.get((number + n) % few.size()).invertWaiting(31 * number + n);
                }
              }));
      Thread.ofVirtual().start(all.getLast());
    }
    for (FutureTask<Void> each : all) {
      each.get();
    }
    if (MIGRATED.sum() == 0) {
      throw new AssertionError("no thread went on elsewhere");
    }
  }

  private void invertWaiting(int seed) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      SegmentAllocator waiting =
          (size, alignment) -> {
            String before = carrier();
            Thread.yield();
            if (seed % 8 == 0) {
              pause();
            }
            MIGRATED.add(carrier().equals(before) ? 0 : 1);
            return arena.allocate(size, alignment);
          };
      MemorySegment own = struct.make(arena, seed);
      MemorySegment result = (MemorySegment) invert.invokeExact(waiting, own);
      check(struct.invert(own), result, "after a wait");
    }
  }

  /** Has this thread unmounted by a timer. Nobody relies on how long. */
  private static void pause() {
    try {
      Thread.sleep(1);
    } catch (InterruptedException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static String carrier() {
    String name = Thread.currentThread().toString();
    return name.substring(name.indexOf('@'));
  }

  /** To Java each of them is a new thread, which is gone after the calls. */
  private void onThreadsOfC(int threads) throws Throwable {
    MemoryLayout s = struct.layout();
    MethodHandle onThreads = function("on_threads", FunctionDescriptor.of(s, ADDRESS, s, JAVA_INT));
    MemorySegment inJava = pointer("invertInJava", plain);
    try (Arena arena = Arena.ofConfined()) {
      SegmentAllocator to = arena;
      MemorySegment own = struct.make(arena, 1);
      MemorySegment result = (MemorySegment) onThreads.invokeExact(to, inJava, own, threads);
      check(threads % 2 == 0 ? own : struct.invert(own), result, "on threads of C");
      if (upcalls != 3 * threads) {
        throw new AssertionError(upcalls + " upcalls");
      }
    }
  }

  /** Prints what comes of an upcall's argument while it runs, in the next one, and afterwards. */
  private void lifetime() throws Throwable {
    MemorySegment keeping = pointer("keep", plain);
    kept = null;
    try (Arena arena = Arena.ofConfined()) {
      SegmentAllocator to = arena;
      MemorySegment own = struct.make(arena, 1);
      check(own, (MemorySegment) call.invokeExact(to, keeping, own, 2), "inverted twice");
      use("after the call");
      List<MemorySegment> results = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        results.add((MemorySegment) invert.invokeExact(to, struct.make(arena, i)));
      }
      for (int i = 0; i < 100; i++) {
        check(struct.invert(struct.make(arena, i)), results.get(i), "kept result");
      }
    }
  }

  /** Called by C, twice. */
  @SuppressWarnings("unused") // by C
  private MemorySegment keep(MemorySegment argument) throws Throwable {
    if (kept == null) {
      kept = argument;
      use("in the upcall");
      FutureTask<Void> elsewhere = task(() -> use("on another thread"));
      Thread.ofPlatform().start(elsewhere);
      elsewhere.get();
    } else {
      use("in the next upcall");
    }
    return struct.invert(Arena.ofAuto().allocate(struct.layout()).copyFrom(argument));
  }

  private void use(String when) {
    print(when, "size", kept::byteSize);
    print(when, "alive", () -> kept.scope().isAlive());
    print(when, "aligned", () -> kept.address() % struct.layout().byteAlignment() == 0);
    print(when, "read", () -> kept.get(JAVA_BYTE, 0));
    print(when, "written", () -> kept.asSlice(0, 1).fill(kept.get(JAVA_BYTE, 0)).byteSize());
    print(when, "copied", () -> kept.toArray(JAVA_BYTE).length);
    print(
        when,
        "passed by value",
        () -> {
          try {
            SegmentAllocator to = Arena.ofAuto();
            return ((MemorySegment) invert.invokeExact(to, kept)).byteSize();
          } catch (RuntimeException refused) {
            throw refused;
          } catch (Throwable unexpected) {
            throw new AssertionError(unexpected);
          }
        });
  }

  private static void print(String when, String what, Callable<Object> use) {
    String answer;
    try {
      answer = use.call().toString();
    } catch (Exception refused) {
      String message = refused.getMessage().replaceAll("#\\d+", "?");
      answer = refused.getClass().getSimpleName() + " " + message;
    }
    System.out.println(when + ", " + what + ": " + answer);
  }
}
