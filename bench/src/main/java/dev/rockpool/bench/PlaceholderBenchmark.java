package dev.rockpool.bench;

import java.lang.foreign.Arena;
import org.openjdk.jmh.annotations.Benchmark;

/** Placeholder: the JDK's confined arena. */
public class PlaceholderBenchmark {
  @Benchmark
  public long confined() {
    try (Arena arena = Arena.ofConfined()) {
      return arena.allocate(64).byteSize();
    }
  }
}
