package dev.rockpool.cli.bench;

import static java.util.stream.Collectors.joining;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Host;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.JsonFile;
import dev.rockpool.cli.support.Progress;
import dev.rockpool.cli.support.ScratchFolder;
import dev.rockpool.cli.support.Statistics;
import dev.rockpool.cli.support.TextTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * {@code ./rockpool bench --start} and {@code --load}: whole programs, each in JVMs of its own, as
 * it is, with an agent that does nothing, and with ours. The three take turns, round by round, so
 * that what else the machine does hits all alike.
 */
final class ProgramRuns {
  private static final String EMPTY_AGENT = "dev.rockpool.bench.program.Shortest$EmptyAgent";
  private static final Duration LIMIT = Duration.ofMinutes(5);

  /** The figures that a server prints, in order. */
  private static final List<String> FIGURES =
      List.of("requests/s", "p50 us", "p99 us", "p99.9 us", "MiB");

  /** Kinds of JVM that a program runs in. */
  enum Variant {
    PLAIN("plain", "jdk"),
    EMPTY("empty agent", "opened"),
    ROCKPOOL("Rockpool", "agent");

    final String text;

    /** Its colors in pictures. */
    final String style;

    Variant(String text, String style) {
      this.text = text;
      this.style = style;
    }
  }

  /** One program in one JVM, run by run: seconds of processor time, and what it printed. */
  record Runs(Program program, Jvm jvm, Variant variant, List<double[]> figures) {
    /** The least of all runs: what the rest of the machine did comes on top of it. */
    double seconds() {
      return figures.stream().mapToDouble(run -> run[0]).min().orElseThrow();
    }

    /** The median of the runs. */
    double printed(int figure) {
      return Statistics.median(figures.stream().mapToDouble(run -> run[1 + figure]).toArray());
    }

    boolean prints() {
      return figures.getFirst().length > 1;
    }
  }

  private final List<Jvm> jvms;
  private final Path programs;
  private final int rounds;
  private final ChildrenUsage usage = new ChildrenUsage();

  ProgramRuns(List<Jvm> jvms, Path programs, int rounds) {
    this.jvms = jvms;
    this.programs = programs;
    this.rounds = rounds;
  }

