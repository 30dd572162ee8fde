package dev.rockpool.cli.report.recording;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The origin of figures: a file, and the JVM that wrote it.
 *
 * @param begin of the first chunk
 * @param nanos recorded
 * @param facts by the names in {@link #FACTS}, as far as recorded
 */
public record Source(Path file, Instant begin, long nanos, Map<String, String> facts) {
  /** The names of all facts. */
  public static final List<String> FACTS =
      List.of("program", "arguments", "jvmArguments", "jdk", "host", "rockpool");

  private static final Pattern SECRET =
      Pattern.compile("(?i)([\\w.-]*(?:passw|secret|token|credential|key)[\\w.-]*[= ])\\S+");

  static Source of(Path file, List<Chunk> chunks, Map<String, String> facts) {
    Chunk.Id first = chunks.getFirst().id();
    return new Source(
        file,
        Instant.ofEpochSecond(0, first.startNanos()).truncatedTo(ChronoUnit.SECONDS),
        chunks.stream().mapToLong(chunk -> chunk.id().durationNanos()).sum(),
        new TreeMap<>(facts));
  }

  /** {@code arguments}, without the values whose names sound secret. */
  static String masked(String arguments) {
    return SECRET.matcher(arguments).replaceAll("$1***");
  }

  /** All facts in their order; some are not recorded. */
  public Map<String, String> allFacts() {
    Map<String, String> all = new LinkedHashMap<>();
    FACTS.forEach(name -> all.put(name, facts.getOrDefault(name, "not recorded")));
    return all;
  }
}
