package dev.rockpool.bench.direct;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Threads;

/**
 * Buffers that are dropped at once, until the limit is reached, over and over: milliseconds for
 * each allocation, the mean, and as {@code p0.00} and {@code p1.00} the shortest and the longest
 * that was sampled. {@code touched} is what the program does with them: what an untouched one costs
 * is not all there is.
 *
 * <pre>
 * java -jar bench/target/benchmarks.jar DirectByteBufferAlloc
 * java -jar bench/target/benchmarks.jar DirectByteBufferAlloc -p touched=ALL -p size=1048576
 * java -jar bench/target/benchmarks.jar DirectByteBufferAlloc.jdk \
 *   -jvmArgsAppend -javaagent:agent/target/rockpool-agent.jar=direct
 * </pre>
 */
@BenchmarkMode({Mode.AverageTime, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class DirectByteBufferAlloc extends DirectBenchmark {
  /** Bytes of each buffer. */
  @Param({"64", "1024", "4096", "65536", "1048576"})
  public int size;

  /** Which of its pages are written to. */
  @Param public Touched touched = Touched.NONE;

  /** Ways of programs to use a buffer. */
  public enum Touched {
    NONE,
    /** The first eighth. */
    PART,
    ALL
  }

  private int touchedByteSize;

  @Setup
  public void look() {
    touchedByteSize =
        switch (touched) {
          case NONE -> 0;
          case PART -> size / 8;
          case ALL -> size;
        };
  }

  @Benchmark
  public ByteBuffer jdk() {
    return touch(ByteBuffer.allocateDirect(size));
  }

  @Benchmark
  public ByteBuffer rockpool() {
    return touch(memory.allocate(size));
  }

  private ByteBuffer touch(ByteBuffer buffer) {
    for (int i = 0; i < touchedByteSize; i += 4096) {
      buffer.put(i, (byte) 1);
    }
    return buffer;
  }

  /** The same on four threads at once; the time is that of each. */
  @Threads(4)
  public static class OfFourThreads extends DirectByteBufferAlloc {}
}
