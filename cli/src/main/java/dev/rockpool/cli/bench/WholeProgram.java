package dev.rockpool.cli.bench;

import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.CommandFailure;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A whole program to measure, from the benchmarks' jar, in JVMs of its own.
 *
 * @param label how the report calls it
 * @param main the class, in the package of such programs
 * @param arguments of the program
 * @param calls how many native calls it makes, each with an arena; 0 if that is not the point
 */
record WholeProgram(String label, String main, List<String> arguments, long calls) {
  private static final String PACKAGE = "dev.rockpool.bench.program.";
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private static final long[] CALLS = {
    1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000
  };

  private static final int[] AT_ONCE = {1, 10, 100, 1_000, 10_000};

  /** From nothing to many calls: where does the agent pay off? */
  static List<WholeProgram> ofStart() {
    List<WholeProgram> programs = new ArrayList<>();
    programs.add(new WholeProgram("no arena", "Shortest$NoArena", List.of(), 0));
    programs.add(new WholeProgram("one arena", "Shortest$OneArena", List.of(), 0));
    for (long calls : CALLS) {
      programs.add(binding(calls));
    }
    return programs;
  }

  /** Servers of all kinds. */
  static List<WholeProgram> ofLoad() {
    List<WholeProgram> programs = new ArrayList<>();
    programs.add(server("platform threads, 3 arenas each", "platform", 60_000, 3, 8));
    programs.add(server("virtual threads, 3 arenas each", "virtual", 4_000_000, 3, 1000));
    programs.add(server("virtual threads, 30 arenas each", "virtual", 1_000_000, 30, 1000));
    for (int atOnce : AT_ONCE) {
      String label =
          String.format(
              Locale.ROOT, "%,d virtual thread%s waiting 5 ms", atOnce, atOnce == 1 ? "" : "s");
      programs.add(server(label, "waiting", Math.min(1_000_000, 400 * atOnce), 1, atOnce));
    }
    return programs;
  }

  /** Programs that gain, and programs that lose. */
  static List<WholeProgram> ofForecast() {
    return List.of(
        new WholeProgram("loop, 1.33 allocations", "Loop", List.of("60000000"), 0),
        binding(30_000_000),
        binding(1_000_000),
        server("virtual threads, 3 arenas each", "virtual", 4_000_000, 3, 1000),
        server("virtual threads, 30 arenas each", "virtual", 1_000_000, 30, 1000),
        server("1,000 virtual threads waiting 5 ms", "waiting", 400_000, 1, 1000));
  }

  private static WholeProgram binding(long calls) {
    String label = String.format(Locale.ROOT, "binding, %,d calls", calls);
    return new WholeProgram(label, "Binding", List.of(Long.toString(calls)), calls);
  }

  private static WholeProgram server(
      String label, String kind, int requests, int arenas, int atOnce) {
    return new WholeProgram(
        label, "Server", List.of(kind, requests + "", arenas + "", atOnce + ""), 0);
  }

  /**
   * The figures of one run.
   *
   * @param cpuSeconds of processor time, from start to end
   * @param printed the figures that a server prints, in order
   */
  record Figures(double cpuSeconds, List<Double> printed) {}

  /**
   * Runs it to its end.
   *
   * @param options of the JVM
   * @param variant how messages call a run with these options
   */
  Figures run(Jvm jvm, Path jar, List<String> options, Object variant, Path scratch) {
    List<String> command = new ArrayList<>(List.of(jvm.java().toString()));
    command.addAll(options);
    command.addAll(
        List.of("--enable-native-access=ALL-UNNAMED", "-cp", jar.toString(), PACKAGE + main));
    command.addAll(arguments);
    Usage usage = new Usage();
    double before = usage.seconds();
    ChildProcess process =
        ChildProcess.run(new ProcessBuilder(command), scratch, "program", LIMIT)
            .requireSuccess(label, variant);
    double seconds = usage.seconds() - before;
    return new Figures(
        seconds,
        main.equals("Server")
            ? Stream.of(process.outLines().getLast().split(" ")).map(Double::valueOf).toList()
            : List.of());
  }

  /** The processor time of child processes that have ended, as the system counts it. */
  private static final class Usage {
    private static final int RUSAGE_CHILDREN = -1;

    /** {@code struct rusage}, which begins with two times of two words each. */
    private static final long BYTE_SIZE = 144;

    private static final int WORDS_OF_TIMES = 4;
    private static final double MICROS_PER_SECOND = 1e6;

    private final MethodHandle getrusage;

    /** Fails where the system does not count, which is on Windows. */
    @SuppressWarnings("restricted")
    Usage() {
      Linker linker = Linker.nativeLinker();
      MemorySegment function =
          linker
              .defaultLookup()
              .find("getrusage")
              .orElseThrow(
                  () ->
                      new CommandFailure(
                          "Whole programs are measured with getrusage, which this system lacks"));
      getrusage =
          linker.downcallHandle(
              function,
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    /** Seconds of all children so far, in user mode and in the kernel. */
    double seconds() {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment usage = arena.allocate(BYTE_SIZE, Long.BYTES);
        int failed = (int) getrusage.invokeExact(RUSAGE_CHILDREN, usage);
        if (failed != 0) {
          throw new IllegalStateException("getrusage failed");
        }
        double seconds = 0;
        for (long word = 0; word < WORDS_OF_TIMES; word += 2) {
          seconds += usage.getAtIndex(ValueLayout.JAVA_LONG, word);
          // Right for a long, and for macOS's int, which four zero bytes follow.
          seconds += usage.getAtIndex(ValueLayout.JAVA_LONG, word + 1) / MICROS_PER_SECOND;
        }
        return seconds;
      } catch (Throwable failure) {
        throw new IllegalStateException(failure);
      }
    }
  }
}
