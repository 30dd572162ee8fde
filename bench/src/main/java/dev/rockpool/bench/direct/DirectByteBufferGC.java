package dev.rockpool.bench.direct;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/** A full garbage collection with many direct buffers alive. */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5)
@Measurement(iterations = 10)
@Fork(
    value = 3,
    jvmArgsPrepend = {
      "--enable-native-access=ALL-UNNAMED",
      DirectBenchmark.JDK_LIMIT,
      "-Xms2g",
      "-Xmx2g"
    })
public class DirectByteBufferGC extends DirectBenchmark {
  /** Direct buffers alive, of a byte each. */
  @Param({"10000", "100000", "1000000"})
  public int count;

  private ByteBuffer[] live = new ByteBuffer[0];

  @Setup
  public void fill(BenchmarkParams params) {
    boolean ours = params.getBenchmark().endsWith(".rockpool");
    live = new ByteBuffer[count];
    for (int i = 0; i < count; i++) {
      live[i] = ours ? memory.allocate(1) : ByteBuffer.allocateDirect(1);
    }
  }

  @Benchmark
  public ByteBuffer[] jdk() {
    System.gc();
    return live;
  }

  @Benchmark
  public ByteBuffer[] rockpool() {
    System.gc();
    return live;
  }
}
