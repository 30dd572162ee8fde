package dev.rockpool.cli.bench;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import dev.rockpool.cli.support.Installation;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A JDK to measure on.
 *
 * @param home its folder, without symbolic links
 * @param label how the report calls it, such as {@code JDK 25.0.3+9-LTS}
 * @param vendor who built it
 * @param vm the name of its virtual machine
 */
record Jvm(Path home, String label, String vendor, String vm) {
  /** Fails with IllegalArgumentException if there is no JDK in a folder, or too old a one. */
  static Jvm at(Path home) {
    Path java = Installation.java(home);
    if (!Files.isExecutable(java)) {
      throw new IllegalArgumentException(
          home + " is not a JDK: there is no " + home.relativize(java) + " in it");
    }
    try {
      Process process =
          new ProcessBuilder(java.toString(), "-XshowSettings:properties", "-version")
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      try (BufferedReader reader = process.inputReader()) {
        Map<String, String> properties =
            reader
                .lines()
                .map(line -> line.split(" = ", 2))
                .filter(parts -> parts.length == 2)
                .collect(toMap(parts -> parts[0].strip(), parts -> parts[1].strip(), (a, b) -> b));
        return of(home.toRealPath(), properties);
      }
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
    if (Runtime.Version.parse(specification).feature() < 25) {
      throw new IllegalArgumentException(
          "The benchmarks need JDK 25 or newer: " + home + " is " + version);
    }
    return new Jvm(
        home,
        "JDK " + version,
        properties.getOrDefault("java.vendor", "unknown vendor"),
        properties.getOrDefault("java.vm.name", "unknown virtual machine"));
  }

  Path java() {
    return Installation.java(home);
  }

  /** The name of files about this JDK. */
  String fileName() {
    return label.replaceAll("[^A-Za-z0-9.+-]+", "-").toLowerCase(Locale.ROOT);
  }

  /** The same JDKs, each once, with labels that differ. */
  static List<Jvm> distinct(List<Jvm> jvms) {
    List<Jvm> result = new ArrayList<>();
    for (Jvm jvm : jvms) {
      if (result.stream().noneMatch(other -> other.home.equals(jvm.home))) {
        Set<String> taken = result.stream().map(Jvm::label).collect(toSet());
        String first = taken.contains(jvm.label) ? jvm.label + " " + jvm.vendor : jvm.label;
        String label = first;
        for (int i = 2; taken.contains(label); i++) {
          label = first + " " + i;
        }
        result.add(new Jvm(jvm.home, label, jvm.vendor, jvm.vm));
      }
    }
    return result;
  }
}
