package dev.rockpool.bench;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.LinkedHashSet;
import java.util.Set;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.runner.Defaults;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/**
 * JMH's own runner with JMH's own options, for {@code ./rockpool bench}. JMH leaves out of its
 * results the benchmarks that failed; this program names each in a line at the end.
 */
public final class Main {
  private Main() {}

  public static void main(String[] args) throws CommandLineOptionException, RunnerException {
    CommandLineOptions options = new CommandLineOptions(args);
    OutputFormat console =
        OutputFormatFactory.createFormatInstance(
            System.out, options.verbosity().orElse(Defaults.VERBOSITY));
    Set<String> begun = new LinkedHashSet<>();
    OutputFormat watching =
        (OutputFormat)
            Proxy.newProxyInstance(
                Main.class.getClassLoader(),
                new Class<?>[] {OutputFormat.class},
                (_, method, arguments) -> {
                  if (method.getName().equals("startBenchmark")) {
                    begun.add(name((BenchmarkParams) arguments[0]));
                  }
                  try {
                    return method.invoke(console, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    try {
      new Runner(options, watching).run().forEach(result -> begun.remove(name(result.getParams())));
    } catch (NoBenchmarksException e) {
      System.out.println("No benchmark has such a name.");
    }
    begun.forEach(name -> System.out.println("No result: " + name));
  }

  /** For example {@code ConfinedAllocation.jdk size=5}. */
  private static String name(BenchmarkParams params) {
    String name = params.getBenchmark().replaceFirst("^(?:[a-z]\\w*\\.)+(?=[A-Z])", "");
    for (String key : params.getParamsKeys()) {
      name += " " + key + "=" + params.getParam(key);
    }
    return name;
  }
}
