/**
 * Recycled native memory: confined arenas whose small allocations come from a pool that the thread
 * owns, and go back to it zeroed; native calls that need no memory for their error codes; and
 * direct memory under a budget.
 *
 * <p>Start at {@link dev.rockpool.arena.Arenas}, {@link dev.rockpool.call.CallState} and {@link
 * dev.rockpool.direct.DirectMemory}.
 */
module dev.rockpool {
  requires static org.jspecify;
  // To be seen by JDK Flight Recorder and JMX, where the program has them.
  requires static java.management;
  requires static jdk.management;
  requires static jdk.jfr;

  exports dev.rockpool.arena;
  exports dev.rockpool.call;
  exports dev.rockpool.direct;
}
