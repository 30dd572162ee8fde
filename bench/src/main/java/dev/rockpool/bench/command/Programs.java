package dev.rockpool.bench.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rockpool.bench.command.Picture.Line;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Whole programs, each run from start to end in JVMs of its own: as it is, with an agent that does
 * nothing, and with Rockpool's.
 */
record Programs(Path jdk, int rounds, Path folder) {
  private static final String PACKAGE = "dev.rockpool.bench.program.";
  private static final String EMPTY_AGENT = PACKAGE + "Shortest$EmptyAgent";

  /** The figures that a server prints, in order. */
  private static final List<String> FIGURES =
      List.of("requests/s", "p50 us", "p99 us", "p99.9 us", "MiB");

  /**
   * A program.
   *
   * @param label how reports call it
   * @param main the class, in the package of such programs
   * @param calls number of native calls, each with an arena; 0 if the program is not about that
   */
  record Program(String label, String main, List<String> arguments, long calls) {
    /** From nothing to many calls: where does the agent pay off? */
    static List<Program> ofStart() {
      return Stream.concat(
              Stream.of(
                  new Program("no arena", "Shortest$NoArena", List.of(), 0),
                  new Program("one arena", "Shortest$OneArena", List.of(), 0)),
              LongStream.iterate(1_000, calls -> calls <= 10_000_000, calls -> 10 * calls)
                  .flatMap(calls -> LongStream.of(calls, 3 * calls))
                  .limit(9)
                  .mapToObj(Program::binding))
          .toList();
    }

    private static Program binding(long calls) {
      return new Program(
          "binding, " + grouped(calls) + " calls", "Binding", List.of("" + calls), calls);
    }

    /** Servers of all kinds. */
    static List<Program> ofLoad() {
      return List.of(
          server("platform threads, 3 arenas each", "platform", 60_000, 3, 8),
          server("virtual threads, 3 arenas each", "virtual", 4_000_000, 3, 1000),
          server("virtual threads, 30 arenas each", "virtual", 1_000_000, 30, 1000),
          waiting("1 virtual thread", 1),
          waiting("10 virtual threads", 10),
          waiting("100 virtual threads", 100),
          waiting("1,000 virtual threads", 1_000),
          waiting("10,000 virtual threads", 10_000));
    }

    private static Program waiting(String threads, int atOnce) {
      int requests = Math.min(1_000_000, 400 * atOnce);
      return server(threads + " waiting 5 ms", "waiting", requests, 1, atOnce);
    }

    private static Program server(String label, String kind, int requests, int arenas, int atOnce) {
      List<String> arguments = List.of(kind, "" + requests, "" + arenas, "" + atOnce);
      return new Program(label, "Server", arguments, 0);
    }

    boolean isServer() {
      return main.equals("Server");
    }
  }

  /** Kinds of JVM that a program runs in, with the color of their lines. */
  private enum Variant {
    PLAIN("plain", 4),
    EMPTY("empty agent", 7),
    ROCKPOOL("Rockpool", 2);

    private final String label;
    private final int color;

    Variant(String label, int color) {
      this.label = label;
      this.color = color;
    }
  }

  /** One program in one kind of JVM; each run has its processor time in seconds, then FIGURES. */
  private record Runs(Program program, Variant variant, List<List<Double>> runs) {
    /** The median of the processor time. */
    double seconds() {
      return median(0);
    }

    /** The median, of an even number of runs the upper one. */
    double median(int figure) {
      return runs.stream().map(run -> run.get(figure)).sorted().toList().get(runs.size() / 2);
    }
  }

  /** Measures, prints a table, and writes it to NAME.txt; draws NAME.svg of numbers of calls. */
  void run(String name, List<Program> all) throws IOException {
    List<Runs> results = new ArrayList<>();
    Path emptyAgent = Files.createTempFile("empty-agent", ".jar");
    try {
      writeEmptyAgent(emptyAgent);
      for (Program program : all) {
        System.err.println("# " + program.label);
        results.addAll(measure(program, emptyAgent));
      }
    } finally {
      Files.delete(emptyAgent);
    }
    String text =
        "Rockpool %s, %s, %s runs of each\n\n%s"
            .formatted(Machine.rockpool(), Machine.describe(jdk), rounds, table(results));
    System.out.println(text);
    Files.writeString(folder.resolve(name + ".txt"), text);
    if (all.stream().anyMatch(program -> program.calls > 0)) {
      Files.writeString(folder.resolve(name + ".svg"), breakEven(results));
    }
  }

