package dev.rockpool.agent;

import dev.rockpool.watch.LimitedMemory;
import java.util.Map;
import java.util.function.Predicate;

/** What native memory is counted in this JVM, and its limit. A class in java.base implements it. */
interface MemoryLimit extends LimitedMemory {
  /** Bytes that are no limit, if memory is only counted. */
  long NONE = Long.MAX_VALUE;

  /**
   * Starts to limit, or goes on.
   *
   * @param byteSize the limit, or {@link #NONE}
   * @param warns whether requests beyond the limit pass
   * @param waitNanos how long a request waits that does not fit
   * @param poolsArenas whether confined arenas come from the pool, which is then made
   * @param covers whether memory counts that handles take which a class has linked
   * @param skipped whether a class allocates for others, whose lines are to be named instead
   */
  void start(
      long byteSize,
      boolean warns,
      long waitNanos,
      boolean poolsArenas,
      Predicate<String> covers,
      Predicate<String> skipped);

  /** Sets another limit. Bytes in use stay in use, even if they are more. */
  void changeLimit(long byteSize);

  /** Refuses nothing any more, and counts on what it can. */
  void stop();

  /**
   * Returns the figures of this moment: {@code limit}, {@code inUse}, {@code highest} and {@code
   * refused}. A limit of 0 is none.
   */
  Map<String, Long> figures();

  /** Returns the bytes in use by kind of site. */
  Map<String, Long> inUseByKind();

  /** Returns the bytes of so many sites that hold most, the first one most, by kind and line. */
  Map<String, Long> largestSites(int most);

  /**
   * Returns the bytes that Rockpool itself takes: {@code blocks} that the pool keeps, and {@code
   * tables} on the heap.
   */
  Map<String, Long> self();

  /** Returns so many lines that made most open objects which own C memory, by class and line. */
  Map<String, Long> openOwners(int most);

  /** Has the highest figure start anew, and sites noted once more than that is in use. */
  void watch(long byteSize);

  /** Returns the sites that were noted then, as in {@link #largestSites}. */
  Map<String, Long> watchedSites();
}
