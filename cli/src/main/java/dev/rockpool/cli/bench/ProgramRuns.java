package dev.rockpool.cli.bench;

import static java.util.stream.Collectors.joining;

import com.google.gson.JsonObject;
import dev.rockpool.cli.compare.Comparison;
import dev.rockpool.cli.compare.Comparison.Run;
import dev.rockpool.cli.compare.ComparisonTable;
import dev.rockpool.cli.compare.Forecast;
import dev.rockpool.cli.page.Charts;
import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Host;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.OutputFile;
import dev.rockpool.cli.support.Progress;
import dev.rockpool.cli.support.ScratchFolder;
import dev.rockpool.cli.support.Side;
import dev.rockpool.cli.support.Statistics;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.ToDoubleFunction;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whole programs of the benchmarks' jar, each run from start to end in JVMs of its own. */
record ProgramRuns(List<Jvm> jvms, Path jar, int rounds) {
  private static final String PACKAGE = "dev.rockpool.bench.program.";
  private static final String EMPTY_AGENT = PACKAGE + "Shortest$EmptyAgent";
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int RUSAGE_CHILDREN = -1;
  private static final long RUSAGE_BYTES = 144;

  /** The figures that a server prints, in order. */
  private static final List<String> FIGURES =
      List.of("requests/s", "p50 us", "p99 us", "p99.9 us", "MiB");

  /**
   * A program.
   *
   * @param label how the report calls it
   * @param main the class, in the package of such programs
   * @param calls how many native calls it makes, each with an arena; 0 if that is not the point
   */
  record Program(String label, String main, List<String> arguments, long calls) {
    /** From nothing to many calls: where does the agent pay off? */
    static List<Program> ofStart() {
      return Stream.concat(
              Stream.of(
                  new Program("no arena", "Shortest$NoArena", List.of(), 0),
                  new Program("one arena", "Shortest$OneArena", List.of(), 0)),
              LongStream.of(
                      1_000,
                      3_000,
                      10_000,
                      30_000,
                      100_000,
                      300_000,
                      1_000_000,
                      3_000_000,
                      10_000_000)
                  .mapToObj(Program::binding))
          .toList();
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

    /** Programs that gain, and programs that lose. */
    static List<Program> ofForecast() {
      return List.of(
          new Program("loop, 1.33 allocations", "Loop", List.of("60000000"), 0),
          binding(30_000_000),
          binding(1_000_000),
          server("virtual threads, 3 arenas each", "virtual", 4_000_000, 3, 1000),
          server("virtual threads, 30 arenas each", "virtual", 1_000_000, 30, 1000),
          waiting("1,000 virtual threads", 1_000));
    }

    private static Program binding(long calls) {
      String label = String.format(Locale.ROOT, "binding, %,d calls", calls);
      return new Program(label, "Binding", List.of("" + calls), calls);
    }

    private static Program waiting(String threads, int atOnce) {
      int requests = Math.min(1_000_000, 400 * atOnce);
      return server(threads + " waiting 5 ms", "waiting", requests, 1, atOnce);
    }

    private static Program server(String label, String kind, int requests, int arenas, int atOnce) {
      return new Program(
          label, "Server", List.of(kind, "" + requests, "" + arenas, "" + atOnce), 0);
    }
  }

  /**
   * The figures of one run.
   *
   * @param cpuSeconds of processor time, from start to end
   * @param printed the figures that a server prints, in order
   */
  record Figures(double cpuSeconds, List<Double> printed) {}

  /** Kinds of JVM that a program runs in, with their color in the palette of pages. */
  private enum Variant {
    PLAIN("plain", 4),
    EMPTY("empty agent", 7),
    ROCKPOOL("Rockpool", 2);

    private final String text;
    private final int color;

    Variant(String text, int color) {
      this.text = text;
      this.color = color;
    }
  }

  /** One program in one kind of JVM. */
  private record Runs(String program, long calls, String jdk, String variant, List<Figures> runs) {
    boolean isOf(Variant other) {
      return variant.equals(other.text);
    }

    /** The least of all runs: what the rest of the machine did comes on top of it. */
    double least() {
      return runs.stream().mapToDouble(Figures::cpuSeconds).min().orElseThrow();
    }

    double median(ToDoubleFunction<Figures> figure) {
      return Statistics.median(runs.stream().mapToDouble(figure).toArray());
    }
  }

