package dev.rockpool.bench.program;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Runs the programs of this package from start to end in JVMs of their own: as they are, with an
 * agent that does nothing, and with Rockpool's. Prints a table of medians.
 */
public final class Programs {
  private static final String PACKAGE = "dev.rockpool.bench.program.";
  private static final String EMPTY_AGENT = PACKAGE + "Shortest$EmptyAgent";

  /** From nothing to many calls, where the agent pays for its start; class and arguments. */
  private static final List<String> START =
      List.of(
          "Shortest$NoArena",
          "Shortest$OneArena",
          "Binding 1000",
          "Binding 3000",
          "Binding 10000",
          "Binding 30000",
          "Binding 100000",
          "Binding 300000",
          "Binding 1000000",
          "Binding 3000000",
          "Binding 10000000");

  /** Servers: kind, requests, arenas in each, requests at once. */
  private static final List<String> LOAD =
      List.of(
          "Server platform 60000 3 8",
          "Server virtual 4000000 3 1000",
          "Server virtual 1000000 30 1000",
          "Server waiting 400 1 1",
          "Server waiting 4000 1 10",
          "Server waiting 40000 1 100",
          "Server waiting 400000 1 1000",
          "Server waiting 1000000 1 10000");

  /** The figures that a server prints, in order. */
  private static final List<String> FIGURES =
      List.of("requests/s", "p50 us", "p99 us", "p99.9 us", "MiB");

  private Programs() {}

  private static boolean isServer(String program) {
    return program.startsWith("Server ");
  }

  /** Takes the option, or a program with its arguments, and how often to run each. */
  public static void main(String[] args) throws IOException {
    List<String> programs =
        switch (args[0]) {
          case "--start" -> START;
          case "--load" -> LOAD;
          default -> List.of(args[0]);
        };
    measure(programs, args.length > 1 ? Integer.parseInt(args[1]) : 7);
  }

  /** Runs each with each agent in each round, so that what else the machine does affects all. */
  private static void measure(List<String> programs, int rounds) throws IOException {
    System.out.printf("JDK %s, %s runs of each%n%n", System.getProperty("java.version"), rounds);
    System.out.printf("%-32s %-12s %10s", "program", "with", "CPU s");
    List<String> figures = isServer(programs.getFirst()) ? FIGURES : List.of();
    figures.forEach(figure -> System.out.printf(" %12s", figure));
    System.out.println();
    Path emptyAgent = Files.createTempFile("empty-agent", ".jar");
    try {
      writeEmptyAgent(emptyAgent);
      Path agent = jar().resolve("../../../agent/target/rockpool-agent.jar").normalize();
      List<List<String>> options =
          List.of(List.of(), List.of("-javaagent:" + emptyAgent), List.of("-javaagent:" + agent));
      for (String program : programs) {
        List<List<List<Double>>> runs = new ArrayList<>();
        options.forEach(_ -> runs.add(new ArrayList<>()));
        for (int round = 0; round < rounds; round++) {
          for (int i = 0; i < options.size(); i++) {
            runs.get(i).add(run(program, options.get(i)));
          }
        }
        print(program, "plain", runs.get(0));
        print(program, "empty agent", runs.get(1));
        print(program, "Rockpool", runs.get(2));
      }
    } finally {
      Files.delete(emptyAgent);
    }
  }

  private static void print(String program, String agent, List<List<Double>> runs) {
    String seconds = String.format(Locale.ROOT, "%.3f", median(0, runs));
    String figures =
        Stream.iterate(1, i -> i < runs.getFirst().size(), i -> i + 1)
            .map(i -> String.format(Locale.ROOT, " %12.1f", median(i, runs)))
            .collect(Collectors.joining());
    System.out.printf("%-32s %-12s %10s%s%n", program, agent, seconds, figures);
  }

  /** The median of a figure, of an even number of runs the upper one. */
  private static double median(int figure, List<List<Double>> runs) {
    return runs.stream().map(run -> run.get(figure)).sorted().toList().get(runs.size() / 2);
  }

  /**
   * Returns the processor time in seconds, then what a server prints. The time is that of bash,
   * which asks the system for it when its child has ended.
   */
  private static List<Double> run(String program, List<String> options) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("bash", "-c", "TIMEFORMAT='%U %S'; time \"$0\" \"$@\""));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", jar().toString()));
    command.addAll(List.of((PACKAGE + program).split(" ", -1)));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    List<String> lines = process.inputReader().lines().toList();
    if (process.onExit().join().exitValue() != 0) {
      throw new IllegalStateException(
          "A program must end with exit code 0: %s did not, and printed %s"
              .formatted(command, lines));
    }
    List<Double> figures = new ArrayList<>();
    figures.add(numbers(lines.getLast().replace(',', '.')).sum()); // user mode and kernel
    if (isServer(program)) {
      numbers(lines.get(lines.size() - 2)).forEach(figures::add);
    }
    return figures;
  }

  private static DoubleStream numbers(String line) {
    return Stream.of(line.split(" ", -1)).mapToDouble(Double::parseDouble);
  }

  /** The benchmarks' jar, in {@code bench/target} of the project. */
  private static Path jar() {
    return Path.of(System.getProperty("java.class.path")).toAbsolutePath();
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
}
