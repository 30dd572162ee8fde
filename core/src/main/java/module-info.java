/**
 * Pooled and bounded native memory for Java. Confined arenas take small allocations, zeroed, from a
 * pool of their thread. Adapted native calls need no segment for their error codes. Direct memory
 * stays within a limit.
 *
 * <p>Start at {@link dev.rockpool.arena.Arenas}, {@link dev.rockpool.call.CallState} and {@link
 * dev.rockpool.direct.DirectMemory}.
 */
module dev.rockpool {
  requires static com.google.errorprone.annotations;
  requires static org.jspecify;
  // Optional: the library reports to JDK Flight Recorder and JMX where the program has them.
  requires static java.management;
  requires static jdk.management;
  requires static jdk.jfr;

  exports dev.rockpool.arena;
  exports dev.rockpool.call;
  exports dev.rockpool.direct;
}
