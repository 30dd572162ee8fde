package dev.rockpool.bench.command;

import java.io.IOException;
import java.io.Reader;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Properties;
import java.util.stream.Stream;

/** The origin of figures: the machine, the JDK, and this build of Rockpool. */
final class Machine {
  private static final Path CPUINFO = Path.of("/proc/cpuinfo");

  private Machine() {}

  /** The benchmarks' jar, from which this code was loaded. */
  static Path jar() {
    try {
      return Path.of(Machine.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The project's folder: the jar is in {@code bench/target}. */
  static Path home() {
    return jar().resolve("../../..").normalize();
  }

  /** The option for a JVM under Rockpool's agent, which {@code ./rockpool} builds first. */
  static String agentOption() {
    return "-javaagent:" + home().resolve("agent/target/rockpool-agent.jar");
  }

  /** The {@code java} of a JDK. */
  static String java(Path jdk) {
    return jdk.resolve("bin").resolve("java").toString();
  }

  /** Rockpool's version. */
  static String rockpool() {
    String version = Machine.class.getPackage().getImplementationVersion();
    return version == null ? "(not packaged)" : version;
  }

  /** The machine, a JDK and the day, in one line. */
  static String describe(Path jdk) throws IOException {
    Properties release = new Properties();
    try (Reader reader = Files.newBufferedReader(jdk.resolve("release"))) {
      release.load(reader);
    }
    return "JDK %s, %s, %s available, %s %s %s, %s"
        .formatted(
            release.getProperty("JAVA_RUNTIME_VERSION", "unknown").replace("\"", ""),
            processor(),
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            System.getProperty("os.arch"),
            LocalDate.now(ZoneId.systemDefault()));
  }

  /** The model of the processor where Linux says it, else its architecture. */
  private static String processor() {
    try (Stream<String> lines = Files.lines(CPUINFO)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }
}