  /** Runs all variants in each round, so that what else the machine does affects all alike. */
  private List<Runs> measure(Program program, Path emptyAgent) throws IOException {
    Map<Variant, Runs> results = new EnumMap<>(Variant.class);
    for (int round = 0; round < rounds; round++) {
      for (Variant variant : Variant.values()) {
        List<String> options =
            switch (variant) {
              case PLAIN -> List.of();
              case EMPTY -> List.of("-javaagent:" + emptyAgent);
              case ROCKPOOL -> List.of(Machine.agentOption());
            };
        results
            .computeIfAbsent(variant, _ -> new Runs(program, variant, new ArrayList<>()))
            .runs
            .add(run(program, options));
      }
    }
    return List.copyOf(results.values());
  }

  /** The processor time is that of bash, which asks the system for it when its child has ended. */
  private List<Double> run(Program program, List<String> options) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("bash", "-c", "TIMEFORMAT='%U %S'; time \"$0\" \"$@\""));
    command.add(Machine.java(jdk));
    command.addAll(options);
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", Machine.jar().toString()));
    command.add(PACKAGE + program.main);
    command.addAll(program.arguments);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    List<String> lines = process.inputReader().lines().toList();
    if (process.onExit().join().exitValue() != 0) {
      throw new IllegalStateException(
          "A program must end with exit code 0: %s did not, and printed %s"
              .formatted(command, lines));
    }
    double seconds = numbers(lines.getLast().replace(',', '.')).sum(); // user mode and kernel
    List<Double> figures = new ArrayList<>(List.of(seconds));
    if (program.isServer()) {
      numbers(lines.get(lines.size() - 2)).forEach(figures::add);
    }
    return figures;
  }

  private static DoubleStream numbers(String line) {
    return Stream.of(line.split(" ")).mapToDouble(Double::parseDouble);
  }

  /** Writes a jar as small as an agent's can be. */
  private static void writeEmptyAgent(Path file) throws IOException {
    String manifest =
        """
        Manifest-Version: 1.0
        Premain-Class: %s
        Can-Redefine-Classes: true
        Can-Retransform-Classes: true
        """
            .formatted(EMPTY_AGENT);
    String entry = EMPTY_AGENT.replace('.', '/') + ".class";
    try (InputStream in = Programs.class.getResourceAsStream("/" + entry);
        JarOutputStream out =
            new JarOutputStream(
                Files.newOutputStream(file),
                new Manifest(new ByteArrayInputStream(manifest.getBytes(UTF_8))))) {
      out.putNextEntry(new JarEntry(entry));
      Objects.requireNonNull(in).transferTo(out);
    }
  }

  private static String table(List<Runs> results) {
    boolean areServers = results.getFirst().program.isServer();
    List<String> header = new ArrayList<>(List.of("program", "in", "CPU, median"));
    header.addAll(areServers ? FIGURES : List.of("to empty"));
    List<List<String>> rows = new ArrayList<>(List.of(header));
    double empty = 0;
    for (Runs runs : results) {
      List<String> row = new ArrayList<>(List.of(runs.program.label, runs.variant.label));
      row.add(String.format(Locale.ROOT, "%.3f s", runs.seconds()));
      empty = runs.variant == Variant.EMPTY ? runs.seconds() : empty;
      if (areServers) {
        for (int i = 1; i <= FIGURES.size(); i++) {
          double median = runs.median(i);
          row.add(String.format(Locale.ROOT, median < 10 ? "%.2f" : "%,.0f", median));
        }
      } else {
        boolean isOurs = runs.variant == Variant.ROCKPOOL;
        row.add(isOurs ? String.format(Locale.ROOT, "%+.3f s", runs.seconds() - empty) : "");
      }
      rows.add(row);
    }
    return Table.text(rows);
  }

  /**
   * Draws the processor time by the number of native calls: where Rockpool's line comes below the
   * others, Rockpool has paid for its start.
   */
  private String breakEven(List<Runs> results) throws IOException {
    List<Runs> shown = results.stream().filter(runs -> runs.program.calls > 0).toList();
    List<Line> lines = new ArrayList<>();
    for (Variant variant : Variant.values()) {
      Stream<Runs> line = shown.stream().filter(runs -> runs.variant == variant);
      lines.add(new Line(variant.label, variant.color, line.mapToDouble(Runs::seconds).toArray()));
    }
    return new Picture(
            "A program from start to end: processor time by number of native calls",
            Machine.describe(jdk),
            "native calls, each with an arena of its own",
            "CPU s",
            shown.stream().map(runs -> grouped(runs.program.calls)).distinct().toList(),
            lines)
        .svg();
  }

  private static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
