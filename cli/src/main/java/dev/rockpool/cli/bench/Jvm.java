package dev.rockpool.cli.bench;

import dev.rockpool.cli.support.Installation;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A JDK to measure on.
 *
 * @param home its folder, without symbolic links
 * @param label how the report calls it, such as {@code JDK 25.0.3+9-LTS}
 * @param vendor who built it
 * @param vm the name of its virtual machine
 */
record Jvm(Path home, String label, String vendor, String vm) {
  private static final int LEAST_FEATURE = 25;

  /**
   * The JDK in folder {@code home}; asks it who it is.
   *
   * @throws IllegalArgumentException if there is none, or one that is too old
   */
  static Jvm at(Path home) {
    Path java = Installation.java(home);
    if (!Files.isExecutable(java)) {
      throw new IllegalArgumentException(
          home + " is not a JDK: there is no " + home.relativize(java) + " in it");
    }
    try {
      return of(home.toRealPath(), propertiesOf(java));
    } catch (IOException e) {
      throw new IllegalArgumentException(home + " is not a JDK: " + e.getMessage(), e);
    }
  }

  /** The JDK that describes itself with the system properties given. */
  static Jvm of(Path home, Map<String, String> properties) {
    String version = properties.getOrDefault("java.runtime.version", "");
    String specification = properties.getOrDefault("java.specification.version", "");
    if (!specification.matches("[0-9]{1,4}([.][0-9]{1,4})?")) {
      throw new IllegalArgumentException(
          home + " is not a JDK: its java does not say which version it is");
    }
    if (Runtime.Version.parse(specification).feature() < LEAST_FEATURE) {
      throw new IllegalArgumentException(
          "The benchmarks need JDK " + LEAST_FEATURE + " or newer: " + home + " is " + version);
    }
    return new Jvm(
        home,
        "JDK " + version,
        properties.getOrDefault("java.vendor", "unknown vendor"),
        properties.getOrDefault("java.vm.name", "unknown virtual machine"));
  }

  private static Map<String, String> propertiesOf(Path java) throws IOException {
    Process process =
        new ProcessBuilder(java.toString(), "-XshowSettings:properties", "-version")
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    try (BufferedReader reader = process.inputReader()) {
      Map<String, String> properties = new HashMap<>();
      reader
          .lines()
          .map(line -> line.split(" = ", 2))
          .filter(parts -> parts.length == 2)
          .forEach(parts -> properties.put(parts[0].strip(), parts[1].strip()));
      return properties;
    }
  }

  /** Its {@code java}. */
  Path java() {
    return Installation.java(home);
  }

  /** How files about it are called. */
  String fileName() {
    return label.replaceAll("[^A-Za-z0-9.+-]+", "-").toLowerCase(Locale.ROOT);
  }

  /** The same JDKs, each once, with labels that differ. */
  static List<Jvm> distinct(List<Jvm> jvms) {
    List<Jvm> result = new ArrayList<>();
    for (Jvm jvm : jvms) {
      if (result.stream().noneMatch(other -> other.home.equals(jvm.home))) {
        result.add(jvm.withLabelOtherThan(result));
      }
    }
    return result;
  }

  private Jvm withLabelOtherThan(List<Jvm> others) {
    Predicate<String> isTaken = name -> others.stream().anyMatch(o -> o.label.equals(name));
    String candidate = isTaken.test(label) ? label + " " + vendor : label;
    for (int i = 2; isTaken.test(candidate); i++) {
      candidate = label + " " + vendor + " " + i;
    }
    return new Jvm(home, candidate, vendor, vm);
  }
}
