package shapes;

import java.lang.foreign.Arena;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** The JDK keeps it for others. */
class InCollection {
  private final List<Arena> arenas = new ArrayList<>();
  private final Map<String, Arena> byName = new java.util.HashMap<>();

  void added() {
    // -> confined: never closed in sight; stored; bytes unknown
    Arena arena = Arena.ofConfined();
    arenas.add(arena);
  }

  void put(String name) {
    // -> confined: never closed in sight; stored; bytes unknown
    Arena arena = Arena.ofConfined();
    byName.put(name, arena);
  }

  AtomicReference<Arena> wrapped() {
    // -> confined: never closed in sight; stored; bytes unknown
    return new AtomicReference<>(Arena.ofConfined());
  }

  void inThread(ThreadLocal<Arena> local) {
    // -> confined: never closed in sight; stored; bytes unknown
    local.set(Arena.ofConfined());
  }

  WeakReference<Arena> weakly() {
    // -> confined: never closed in sight; stored; bytes unknown
    return new WeakReference<>(Arena.ofConfined());
  }

  boolean lookedUp() {
    // -> confined: try-with-resources; passed to the JDK; bytes unknown
    try (Arena arena = Arena.ofConfined()) {
      return arenas.contains(arena);
    }
  }

  boolean compared(Arena other) {
    // -> confined: try-with-resources; passed to the JDK; bytes unknown
    try (Arena arena = Arena.ofConfined()) {
      return Objects.equals(arena, other);
    }
  }
}
