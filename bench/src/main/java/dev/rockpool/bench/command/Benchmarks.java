package dev.rockpool.bench.command;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Has JMH measure, and collects the figures.
 *
 * @param raw a folder for JMH's own results and logs
 * @param failures a line for each benchmark without result
 */
record Benchmarks(Path jdk, Path raw, List<Figure> figures, List<String> failures) {
  Benchmarks(Path jdk, Path raw) {
    this(jdk, raw, new ArrayList<>(), new ArrayList<>());
  }

  /** Runs benchmarks, and shows on standard error how far they are. */
  void run(Mode mode, ChainedOptionsBuilder options) throws IOException {
    Path log = raw.resolve(mode + ".log");
    options.jvm(Machine.java(jdk));
    options.resultFormat(ResultFormatType.JSON).result(raw.resolve(mode + ".json").toString());
    System.err.println("# Mode: " + mode);
    Set<String> withoutResult = new LinkedHashSet<>(); // JMH leaves them out of its results
    try (PrintStream output = new PrintStream(Files.newOutputStream(log), true)) {
      OutputFormat format = OutputFormatFactory.createFormatInstance(output, VerboseMode.NORMAL);
      for (RunResult result : new Runner(options.build(), watch(format, withoutResult)).run()) {
        withoutResult.remove(Figure.nameOf(result.getParams()));
        figures.add(Figure.of(mode, result));
      }
    } catch (NoBenchmarksException e) {
      // None of those that were asked for is of interest in this mode.
    } catch (RunnerException e) {
      failures.add("JMH, " + mode + ": " + e.getMessage());
    }
    withoutResult.forEach(name -> failures.add(name + ", " + mode + ": see " + log));
  }

  /** Adds the names of benchmarks that begin to {@code begun}. */
  private static OutputFormat watch(OutputFormat format, Set<String> begun) {
    return (OutputFormat)
        Proxy.newProxyInstance(
            Benchmarks.class.getClassLoader(),
            new Class<?>[] {OutputFormat.class},
            (_, method, arguments) -> {
              if (method.getName().equals("startBenchmark")) {
                String name = Figure.nameOf((BenchmarkParams) arguments[0]);
                System.err.println("# " + name);
                begun.add(name);
              } else if (method.getName().equals("println")
                  && arguments[0].toString().startsWith("# Run progress")) {
                System.err.println(arguments[0]);
              }
              return method.invoke(format, arguments);
            });
  }
}
