package dev.rockpool.cli.attach;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that opens arenas all the time, until its input ends. With {@code -Ddivides=true} it
 * also calls a function that returns a struct, for which the linker takes a buffer.
 */
final class ArenaLoop {
  private ArenaLoop() {}

  public static void main(String[] args) {
    Thread.ofPlatform().daemon().start(ArenaLoop::loop);
    IO.println("ready");
    while (IO.readln() != null) {
      allocate(); // so that who has its answer knows of an arena
      IO.println("here");
    }
  }

  private static void loop() {
    while (true) {
      for (int i = 0; i < 100; i++) {
        allocate();
      }
      if (Boolean.getBoolean("divides")) {
        Division.divide();
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** A method of its own, because one that is running keeps its former code. */
  private static void allocate() {
    try (Arena arena = Arena.ofConfined()) {
      arena.allocate(24);
    }
  }

  @SuppressWarnings("restricted")
  private static final class Division {
    static final MethodHandle LDIV =
        Linker.nativeLinker()
            .downcallHandle(
                Linker.nativeLinker().defaultLookup().findOrThrow("ldiv"),
                FunctionDescriptor.of(
                    MemoryLayout.structLayout(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG),
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG));

    static final MemorySegment RESULT = MemorySegment.ofArray(new long[2]);

    static void divide() {
      SegmentAllocator into = SegmentAllocator.prefixAllocator(RESULT);
      try {
        MemorySegment result = (MemorySegment) LDIV.invokeExact(into, 7L, 2L);
        assert result.get(ValueLayout.JAVA_LONG, 0) == 3;
      } catch (Throwable failure) {
        throw new IllegalStateException(failure);
      }
    }
  }
}
