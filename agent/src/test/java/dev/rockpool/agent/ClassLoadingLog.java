package dev.rockpool.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The classes that a JVM loaded, and where from.
 *
 * @param sources what the JVM's log states as their source, by binary name; a class that several
 *     loaders define is there once
 */
record ClassLoadingLog(Map<String, String> sources) {
  private static final String SEPARATOR = " source: ";
  private static final Pattern OURS =
      Pattern.compile("(java[.]lang|jdk[.]internal)[.]foreign[.]Rockpool((?![$][$]Lambda).)*");

  /** The option that has the JVM write the log. */
  static String option(Path file) {
    return "-Xlog:class+load:file=" + file + ":none:filecount=0";
  }

  static ClassLoadingLog read(Path file) throws IOException {
    Map<String, String> sources = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file)) {
      int separator = line.indexOf(SEPARATOR);
      if (separator > 0) {
        sources.putIfAbsent(
            line.substring(0, separator), line.substring(separator + SEPARATOR.length()));
      }
    }
    return new ClassLoadingLog(sources);
  }

  /** The classes that came from an archive of class-data sharing. */
  Set<String> shared() {
    return sources.keySet().stream()
        .filter(name -> sources.get(name).startsWith("shared objects file"))
        .collect(Collectors.toSet());
  }

  /** The classes of the library that the agent put into java.base, less those made for lambdas. */
  Set<String> ours() {
    return sources.keySet().stream()
        .filter(name -> OURS.matcher(name).matches())
        .collect(Collectors.toSet());
  }

  /** Returns our classes in java.base without those of the agent itself. */
  Set<String> library() {
    return ours().stream()
        .filter(
            name -> !isOfAgent(name.replaceFirst("^(jdk.internal|java.lang).foreign.Rockpool", "")))
        .collect(Collectors.toSet());
  }

  private static boolean isOfAgent(String name) {
    return Files.exists(Path.of("target/classes/dev/rockpool/agent", name + ".class"));
  }
}