  /** Runs them, prints a table, and writes it to a folder with all figures, and a picture. */
  void run(List<Program> all, String name, Path folder) {
    List<Runs> results = measure(all);
    String text = heading() + (results.getFirst().prints() ? load(results) : start(results));
    System.out.println(text);
    try {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve(name + ".txt"), text);
      if (all.stream().anyMatch(each -> each.calls() > 0)) {
        String note = Host.cpu() + ", " + Host.os() + ", " + LocalDate.now(ZoneId.systemDefault());
        Files.writeString(folder.resolve(name + ".svg"), Pictures.breakEven(results, note).svg());
      }
    } catch (IOException e) {
      throw new CommandFailure("Cannot write to " + folder + ": " + e.getMessage(), e);
    }
    new JsonFile(folder.resolve(name + ".json")).write(json(results));
  }

  private String heading() {
    return "Rockpool "
        + Installation.version()
        + ", "
        + jvms.stream().map(Jvm::label).collect(joining(" and "))
        + ", "
        + Host.cpu()
        + ", "
        + rounds
        + " runs of each\n\n";
  }

  private List<Runs> measure(List<Program> all) {
    List<Runs> results = new ArrayList<>();
    try (ScratchFolder scratch = ScratchFolder.create();
        Progress progress = Progress.of(all.size() * jvms.size())) {
      Path empty = emptyAgent(scratch.path().resolve("empty-agent.jar"));
      for (Program program : all) {
        for (Jvm jvm : jvms) {
          progress.begin(program.label() + ", " + jvm.label());
          List<Runs> here = new ArrayList<>();
          for (Variant variant : Variant.values()) {
            here.add(new Runs(program, jvm, variant, new ArrayList<>()));
          }
          for (int round = 0; round < rounds; round++) {
            for (Runs each : here) {
              each.figures().add(once(each, empty, scratch.path()));
            }
          }
          results.addAll(here);
          progress.done(
              program.label()
                  + here.stream()
                      .map(each -> ", " + each.variant().text + " " + seconds(each))
                      .collect(joining()));
        }
      }
    }
    return results;
  }

  private double[] once(Runs runs, Path empty, Path scratch) {
    List<String> command = new ArrayList<>(List.of(runs.jvm().java().toString()));
    switch (runs.variant()) {
      case PLAIN -> {}
      case EMPTY -> command.add("-javaagent:" + empty);
      case ROCKPOOL -> command.add("-javaagent:" + Installation.agentJar());
    }
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            programs.toString(),
            runs.program().main()));
    command.addAll(runs.program().arguments());
    double before = usage.seconds();
    ChildProcess process =
        ChildProcess.run(new ProcessBuilder(command), scratch, "program", LIMIT)
            .requireSuccess(runs.program().label(), runs.variant().text);
    double seconds = usage.seconds() - before;
    String line = process.outLines().getLast();
    String[] printed = runs.program().main().endsWith("Server") ? line.split(" ") : new String[0];
    double[] figures = new double[1 + printed.length];
    figures[0] = seconds;
    for (int i = 0; i < printed.length; i++) {
      figures[1 + i] = Double.parseDouble(printed[i]);
    }
    return figures;
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
    try (JarFile jar = new JarFile(programs.toFile());
        InputStream in = jar.getInputStream(jar.getEntry(entry));
        OutputStream out = Files.newOutputStream(file);
        JarOutputStream agent = new JarOutputStream(out, manifest)) {
      agent.putNextEntry(new JarEntry(entry));
      in.transferTo(agent);
      return file;
    } catch (IOException e) {
      throw new CommandFailure("Cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  private static String seconds(Runs runs) {
    return String.format(Locale.ROOT, "%.3f s", runs.seconds());
  }

  /** Processor time, side by side. */
  private String start(List<Runs> results) {
    TextTable table =
        new TextTable("CPU, least of " + rounds, "plain", "empty agent", "Rockpool", "to empty");
    rows(results)
        .forEach(
            (label, row) ->
                table.row(
                    label,
                    seconds(row.get(0)),
                    seconds(row.get(1)),
                    seconds(row.get(2)),
                    String.format(
                        Locale.ROOT, "%+.3f s", row.get(2).seconds() - row.get(1).seconds())));
    return table.toString();
  }

  private static String load(List<Runs> results) {
    List<String> header = new ArrayList<>(List.of("medians", "in", "CPU s"));
    header.addAll(FIGURES);
    TextTable table = new TextTable(header.toArray(String[]::new));
    rows(results)
        .forEach(
            (label, row) -> {
              for (Runs runs : row) {
                List<String> cells = new ArrayList<>(List.of(label, runs.variant().text));
                double cpu =
                    Statistics.median(runs.figures().stream().mapToDouble(f -> f[0]).toArray());
                cells.add(Statistics.threeDigits(cpu));
                for (int i = 0; i < FIGURES.size(); i++) {
                  cells.add(Statistics.threeDigits(runs.printed(i)));
                }
                table.row(cells.toArray(String[]::new));
              }
            });
    return table.toString();
  }

  /** The variants of each program on each JVM, in their order. */
  private static Map<String, List<Runs>> rows(List<Runs> results) {
    boolean many = results.stream().map(Runs::jvm).distinct().count() > 1;
    Map<String, List<Runs>> rows = new LinkedHashMap<>();
    for (Runs each : results) {
      String label = each.program().label() + (many ? ", " + each.jvm().label() : "");
      rows.computeIfAbsent(label, first -> new ArrayList<>()).add(each);
    }
    return rows;
  }

  private static JsonObject json(List<Runs> results) {
    JsonObject json = JsonFile.measuredHere();
    JsonArray all = new JsonArray();
    for (Runs each : results) {
      JsonObject runs = new JsonObject();
      runs.addProperty("program", each.program().label());
      runs.addProperty("jdk", each.jvm().label());
      runs.addProperty("variant", each.variant().text);
      JsonArray figures = new JsonArray();
      for (double[] run : each.figures()) {
        JsonObject one = new JsonObject();
        one.addProperty("cpuSeconds", run[0]);
        for (int i = 1; i < run.length; i++) {
          one.addProperty(FIGURES.get(i - 1), run[i]);
        }
        figures.add(one);
      }
      runs.add("runs", figures);
      all.add(runs);
    }
    json.add("programs", all);
    return json;
  }
}
