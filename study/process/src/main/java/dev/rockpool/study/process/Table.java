package dev.rockpool.study.process;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Compares reports with what the programs said of themselves. All knowledge of the report's format
 * is in {@link ProcessTable}.
 */
final class Table {
  private static final double MIB = 1 << 20;
  private static final int PARTS = 5;
  private static final int CLAIM = 80;

  private static final List<String> COLUMNS =
      List.of(
          "run",
          "RSS (anon + file)",
          "truth",
          "leak",
          "report's RSS",
          "unexplained",
          "named",
          "claim",
          "parts");

  private Table() {}

  /**
   * Prints the table of the runs in a folder.
   *
   * @param args the folder, and in how many lines of a report the leaking method has to stand
   */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    int lines = Integer.parseInt(args[1]);
    List<List<String>> rows = new ArrayList<>();
    rows.add(COLUMNS);
    try (Stream<Path> files = Files.list(folder)) {
      for (Path truth :
          files.filter(file -> file.toString().endsWith(".truth")).sorted().toList()) {
        rows.add(row(truth, lines));
      }
    }
    int[] widths =
        IntStream.range(0, COLUMNS.size())
            .map(i -> rows.stream().mapToInt(row -> row.get(i).length()).max().orElse(0))
            .toArray();
    for (List<String> row : rows) {
      System.out.println(
          IntStream.range(0, row.size())
              .mapToObj(i -> row.get(i) + " ".repeat(widths[i] - row.get(i).length()))
              .collect(Collectors.joining("  "))
              .stripTrailing());
    }
  }

  private static List<String> row(Path truthFile, int lines) throws IOException {
    String run = truthFile.getFileName().toString().replace(".truth", "");
    Map<String, String> truth = keysAndValues(truthFile);
    Path text = truthFile.resolveSibling(run + ".txt");
    Path json = truthFile.resolveSibling(run + ".json");
    if (truth.isEmpty() || !Files.exists(json) || !Files.exists(text)) {
      List<String> failed = new ArrayList<>(List.of(run, "failed: see its .log"));
      while (failed.size() < COLUMNS.size()) {
        failed.add("");
      }
      return failed;
    }
    ProcessTable table = ProcessTable.of(JsonParser.parseString(Files.readString(json)));
    List<String> report = Files.readAllLines(text);
    return List.of(
        run,
        "%s (%s + %s)"
            .formatted(
                mib(number(truth, "vmRss")),
                mib(number(truth, "rssAnon")),
                mib(number(truth, "rssFile"))),
        truth(truth),
        truth.getOrDefault("leaks", "?") + " " + truth.get("leakMethod"),
        table.resident() < 0 ? "-" : mib(table.resident()),
        table.unexplained() < 0 || table.resident() <= 0
            ? "-"
            : mib(table.unexplained())
                + " = %.0f %%".formatted(100.0 * table.unexplained() / table.resident()),
        named(report, String.valueOf(truth.get("leakMethod")), lines),
        claim(report),
        table.largest());
  }

  private static Map<String, String> keysAndValues(Path file) throws IOException {
    return Arrays.stream(Files.readString(file).strip().split(" "))
        .filter(pair -> pair.contains("="))
        .map(pair -> pair.split("=", 2))
        .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
  }

  private static long number(Map<String, String> truth, String key) {
    return Long.parseLong(truth.getOrDefault(key, "0"));
  }

  /** What leaked: by arithmetic, or else by what malloc has more than after the first round. */
  private static String truth(Map<String, String> truth) {
    long bytes = number(truth, "leakedBytes");
    long growth = number(truth, "mallocGrowth");
    return (bytes == 0 ? "?" : mib(bytes)) + ", malloc " + (growth < 0 ? "" : "+") + mib(growth);
  }

  /** The first line that has the name: how far a reader has to look. */
  private static String named(List<String> report, String method, int lines) {
    for (int i = 0; i < report.size(); i++) {
      if (report.get(i).contains(method)) {
        return i < lines ? "line " + (i + 1) : "late, line " + (i + 1);
      }
    }
    return "no";
  }

  /** The start of the first line that claims a leak, without names of packages. */
  private static String claim(List<String> report) {
    return report.stream()
        .filter(line -> line.matches(".*(Leak: |Leaks: (?!none)|Grows|live bytes (grow|rose)).*"))
        .map(line -> line.strip().replaceAll("([a-z]\\w*\\.)+(?=[A-Z])", ""))
        .map(line -> line.substring(0, Math.min(CLAIM, line.length())))
        .findFirst()
        .orElse("-");
  }

  private static String mib(long bytes) {
    return "%.0f".formatted(bytes / MIB);
  }

  /**
   * The report's table of the process, in its JSON.
   *
   * @param resident bytes; -1 if not stated
   * @param unexplained bytes; -1 if not stated
   * @param parts resident bytes by name
   */
  record ProcessTable(long resident, long unexplained, Map<String, Long> parts) {
    static ProcessTable of(JsonElement report) {
      Map<String, Long> parts = new HashMap<>();
      if (!(report.getAsJsonObject().get("processMemory") instanceof JsonObject memory)) {
        return new ProcessTable(-1, -1, parts);
      }
      JsonObject peak = memory.getAsJsonObject("peak");
      for (JsonElement each : peak.getAsJsonArray("parts")) {
        JsonObject part = each.getAsJsonObject();
        parts.put(part.get("part").getAsString(), part.get("resident").getAsLong());
      }
      Long unexplained = parts.remove("unexplained");
      return new ProcessTable(
          peak.get("resident").getAsLong(), unexplained == null ? -1 : unexplained, parts);
    }

    String largest() {
      return parts.entrySet().stream()
          .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
          .limit(PARTS)
          .map(part -> part.getKey() + " " + mib(part.getValue()))
          .collect(Collectors.joining(", "));
    }
  }
}
