package dev.rockpool.calibration;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** A class that opens arenas as bindings do, for a native call. */
public final class Opener implements Calibrator.Call {
  public Opener() {}

  /** A copy with code and profile of its own, as each class of a program has. */
  static Calibrator.Call copy() throws ReflectiveOperationException, IOException {
    String name = Opener.class.getName();
    byte[] bytes;
    try (InputStream in = Opener.class.getResourceAsStream("Opener.class")) {
      bytes = Objects.requireNonNull(in).readAllBytes();
    }
    ClassLoader loader =
        new ClassLoader(Opener.class.getClassLoader()) {
          @Override
          protected Class<?> loadClass(String other, boolean resolve)
              throws ClassNotFoundException {
            return other.equals(name)
                ? defineClass(name, bytes, 0, bytes.length)
                : super.loadClass(other, resolve);
          }
        };
    return (Calibrator.Call) loader.loadClass(name).getDeclaredConstructor().newInstance();
  }

  /** Requests stand in line, not in a loop, because those of most programs do. */
  @Override
  public long make(int[] sizes, int waitMillis) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      if (sizes.length == 0) {
        return 1;
      }
      MemorySegment first = arena.allocate(sizes[0]);
      if (sizes.length > 1) {
        arena.allocate(sizes[1]).fill((byte) 1);
      }
      if (sizes.length > 2) {
        arena.allocate(sizes[2]).fill((byte) 1);
      }
      for (int i = 3; i < sizes.length; i++) {
        arena.allocate(sizes[i]).fill((byte) 1);
      }
      if (waitMillis > 0) {
        Thread.sleep(waitMillis);
      }
      return (long) Calibrator.STRLEN.invokeExact(first);
    }
  }
}
