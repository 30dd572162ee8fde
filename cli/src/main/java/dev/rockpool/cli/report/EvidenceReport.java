package dev.rockpool.cli.report;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.rockpool.cli.page.Page;
import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Headline;
import dev.rockpool.cli.support.Headline.Tone;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the agent's option {@code evidence} left behind of processes that may be gone: one file for
 * each process, or for each of its runs.
 *
 * @param entries of all files, in their order
 * @param damaged lines of entries that could not be read: where a disk was full, or a file was cut
 */
record EvidenceReport(List<Entry> entries, int damaged) {
  private static final String RECORDING = "FLR\0";
  private static final String BEGINNING = "{\"rockpool\":\"evidence\"";
  private static final int FORMAT = 1;
  private static final int MOST_SITES = 20;

  /** Bytes that are read, at a file's end: programs may write to a termination log, too. */
  private static final int MOST_BYTES = 4 << 20;

  /** More than a process can have. */
  private static final long MOST_AMOUNT = 1L << 50;

  private static final List<String> NUMBERS =
      List.of("memory", "anonymous", "inUse", "refused", "rest");
  private static final List<String> TEXTS = List.of("time", "reason", "host");

  /** An entry of a file. */
  record Entry(Path file, JsonObject figures) {
    private String text(String name) {
      return figures.has(name) ? Table.printable(figures.get(name).getAsString()) : "";
    }

    private long number(String name) {
      return figures.has(name) ? figures.get(name).getAsLong() : 0;
    }

    /** Reads what {@link #page} will, which fails where something has another type. */
    private void check() {
      if (number("format") != FORMAT) {
        throw new IllegalArgumentException("format " + number("format"));
      }
      NUMBERS.forEach(name -> checked(number(name)));
      TEXTS.forEach(this::text);
    }

    private boolean has(String name) {
      return figures.has(name);
    }

    private List<Held> held(String name, String amount) {
      List<Held> all = new ArrayList<>();
      for (JsonElement each : figures.getAsJsonArray(name)) {
        JsonObject held = each.getAsJsonObject();
        all.add(
            new Held(
                Table.printable(held.get("site").getAsString()),
                Table.printable(held.get("kind").getAsString()),
                checked(held.get(amount).getAsLong()),
                1));
      }
      return all;
    }

    private List<Map.Entry<String, Long>> parts() {
      return figures.getAsJsonObject("parts").entrySet().stream()
          .map(each -> Map.entry(each.getKey(), each.getValue().getAsLong()))
          .toList();
    }
  }

  private static long checked(long amount) {
    if (amount < 0 || amount > MOST_AMOUNT) {
      throw new IllegalArgumentException("amount " + amount);
    }
    return amount;
  }

  private record Held(String site, String kind, long amount, int processes) {
    private Held plus(Held other) {
      return new Held(site, kind, amount + other.amount, processes + other.processes);
    }
  }

  /** Whether a file is evidence, perhaps behind a damaged entry or lines of the program's own. */
  static boolean isEvidence(Path file) {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try {
      return !start(file).equals(RECORDING) && end(file).contains(BEGINNING);
    } catch (IOException unreadable) {
      return false; // who reads it as a recording says why
    }
  }

  static EvidenceReport of(List<Path> files) {
    List<Entry> entries = new ArrayList<>();
    int damaged = 0;
    for (Path file : files) {
      for (String line : lines(file)) {
        int start = line.lastIndexOf(BEGINNING); // behind what was cut, or text of the program
        if (start >= 0) {
          Entry entry = entry(file, line.substring(start));
          if (entry == null) {
            damaged++;
          } else {
            entries.add(entry);
          }
        }
      }
    }
    if (entries.isEmpty()) {
      throw new CommandFailure(
          "A file of evidence must have a whole entry: there is none in " + files);
    }
    return new EvidenceReport(entries, damaged);
  }

  private static List<String> lines(Path file) {
    try {
      return end(file).lines().toList();
    } catch (IOException unreadable) {
      throw new CommandFailure("Cannot read " + file + ": " + unreadable, unreadable);
    }
  }