  /**
   * Runs programs as they are, with an agent that does nothing, and with ours. Prints a table, and
   * writes it to a folder with all figures, and a picture.
   */
  void run(List<Program> all, String name, Path folder) {
    List<Runs> results = measure(all);
    String text =
        "Rockpool %s, %s, %s, %s runs of each\n\n"
                .formatted(
                    Installation.version(),
                    jvms.stream().map(Jvm::label).collect(joining(" and ")),
                    Host.cpu(),
                    rounds)
            + table(results).text();
    System.out.println(text);
    OutputFile.folder(folder);
    new OutputFile(folder.resolve(name + ".txt")).write(text);
    if (all.stream().anyMatch(each -> each.calls() > 0)) {
      new OutputFile(folder.resolve(name + ".svg")).write(breakEven(results));
    }
    Map<String, Object> json = new LinkedHashMap<>(Host.json());
    json.put("printed", FIGURES);
    json.put("programs", results);
    new OutputFile(folder.resolve(name + ".json")).writeJson(json);
  }

  private List<Runs> measure(List<Program> all) {
    List<Runs> results = new ArrayList<>();
    try (ScratchFolder scratch = ScratchFolder.create();
        Progress progress = Progress.of(all.size() * jvms.size())) {
      Path empty = emptyAgent(scratch.path().resolve("empty-agent.jar"));
      forEach(
          all,
          (program, jvm) -> {
            progress.begin(program.label + ", " + jvm.label());
            StringBuilder news = new StringBuilder(program.label);
            Comparison.byTurns(
                    Variant.values(),
                    rounds,
                    variant -> {
                      List<String> options =
                          switch (variant) {
                            case PLAIN -> List.of();
                            case EMPTY -> List.of("-javaagent:" + empty);
                            case ROCKPOOL -> List.of("-javaagent:" + Installation.agentJar());
                          };
                      return run(program, jvm, options, variant.text, scratch.path());
                    })
                .forEach(
                    (variant, figures) -> {
                      Runs runs =
                          new Runs(
                              program.label, program.calls, jvm.label(), variant.text, figures);
                      results.add(runs);
                      news.append(", " + variant.text + " " + seconds(runs.least()));
                    });
            progress.done(news.toString());
          });
    }
    return results;
  }

  private void forEach(List<Program> all, BiConsumer<Program, Jvm> action) {
    all.forEach(program -> jvms.forEach(jvm -> action.accept(program, jvm)));
  }

  /**
   * Runs a program to its end.
   *
   * @param options of the JVM
   * @param variant how messages call a run with these options
   */
  private Figures run(
      Program program, Jvm jvm, List<String> options, Object variant, Path scratch) {
    List<String> command = new ArrayList<>(List.of(jvm.java().toString()));
    command.addAll(options);
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", jar.toString()));
    command.add(PACKAGE + program.main);
    command.addAll(program.arguments);
    double before = secondsOfChildren();
    ChildProcess process =
        ChildProcess.run(new ProcessBuilder(command), scratch, "program", LIMIT)
            .requireSuccess(program.label, variant);
    double seconds = secondsOfChildren() - before;
    return new Figures(
        seconds,
        program.main.equals("Server")
            ? Stream.of(process.outLines().getLast().split(" ")).map(Double::valueOf).toList()
            : List.of());
  }

