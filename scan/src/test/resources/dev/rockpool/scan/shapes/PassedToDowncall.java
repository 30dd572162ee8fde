package shapes;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandle;

/** A struct that is returned by value is allocated in it. */
class PassedToDowncall {
  MemorySegment run(MethodHandle handle) throws Throwable {
    // -> confined: try-with-resources; passed to the JDK; bytes unknown
    try (Arena arena = Arena.ofConfined()) {
      return (MemorySegment) handle.invokeExact((SegmentAllocator) arena, 1);
    }
  }
}
