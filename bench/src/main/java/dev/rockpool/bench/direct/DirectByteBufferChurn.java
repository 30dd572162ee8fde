package dev.rockpool.bench.direct;

import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * A buffer of one byte that is dropped at once: direct in one of {@code recipFreq} cases, else on
 * the heap. The time shows how direct buffers disturb a program whose garbage is collected all the
 * time.
 */
public class DirectByteBufferChurn extends DirectBenchmark {
  /** One buffer of so many is direct. */
  @Param({"128", "512", "2048"})
  public int recipFreq;

  private boolean isDirect() {
    return ThreadLocalRandom.current().nextInt(recipFreq) == 0;
  }

  @Benchmark
  public ByteBuffer jdk() {
    return isDirect() ? ByteBuffer.allocateDirect(1) : ByteBuffer.allocate(1);
  }

  @Benchmark
  public ByteBuffer rockpool() {
    return isDirect() ? memory.allocate(1) : ByteBuffer.allocate(1);
  }
}
