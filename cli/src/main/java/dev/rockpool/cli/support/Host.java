package dev.rockpool.cli.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The machine and JDK behind a figure, a line each: figures without them mean little. */
public final class Host {
  private static final Path CPUINFO = Path.of("/proc/cpuinfo");

  private Host() {}

  /** The JDK of this process, for example "JDK 25.0.3+9-LTS (Eclipse Adoptium, OpenJDK ...)". */
  public static String jdk() {
    return "JDK %s (%s, %s)"
        .formatted(
            System.getProperty("java.runtime.version"),
            System.getProperty("java.vendor"),
            System.getProperty("java.vm.name"));
  }

  private static String os() {
    return Stream.of("os.name", "os.version", "os.arch")
        .map(System::getProperty)
        .collect(Collectors.joining(" "));
  }

  /** The processor, and how many of it this process may use. */
  public static String cpu() {
    String model = cpuModel().orElse(System.getProperty("os.arch"));
    return model + ", " + Runtime.getRuntime().availableProcessors() + " available";
  }

  /** The machine and the day, to stand under figures. */
  public static String note() {
    return cpu() + ", " + os() + ", " + LocalDate.now(ZoneId.systemDefault());
  }

  /** The beginning of JSON with figures: what they were measured with. */
  public static Map<String, String> json() {
    Map<String, String> json = new LinkedHashMap<>();
    json.put("rockpool", Installation.version());
    json.put("jdk", jdk());
    json.put("os", os());
    json.put("cpu", cpu());
    return json;
  }

  private static Optional<String> cpuModel() {
    try {
      if (Files.isReadable(CPUINFO)) {
        try (Stream<String> lines = Files.lines(CPUINFO)) {
          return lines
              .filter(line -> line.startsWith("model name"))
              .map(line -> line.substring(line.indexOf(':') + 1).strip())
              .findFirst();
        }
      }
      if (System.getProperty("os.name").startsWith("Mac")) {
        Process sysctl = new ProcessBuilder("sysctl", "-n", "machdep.cpu.brand_string").start();
        try (var reader = sysctl.inputReader()) {
          Optional<String> line = Optional.ofNullable(reader.readLine());
          return sysctl.waitFor() == 0 ? line : Optional.empty();
        }
      }
    } catch (IOException | InterruptedException e) {
      // The model is a help to the reader, no more.
    }
    return Optional.empty();
  }
}
