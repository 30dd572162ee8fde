package dev.rockpool.cli.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A whole program to measure, from the benchmarks' jar.
 *
 * @param label how the report calls it
 * @param main the class, in the package of such programs
 * @param arguments of the program
 * @param calls how many native calls it makes, each with an arena; 0 if that is not the point
 */
record Program(String label, String main, List<String> arguments, long calls) {
  private static final String PACKAGE = "dev.rockpool.bench.program.";

  private static final long[] CALLS = {
    1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000
  };

  private static final int[] AT_ONCE = {1, 10, 100, 1_000, 10_000};

  /** From nothing to many calls: where does the agent pay off? */
  static List<Program> ofStart() {
    List<Program> programs = new ArrayList<>();
    programs.add(new Program("no arena", PACKAGE + "Shortest$NoArena", List.of(), 0));
    programs.add(new Program("one arena", PACKAGE + "Shortest$OneArena", List.of(), 0));
    for (long calls : CALLS) {
      String label = String.format(Locale.ROOT, "binding, %,d calls", calls);
      programs.add(new Program(label, PACKAGE + "Binding", List.of(Long.toString(calls)), calls));
    }
    return programs;
  }

  /** Servers of all kinds. */
  static List<Program> ofLoad() {
    List<Program> programs = new ArrayList<>();
    programs.add(server("platform threads, 3 arenas each", "platform", 60_000, 3, 8));
    programs.add(server("virtual threads, 3 arenas each", "virtual", 4_000_000, 3, 1000));
    programs.add(server("virtual threads, 30 arenas each", "virtual", 1_000_000, 30, 1000));
    for (int atOnce : AT_ONCE) {
      String label = String.format(Locale.ROOT, "%,d virtual threads waiting 5 ms", atOnce);
      programs.add(server(label, "waiting", Math.min(1_000_000, 400 * atOnce), 1, atOnce));
    }
    return programs;
  }

  /** Programs that gain and such that lose. */
  static List<Program> ofForecast() {
    return List.of(
        new Program("loop, 1.33 allocations", PACKAGE + "Loop", List.of("60000000"), 0),
        new Program("binding, 30,000,000 calls", PACKAGE + "Binding", List.of("30000000"), 0),
        new Program("binding, 1,000,000 calls", PACKAGE + "Binding", List.of("1000000"), 0),
        server("virtual threads, 3 arenas each", "virtual", 4_000_000, 3, 1000),
        server("virtual threads, 30 arenas each", "virtual", 1_000_000, 30, 1000),
        server("1,000 virtual threads waiting 5 ms", "waiting", 400_000, 1, 1000));
  }

  private static Program server(String label, String kind, int requests, int arenas, int atOnce) {
    return new Program(
        label, PACKAGE + "Server", List.of(kind, requests + "", arenas + "", atOnce + ""), 0);
  }
}