  private static String start(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(RECORDING.length()), StandardCharsets.ISO_8859_1);
    }
  }

  private static String end(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      in.skipNBytes(Math.max(0, Files.size(file) - MOST_BYTES));
      return new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
    }
  }

  /** Returns null if the line is damaged, or of a format that this version can't know. */
  private static @Nullable Entry entry(Path file, String line) {
    try {
      Entry entry = new Entry(file, JsonParser.parseString(line).getAsJsonObject());
      boolean _ = entry.parts().isEmpty();
      entry.held("holders", "bytes");
      entry.held("owners", "open");
      entry.check();
      return entry;
    } catch (JsonParseException
        | ClassCastException
        | IllegalArgumentException
        | IllegalStateException
        | NullPointerException
        | UnsupportedOperationException damage) {
      return null;
    }
  }

  /** The last entry of each file. */
  private List<Entry> last() {
    Map<Path, Entry> last = new TreeMap<>();
    entries.forEach(entry -> last.put(entry.file, entry));
    return List.copyOf(last.values());
  }

  Page page() {
    Page page = new Page("Rockpool evidence", Report.glossary());
    List<Entry> last = last();
    page.verdict(headline(last));
    if (damaged > 0) {
      page.verdict(
          new Headline(
              Tone.NEITHER,
              "Not read: "
                  + Numbers.counted(damaged, "damaged entry").replace("entrys", "entries")
                  + ", or of another format"));
    }
    if (last.size() == 1) {
      page.table(parts(last.getFirst()));
    } else {
      page.table(overview("The last entry of each file", last));
    }
    addHeld(page, last, "holders", "bytes", "Java code that holds native memory");
    addHeld(page, last, "owners", "open", "Open objects that own C memory");
    page.table(overview("All entries", entries));
    return page;
  }

  private static Headline headline(List<Entry> last) {
    Entry worst =
        last.stream().max(Comparator.comparingDouble(EvidenceReport::share)).orElseThrow();
    String where =
        last.size() == 1 ? "" : "of " + last.size() + " files, most in " + worst.file + ": ";
    return new Headline(
        Tone.BAD,
        "Evidence: %s%s at %s: %s of %s were resident beside files%s"
            .formatted(
                where,
                worst.text("reason"),
                worst.text("time"),
                mebibytes(worst.number("anonymous")),
                mebibytes(worst.number("memory")),
                largest(worst)));
  }

  private static double share(Entry entry) {
    return (double) entry.number("anonymous") / Math.max(1, entry.number("memory"));
  }

  private static String largest(Entry entry) {
    List<Held> holders = entry.held("holders", "bytes");
    List<Held> owners = entry.held("owners", "open");
    String ofOwners =
        owners.isEmpty()
            ? ""
            : " Open objects that own C memory: %,d by %s."
                .formatted(owners.getFirst().amount, owners.getFirst().site);
    long most = holders.isEmpty() ? 0 : holders.getFirst().amount;
    String ofJava =
        holders.isEmpty()
            ? ""
            : " Of Java code, %s holds most, %s."
                .formatted(holders.getFirst().site, mebibytes(most));
    long rest = entry.number("rest");
    String ofC = rest == 0 ? "" : " C code holds up to %s.".formatted(mebibytes(rest));
    return rest > most
        ? "."
            + ofC
            + ofOwners
            + " Only a recording names its lines: ./rockpool record --c."
            + ofJava
        : "." + ofJava + ofC + ofOwners;
  }

  private static Table parts(Entry entry) {
    return Table.each(entry.parts())
        .column("part", Map.Entry::getKey)
        .column("resident MiB", each -> each.getValue() >> 20)
        .numbers("Where the process's memory was, at " + entry.text("time"));
  }

  private static void addHeld(
      Page page, List<Entry> last, String name, String amount, String caption) {
    Map<String, Held> bySite = new TreeMap<>();
    for (Entry entry : last) {
      for (Held each : entry.held(name, amount)) {
        bySite.merge(each.kind + " " + each.site, each, Held::plus);
      }
    }
    List<Held> most =
        bySite.values().stream()
            .sorted(Comparator.comparingLong(Held::amount).reversed())
            .limit(MOST_SITES)
            .toList();
    if (!most.isEmpty()) {
      page.table(
          Table.each(most)
              .column("site", Held::site)
              .column("kind", Held::kind)
              .column(amount, Held::amount)
              .column("files", Held::processes)
              .numbers(caption + ", in the last entry of each file"));
    }
  }

  private static Table overview(String caption, List<Entry> entries) {
    return Table.each(entries)
        .column("file", Entry::file)
        .column("host", each -> each.text("host"))
        .column("time", each -> each.text("time"))
        .column("reason", each -> each.text("reason"))
        .column("resident MiB", each -> each.number("anonymous") >> 20)
        .column("of MiB", each -> each.number("memory") >> 20)
        .column("Java code MiB", each -> each.has("inUse") ? each.number("inUse") >> 20 : "-")
        .column("C code up to MiB", each -> each.number("rest") >> 20)
        .column("refused", each -> each.has("refused") ? each.number("refused") : "-")
        .numbers(caption);
  }

  private static String mebibytes(long byteSize) {
    return "%,d MiB".formatted((byteSize + (1 << 19)) >> 20);
  }
}
