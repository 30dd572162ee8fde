package dev.rockpool.bench.command;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The processor time of child processes, from start to end, as the system counts it. */
@SuppressWarnings("restricted")
final class ChildTime {
  private static final int RUSAGE_CHILDREN = -1;
  private static final long RUSAGE_BYTES = 144;

  private ChildTime() {}

  /**
   * Returns the seconds in user mode and in the kernel of child processes that have ended. Fails
   * where the system does not count, which is on Windows.
   */
  static double seconds() {
    Linker linker = Linker.nativeLinker();
    MemorySegment function =
        linker
            .defaultLookup()
            .find("getrusage")
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "Whole programs are measured with getrusage, which this system lacks"));
    MethodHandle getrusage =
        linker.downcallHandle(
            function,
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment usage = arena.allocate(RUSAGE_BYTES, Long.BYTES);
      if ((int) getrusage.invokeExact(RUSAGE_CHILDREN, usage) != 0) {
        throw new IllegalStateException("getrusage failed");
      }
      // It begins with two times, each in seconds and microseconds. A long is right for macOS's int
      // of microseconds, too, which four zero bytes follow.
      long[] words = usage.asSlice(0, 4 * Long.BYTES).toArray(ValueLayout.JAVA_LONG);
      return words[0] + words[2] + (words[1] + words[3]) / 1e6;
    } catch (Throwable failure) {
      throw new IllegalStateException(failure);
    }
  }
}
