package dev.rockpool.bench.direct;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Threads;

/**
 * Buffers that are dropped at once, until the limit is reached, over and over: milliseconds for
 * each allocation, the mean, and as {@code p0.00} and {@code p1.00} the shortest and the longest
 * that was sampled. A program that writes to its buffers pays for their pages, too: {@code
 * touched}.
 *
 * <pre>
 * ./rockpool bench DirectByteBufferAlloc -p touched=true -p size=1048576
 * ./rockpool bench DirectByteBufferAlloc.jdk \
 *   -jvmArgsAppend -javaagent:agent/target/rockpool-agent.jar=direct
 * </pre>
 */
@BenchmarkMode({Mode.AverageTime, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class DirectByteBufferAlloc extends DirectBenchmark {
  /** Bytes of each buffer. */
  @Param({"64", "1024", "4096", "65536", "1048576"})
  public int size;

  /** Whether each of its pages is written to. */
  @Param({"false", "true"})
  public boolean touched;

  @Benchmark
  public ByteBuffer jdk() {
    return touch(ByteBuffer.allocateDirect(size));
  }

  @Benchmark
  public ByteBuffer rockpool() {
    return touch(memory.allocate(size));
  }

  private ByteBuffer touch(ByteBuffer buffer) {
    for (int i = 0; touched && i < size; i += 4096) {
      buffer.put(i, (byte) 1);
    }
    return buffer;
  }

  /** The same on four threads at once; the time is that of each. */
  @Threads(4)
  public static class OfFourThreads extends DirectByteBufferAlloc {}
}
