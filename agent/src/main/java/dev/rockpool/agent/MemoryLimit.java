package dev.rockpool.agent;

import java.util.Map;
import java.util.function.Predicate;

/** The limit of native memory in this JVM. A class in java.base implements it. */
interface MemoryLimit {
  /**
   * Starts to count and to limit, once in a JVM.
   *
   * @param warns whether requests beyond the limit pass
   * @param poolsArenas whether confined arenas come from the pool, which is then made
   * @param covers whether memory counts that handles take which a class has linked
   */
  void start(long byteSize, boolean warns, boolean poolsArenas, Predicate<String> covers);

  /** Returns the number of a holder, such as a call site; equal for equal arguments. */
  int holder(String kind, String name);

  /**
   * Returns the figures of this moment: {@code limit}, {@code inUse}, {@code highest} and {@code
   * refused}.
   */
  Map<String, Long> figures();

  /** Returns the bytes in use by kind of holder. */
  Map<String, Long> inUseByKind();
}
