package dev.rockpool.cli.bench;

import dev.rockpool.cli.support.CommandFailure;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The processor time of child processes that have ended, as the system counts it. */
final class ChildrenUsage {
  private static final int RUSAGE_CHILDREN = -1;

  /** Begins {@code struct rusage}: two times of two words each. */
  private static final long BYTE_SIZE = 144;

  private static final int WORDS_OF_TIMES = 4;
  private static final double MICROS_PER_SECOND = 1e6;

  private final MethodHandle getrusage;

  /** Fails where the system does not count, which is on Windows. */
  @SuppressWarnings("restricted")
  ChildrenUsage() {
    Linker linker = Linker.nativeLinker();
    getrusage =
        linker.downcallHandle(
            linker
                .defaultLookup()
                .find("getrusage")
                .orElseThrow(
                    () ->
                        new CommandFailure(
                            "--start and --load measure with getrusage, which this system lacks")),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
  }

  /** Seconds of all children so far, in user mode and in the kernel. */
  double seconds() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment usage = arena.allocate(BYTE_SIZE, Long.BYTES);
      int failed = (int) getrusage.invokeExact(RUSAGE_CHILDREN, usage);
      if (failed != 0) {
        throw new IllegalStateException("getrusage failed");
      }
      double seconds = 0;
      for (long word = 0; word < WORDS_OF_TIMES; word += 2) {
        seconds += usage.getAtIndex(ValueLayout.JAVA_LONG, word);
        // Right for a long, and for macOS's int, which four zero bytes follow.
        seconds += usage.getAtIndex(ValueLayout.JAVA_LONG, word + 1) / MICROS_PER_SECOND;
      }
      return seconds;
    } catch (Throwable failure) {
      throw new IllegalStateException(failure);
    }
  }
}
