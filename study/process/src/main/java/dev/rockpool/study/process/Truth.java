package dev.rockpool.study.process;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;

/** Figures of Linux and glibc for this process. The runner has the agent not record this class. */
final class Truth {
  private Truth() {}

  /**
   * Bytes in malloc, in all of glibc's arenas.
   *
   * @param used with those of C code and of the JVM
   * @param free taken from the system and not given back, or not yet asked for
   */
  record Malloc(long used, long free) {
    /** The fields of struct mallinfo2, each a size_t. */
    private static final int FIELDS = 10;

    private static final int MAPPED = 4; // hblkhd
    private static final int IN_ARENAS = 7; // uordblks
    private static final int FREE = 8; // fordblks

    @SuppressWarnings("restricted")
    static Malloc now() {
      Linker linker = Linker.nativeLinker();
      MemoryLayout fields = MemoryLayout.sequenceLayout(FIELDS, ValueLayout.JAVA_LONG);
      MethodHandle mallinfo =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("mallinfo2"),
              FunctionDescriptor.of(MemoryLayout.structLayout(fields)));
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment info = (MemorySegment) mallinfo.invokeExact((SegmentAllocator) arena);
        return new Malloc(field(info, IN_ARENAS) + field(info, MAPPED), field(info, FREE));
      } catch (Throwable failed) {
        throw new IllegalStateException("mallinfo2 failed", failed);
      }
    }

    private static long field(MemorySegment info, int index) {
      return info.getAtIndex(ValueLayout.JAVA_LONG, index);
    }
  }

  /** Returns bytes from a line such as "VmRSS: 1000 kB". */
  static long status(String key) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith(key + ":")) {
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
      }
    }
    throw new IllegalStateException("no " + key + " in /proc/self/status");
  }
}
