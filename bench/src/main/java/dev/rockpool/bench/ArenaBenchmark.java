package dev.rockpool.bench;

import dev.rockpool.arena.ArenaPool;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * The base of all benchmarks of arenas: how they are measured, and the checks that the contestants
 * are what their names say.
 *
 * <p>Iterations are short and forks several, because one JVM differs from the next more than one
 * iteration does.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = ArenaBenchmark.FORKS,
    jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.AT_ONCE})
@State(Scope.Thread)
public abstract class ArenaBenchmark {
  static final int FORKS = 3;

  /**
   * Checks the conditions, and that the arenas measured are pooled if they should be. Looks at
   * nothing else: a JVM that measures the JDK's arena is to load no other.
   */
  @Setup
  public void checkContestant(BenchmarkParams params) {
    Conditions conditions = Conditions.ofThisJvm();
    conditions.check();
    if (params.getBenchmark().endsWith(".rockpool")) {
      ArenaPool pool = ArenaPool.shared();
      if (pool.blockByteSize() == 0) {
        throw new IllegalStateException("Pooling is off: " + pool);
      }
      PooledCheck.requireReuse(pool);
    } else if (conditions.isUnderAgent()) {
      PooledCheck.requireReuseByAgent();
    }
  }
}