  /**
   * The processor time of child processes that have ended, in user mode and in the kernel, as the
   * system counts it. Fails where the system does not count, which is on Windows.
   */
  @SuppressWarnings("restricted")
  private static double secondsOfChildren() {
    Linker linker = Linker.nativeLinker();
    MemorySegment function =
        linker
            .defaultLookup()
            .find("getrusage")
            .orElseThrow(
                () ->
                    new CommandFailure(
                        "Whole programs are measured with getrusage, which this system lacks"));
    MethodHandle getrusage =
        linker.downcallHandle(
            function,
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment usage = arena.allocate(RUSAGE_BYTES, Long.BYTES);
      int failed = (int) getrusage.invokeExact(RUSAGE_CHILDREN, usage);
      if (failed != 0) {
        throw new IllegalStateException("getrusage failed");
      }
      // It begins with two times, each in seconds and microseconds. A long is right for macOS's int
      // of microseconds, too, which four zero bytes follow.
      long[] words = usage.asSlice(0, 4 * Long.BYTES).toArray(ValueLayout.JAVA_LONG);
      return words[0] + words[2] + (words[1] + words[3]) / 1e6;
    } catch (Throwable failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** A jar as small as an agent's can be. */
  private Path emptyAgent(Path file) {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.putValue("Premain-Class", EMPTY_AGENT);
    main.putValue("Can-Redefine-Classes", "true");
    main.putValue("Can-Retransform-Classes", "true");
    String entry = EMPTY_AGENT.replace('.', '/') + ".class";
    try (JarFile programs = new JarFile(jar.toFile());
        InputStream in = programs.getInputStream(programs.getEntry(entry));
        OutputStream out = Files.newOutputStream(file);
        JarOutputStream agent = new JarOutputStream(out, manifest)) {
      agent.putNextEntry(new JarEntry(entry));
      in.transferTo(agent);
      return file;
    } catch (IOException e) {
      throw new CommandFailure("Cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  private Table table(List<Runs> results) {
    boolean prints = !results.getFirst().runs.getFirst().printed().isEmpty();
    List<String> header = new ArrayList<>(List.of("program", "in", "CPU, least", "median"));
    header.addAll(prints ? FIGURES : List.of("to empty"));
    Table table = Table.of(header.toArray(String[]::new));
    double empty = 0;
    for (Runs runs : results) {
      String program = runs.program + (jvms.size() > 1 ? ", " + runs.jdk : "");
      List<String> cells = new ArrayList<>(List.of(program, runs.variant, seconds(runs.least())));
      cells.add(seconds(runs.median(Figures::cpuSeconds)));
      empty = runs.isOf(Variant.EMPTY) ? runs.least() : empty;
      if (!prints) {
        double more = runs.least() - empty;
        cells.add(runs.isOf(Variant.ROCKPOOL) ? (more < 0 ? "" : "+") + seconds(more) : "");
      }
      for (int i = 0; prints && i < FIGURES.size(); i++) {
        int figure = i;
        cells.add(Statistics.threeDigits(runs.median(run -> run.printed().get(figure))));
      }
      table.row(cells.toArray(String[]::new));
    }
    return table;
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.3f s", seconds);
  }

  /**
   * The processor time of a whole program by the number of its native calls, on the first JVM:
   * where the line of Rockpool comes below the others, it has earned its start back.
   */
  private String breakEven(List<Runs> results) {
    List<Runs> shown =
        results.stream()
            .filter(runs -> runs.calls > 0 && runs.jdk.equals(jvms.getFirst().label()))
            .toList();
    List<JsonObject> lines = new ArrayList<>();
    for (Variant variant : Variant.values()) {
      List<@Nullable Double> values = new ArrayList<>();
      shown.stream().filter(r -> r.isOf(variant)).forEach(runs -> values.add(runs.least()));
      lines.add(Charts.series("line", variant.text, values, variant.color, 0));
    }
    List<String> calls =
        shown.stream()
            .map(runs -> String.format(Locale.ROOT, "%,d", runs.calls))
            .distinct()
            .toList();
    return Charts.svg(
        "A program from start to end: processor time by number of native calls",
        Host.note(),
        Charts.of(calls, "native calls, each with an arena of its own", "CPU s", lines));
  }

  /**
   * Shows the forecast of {@code report} for programs, beside the processor time that the agent
   * then saves.
   */
  void forecast(List<Program> all, Path folder) {
    List<Comparison> comparisons = new ArrayList<>();
    List<Forecast> forecasts = new ArrayList<>();
    try (ScratchFolder scratch = ScratchFolder.create();
        Progress progress = Progress.of(all.size() * jvms.size())) {
      forEach(
          all,
          (program, jvm) -> {
            String label = program.label + ", " + jvm.label();
            progress.begin(label);
            comparisons.add(compare(label, program, jvm, scratch.path(), forecasts));
            progress.done(label + ": " + forecasts.getLast().verdict());
          });
    }
    ComparisonTable table =
        new ComparisonTable(
            "processor time",
            "s",
            comparisons,
            forecasts,
            "Forecast: the report's range for what the agent saves from start to end.\n",
            Map.of());
    System.out.print(table.text());
    new OutputFile(OutputFile.folder(folder).resolve("forecast.json")).writeJson(table.json());
  }

  /**
   * The report calibrates between the two halves of the runs, under the same load of the machine.
   */
  private Comparison compare(
      String label, Program program, Jvm jvm, Path scratch, List<Forecast> forecasts) {
    String agent = "-javaagent:" + Installation.agentJar();
    List<Side> done = new ArrayList<>();
    return Comparison.of(
        label,
        rounds,
        side -> {
          if (done.size() == rounds) { // half of both sides' runs, as the machine's speed drifts
            Path recording = scratch.resolve("recorded.jfr");
            String recorder = agent + "=" + Forecast.recordOptions(recording);
            run(program, jvm, List.of(recorder), "recorded", scratch);
            JsonObject report = Forecast.reportOn(recording, "--jdk", jvm.home().toString());
            forecasts.add(Forecast.of(1, report, "netNanosOfJvm", 1e9));
          }
          done.add(side);
          List<String> options = side == Side.WITH ? List.of(agent) : List.of();
          return Run.of(run(program, jvm, options, side, scratch).cpuSeconds(), "");
        });
  }
}
