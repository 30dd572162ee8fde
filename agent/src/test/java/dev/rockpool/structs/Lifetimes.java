package dev.rockpool.structs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

/**
 * Uses the argument of an upcall, a struct by value, while the upcall runs, and after it. Prints
 * the outcomes, for a struct in registers, one in memory, and one that is larger than what the JDK
 * keeps; on a platform and on a virtual thread.
 */
final class Lifetimes {
  private static final int KEPT = 100;

  private final CStruct struct;
  private final MethodHandle repeat;
  private final MethodHandle take;
  private final MethodHandle invert;
  private final FunctionDescriptor structToStruct;
  private final List<MemorySegment> leaked = new ArrayList<>();
  private final List<String> answers = new ArrayList<>();

  private Lifetimes(CStruct struct) {
    this.struct = struct;
    MemoryLayout layout = struct.layout();
    String name = struct.name();
    structToStruct = FunctionDescriptor.of(layout, layout);
    repeat =
        Native.ourFunction(
            name + "_repeat", FunctionDescriptor.of(JAVA_LONG, ADDRESS, layout, JAVA_INT));
    take = Native.ourFunction(name + "_take", FunctionDescriptor.of(JAVA_LONG, layout));
    invert = Native.ourFunction(name + "_invert", structToStruct);
  }

  public static void main(String[] args) throws Exception {
    for (CStruct struct :
        List.of(Structs.chain().getFirst(), Structs.chain().getLast(), Structs.beyond())) {
      Lifetimes onPlatform = new Lifetimes(struct);
      onPlatform.run();
      Lifetimes onVirtual = new Lifetimes(struct);
      Thread.ofVirtual().start(onVirtual::run).join();
      onPlatform.answers.forEach(System.out::println);
      System.out.println("virtual thread: " + onPlatform.answers.equals(onVirtual.answers));
    }
  }

  private void run() {
    answers.add(struct.layout().byteSize() + " bytes");
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment argument = struct.make(arena, 1);
      MemorySegment pointer =
          Native.pointerTo(MethodHandles.lookup(), this, "leak", structToStruct, arena);
      long result = (long) repeat.invokeExact(pointer, argument, 2);
      answer("twice inverted", () -> result == struct.hash(argument));
      useLeaked("after the call");
      keepResults(arena);
    } catch (Throwable failure) {
      answers.add(failure.toString());
    }
  }

  /** Called by C, twice. */
  @SuppressWarnings("unused") // by C
  private MemorySegment leak(MemorySegment argument) {
    if (leaked.isEmpty()) {
      answer("alive in the upcall", () -> argument.scope().isAlive());
      answer("size", argument::byteSize);
      answer("aligned", () -> argument.address() % struct.layout().byteAlignment() == 0);
      answer(
          "writable",
          () -> struct.hash(struct.turn(struct.turn(argument))) == struct.hash(argument));
      FutureTask<Void> elsewhere =
          new FutureTask<>(
              () -> answer("on another thread", () -> argument.get(JAVA_BYTE, 0)), null);
      try {
        Thread.ofPlatform().name("other").start(elsewhere);
        elsewhere.get();
      } catch (Exception failure) {
        answers.add(failure.toString());
      }
    } else {
      useLeaked("in the next upcall");
    }
    leaked.add(argument);
    return struct.turn(struct.make(Arena.ofAuto(), 0).copyFrom(argument));
  }

  private void useLeaked(String when) {
    MemorySegment first = leaked.getFirst();
    answer(when + ", alive", () -> first.scope().isAlive());
    answer(when + ", read", () -> first.get(JAVA_BYTE, 0));
    answer(
        when + ", write",
        () -> {
          first.set(JAVA_BYTE, 0, (byte) 1);
          return "written";
        });
    answer(when + ", slice", () -> first.asSlice(1).get(JAVA_BYTE, 0));
    answer(when + ", copy", () -> first.toArray(JAVA_BYTE).length);
    answer(when + ", passed by value", () -> passed(first));
  }

  private Object passed(MemorySegment argument) throws Exception {
    try {
      return (long) take.invokeExact(argument);
    } catch (Exception | Error failure) {
      throw failure;
    } catch (Throwable unexpected) {
      throw new AssertionError(unexpected);
    }
  }

  /** A returned struct is in memory of the caller, and stays as it is. */
  private void keepResults(Arena arena) throws Throwable {
    List<MemorySegment> results = new ArrayList<>();
    for (int i = 0; i < KEPT; i++) {
      results.add(
          (MemorySegment) invert.invokeExact((SegmentAllocator) arena, struct.make(arena, i)));
    }
    int kept = 0;
    for (int i = 0; i < KEPT; i++) {
      if (struct.hash(struct.turn(struct.make(arena, i))) == struct.hash(results.get(i))) {
        kept++;
      }
    }
    answers.add("results kept: " + kept);
    answers.add("alive as long as the arena: " + results.getFirst().scope().equals(arena.scope()));
  }

  private void answer(String question, Callable<Object> use) {
    try {
      answers.add(question + ": " + use.call());
    } catch (Exception refused) {
      answers.add(
          question
              + ": "
              + refused.getClass().getSimpleName()
              + " "
              + refused.getMessage().replaceAll("#\\d+", "?"));
    }
  }
}
