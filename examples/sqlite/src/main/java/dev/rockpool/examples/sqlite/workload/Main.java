package dev.rockpool.examples.sqlite.workload;

import dev.rockpool.demo.Timer;
import dev.rockpool.demo.Timer.Figures;
import dev.rockpool.examples.sqlite.Database;
import dev.rockpool.examples.sqlite.workload.Workload.Batch;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Runs workloads, and prints how many rows a second they did, and what garbage a row was. */
public final class Main {
  private Main() {}

  /**
   * Runs the workloads of these names, or all of them. Each is measured for so many seconds as the
   * system property {@code sqlite.seconds} says, otherwise for 2, and before that until it is
   * compiled.
   */
  public static void main(String[] args) {
    try {
      List<Workload> workloads =
          args.length == 0
              ? List.of(Workload.values())
              : Arrays.stream(args).map(Workload::of).toList();
      measure(workloads, Double.parseDouble(System.getProperty("sqlite.seconds", "2")));
    } catch (UnsatisfiedLinkError | IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(e instanceof UnsatisfiedLinkError ? 1 : 2);
    }
  }

  private static void measure(List<Workload> workloads, double seconds) {
    System.out.println("SQLite " + Database.sqliteVersion());
    System.out.printf(
        "%n%-8s %15s %10s %10s %13s %20s   %s%n",
        "workload", "rows a second", "ns a row", "fastest", "garbage a row", "result", "a row");
    Timer timer = new Timer(seconds * 1e9, 1, 10);
    for (Workload workload : workloads) {
      try (Batch batch = workload.prepare()) {
        Figures figures = timer.measure(batch);
        System.out.printf(
            Locale.ROOT,
            "%-8s %,15.0f %,10.1f %,10.1f %,11.1f B %20s   %s%s%n",
            workload,
            1e9 / figures.nanos(),
            figures.nanos(),
            figures.fastestNanos(),
            figures.garbageBytes(),
            batch.first,
            workload.description,
            figures.compiled() ? "" : " (not compiled yet when measured)");
      }
    }
  }
}
