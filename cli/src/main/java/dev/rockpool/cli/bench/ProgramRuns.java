package dev.rockpool.cli.bench;

import static java.util.stream.Collectors.joining;

import com.google.gson.JsonObject;
import dev.rockpool.cli.bench.WholeProgram.Figures;
import dev.rockpool.cli.compare.Comparison;
import dev.rockpool.cli.page.Charts;
import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Host;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.OutputFile;
import dev.rockpool.cli.support.Progress;
import dev.rockpool.cli.support.ScratchFolder;
import dev.rockpool.cli.support.Statistics;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * {@code ./rockpool bench --start} and {@code --load}: whole programs, each in JVMs of its own, as
 * it is, with an agent that does nothing, and with ours.
 */
record ProgramRuns(List<Jvm> jvms, Path jar, int rounds) {
  private static final String EMPTY_AGENT = "dev.rockpool.bench.program.Shortest$EmptyAgent";

  /** The figures that a server prints, in order. */
  private static final List<String> FIGURES =
      List.of("requests/s", "p50 us", "p99 us", "p99.9 us", "MiB");

  /** Kinds of JVM that a program runs in. */
  private enum Variant {
    PLAIN("plain", 4),
    EMPTY("empty agent", 7),
    ROCKPOOL("Rockpool", 2);

    private final String text;

    /** Its color in the palette of pages. */
    private final int color;

    Variant(String text, int color) {
      this.text = text;
      this.color = color;
    }
  }

  /** One program in one kind of JVM. */
  private record Runs(String program, long calls, String jdk, String variant, List<Figures> runs) {
    /** The least of all runs: what the rest of the machine did comes on top of it. */
    double least() {
      return runs.stream().mapToDouble(Figures::cpuSeconds).min().orElseThrow();
    }

    double median(ToDoubleFunction<Figures> figure) {
      return Statistics.median(runs.stream().mapToDouble(figure).toArray());
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, ", %s %.3f s", variant, least());
    }
  }

  /** Runs them, prints a table, and writes it to a folder with all figures, and a picture. */
  void run(List<WholeProgram> all, String name, Path folder) {
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

  private List<Runs> measure(List<WholeProgram> all) {
    List<Runs> results = new ArrayList<>();
    try (ScratchFolder scratch = ScratchFolder.create();
        Progress progress = Progress.of(all.size() * jvms.size())) {
      Path empty = emptyAgent(scratch.path().resolve("empty-agent.jar"));
      Map<Variant, List<String>> options =
          Map.of(
              Variant.PLAIN, List.of(),
              Variant.EMPTY, List.of("-javaagent:" + empty),
              Variant.ROCKPOOL, List.of("-javaagent:" + Installation.agentJar()));
      for (WholeProgram program : all) {
        for (Jvm jvm : jvms) {
          progress.begin(program.label() + ", " + jvm.label());
          StringBuilder news = new StringBuilder(program.label());
          Comparison.byTurns(
                  Variant.values(),
                  rounds,
                  each ->
                      program.run(
                          jvm,
                          jar,
                          options.getOrDefault(each, List.of()),
                          each.text,
                          scratch.path()))
              .forEach(
                  (variant, figures) -> {
                    Runs runs =
                        new Runs(
                            program.label(), program.calls(), jvm.label(), variant.text, figures);
                    results.add(runs);
                    news.append(runs);
                  });
          progress.done(news.toString());
        }
      }
    }
    return results;
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
      empty = runs.variant.equals(Variant.EMPTY.text) ? runs.least() : empty;
      if (!prints) {
        boolean compared = runs.variant.equals(Variant.ROCKPOOL.text);
        cells.add(
            compared ? (runs.least() < empty ? "" : "+") + seconds(runs.least() - empty) : "");
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
      shown.stream()
          .filter(runs -> runs.variant.equals(variant.text))
          .forEach(runs -> values.add(runs.least()));
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
}
