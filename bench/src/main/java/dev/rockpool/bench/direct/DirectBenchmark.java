package dev.rockpool.bench.direct;

import dev.rockpool.direct.DirectMemory;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
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

/** The base of these benchmarks: the limit, and the proof that the right limit counts. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 3,
    jvmArgsPrepend = {"--enable-native-access=ALL-UNNAMED", DirectBenchmark.JDK_LIMIT})
@State(Scope.Benchmark)
public abstract class DirectBenchmark {
  static final String JDK_LIMIT = "-XX:MaxDirectMemorySize=1024m";
  static final long LIMIT = 1024L << 20;

  final DirectMemory memory = DirectMemory.ofLimit(LIMIT);

  /**
   * The contestant's buffer is counted by its own limit, and by no other. Where trials share a JVM,
   * buffers that an earlier one dropped are freed meanwhile; they are not many looks long.
   */
  @Setup
  public void check(BenchmarkParams params) {
    boolean ours = params.getBenchmark().endsWith(".rockpool");
    for (int look = 1; !isCountedWhereItShould(ours); look++) {
      if (look == 1000) {
        throw new IllegalStateException("not counted where it should: " + params.getBenchmark());
      }
    }
  }

  private boolean isCountedWhereItShould(boolean ours) {
    long jdksBefore = jdksBytes();
    ByteBuffer buffer = ours ? memory.allocate(1 << 20) : ByteBuffer.allocateDirect(1 << 20);
    boolean counted = ours == (memory.reserved() == 1 << 20);
    boolean isTheJdks = jdksBytes() - jdksBefore >= 1 << 20;
    boolean countedOnce = isTheJdks == !(ours || isUnderAgent());
    boolean zeroed = buffer.get(0) == 0;
    if (ours) {
      memory.free(buffer);
    }
    return counted && countedOnce && zeroed;
  }

  /** Whether {@code allocateDirect} is the agent's in this JVM. */
  private static boolean isUnderAgent() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .anyMatch(argument -> argument.startsWith("-javaagent:") && argument.contains("=direct"));
  }

  /** Bytes of the JVM's own direct buffers. */
  private static long jdksBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getTotalCapacity)
        .sum();
  }
}
