package dev.rockpool.cli.bench;

/**
 * What came out of one benchmark on one JVM.
 *
 * @param jvm where
 * @param part of which part of the program it is
 * @param id the benchmark
 * @param time nanoseconds per operation
 * @param garbage bytes of garbage per operation, NaN if not measured
 * @param settings how it was measured, in words
 */
record Result(Jvm jvm, Part part, BenchmarkId id, Score time, Score garbage, String settings) {
  /** The parts of the program: what JMH runs at a time on each JVM. */
  enum Part {
    /** Every workload with its own parameters. */
    BENCHMARKS(""),

    /** One allocation of each size from 0 to 64. */
    SWEEP("-sweep");

    private final String suffix;

    Part(String suffix) {
      this.suffix = suffix;
    }

    /** How its files differ from those of the others. */
    String suffix() {
      return suffix;
    }
  }
}
