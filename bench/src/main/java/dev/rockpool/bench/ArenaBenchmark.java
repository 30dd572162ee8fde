package dev.rockpool.bench;

import dev.rockpool.arena.ArenaPool;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
 * <p>Iterations are short and forks several, since what varies is mostly one JVM from the next.
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

  /** Alignment asked of LWJGL's stack: that of malloc and of Rockpool's blocks. */
  static final int LWJGL_ALIGNMENT = 16;

  /** The pool that a contestant of this class measures, or null if it is none of Rockpool's. */
  @Nullable ArenaPool poolOf(String contestant) {
    return switch (contestant) {
      case "rockpool" -> ArenaPool.shared();
      case "ownPool" -> OwnPool.POOL;
      default -> null;
    };
  }

  /**
   * Checks the conditions, and that the arenas measured are pooled if they should be. Looks at
   * nothing else: a JVM that measures the JDK's arena is to load no other.
   */
  @Setup
  public void checkContestant(BenchmarkParams params) {
    Conditions conditions = Conditions.ofThisJvm();
    conditions.check();
    String id = params.getBenchmark();
    ArenaPool pool = poolOf(id.substring(id.lastIndexOf('.') + 1));
    if (pool != null) {
      if (pool.blockByteSize() == 0) {
        throw new IllegalStateException("Pooling is off: " + pool);
      }
      PooledCheck.of(pool).requireReuse();
    } else if (conditions.isUnderAgent()) {
      PooledCheck.ofAgent().requireReuse();
    }
  }

  /** The pool of the contestant {@code ownPool}: one block holds whatever is measured here. */
  static final class OwnPool {
    static final ArenaPool POOL =
        ArenaPool.builder().blockByteSize(4096).blocksPerThread(4).build();

    private OwnPool() {}
  }
}
