package dev.rockpool.cli.report;

import static dev.rockpool.cli.report.Numbers.count;
import static dev.rockpool.cli.report.Numbers.counted;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.report.recording.CMemory;
import dev.rockpool.cli.report.recording.CMemory.Line;
import dev.rockpool.cli.report.recording.Figures;
import dev.rockpool.cli.report.recording.Holders.Field;
import dev.rockpool.cli.report.recording.Holders.Holder;
import dev.rockpool.malloc.Libraries;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Objects that own C memory, by class and line: the table, and sentences on those left open. */
final class OwnerSection {
  /** Seconds in which the number of open objects must have grown. */
  private static final long GROWING_SECONDS = 3;

  /** C code that has less than this part elsewhere does not matter. */
  private static final long LITTLE_ELSEWHERE = 10;

  private static final String AT = " at ";
  private static final String COLLECTED = "owner-collected";
  private static final String GUESSED = "owner-guessed";

  /** So few objects of a line that were not closed are in the list, and not in the verdict. */
  private static final long FEW = 2;

  /** The JDK's own, such as one that reads a jar. */
  private static final String JDK = "(the JDK)";

  /** All of which the line is not known, because too many were made in a second. */
  private static final String WITHOUT_LINE = "(lines not noted)";

  /** Those left open first. */
  private final List<Holder> all;

  private final Map<String, Long> closed;

  /** Empty if C code's memory was not recorded. */
  private final List<Line> cCode;

  private final Map<String, Long> ofCCode;

  private OwnerSection(List<Holder> all, CMemory memory) {
    this.all =
        all.stream()
            .sorted(
                Comparator.<Holder>comparingInt(each -> isLeak(each) ? 0 : 1)
                    .thenComparingLong(each -> -each.get(Field.LEAKED))
                    .thenComparingLong(each -> -open(each))
                    .thenComparing(Holder::site))
            .toList();
    cCode = memory.lines();
    ofCCode = cCode.stream().collect(Collectors.toMap(Line::line, Line::liveBytes, Long::sum));
    closed =
        all.stream()
            .collect(
                Collectors.groupingBy(
                    OwnerSection::type, Collectors.summingLong(each -> each.get(Field.CLOSED))));
  }

  static OwnerSection of(Figures figures) {
    return new OwnerSection(
        figures.holders().all().stream().filter(Holder::isOwner).toList(), figures.cMemory());
  }

  /** The lines of which the stacks matter: of objects that are open, or were not closed. */
  List<Holder> notable() {
    return all.stream()
        .filter(each -> each.get(Field.LEAKED) > 0 || open(each) > 0)
        .filter(each -> !line(each).equals(JDK))
        .toList();
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** The binary name of the class; that of a site which is for all further ones is not known. */
  static String type(Holder holder) {
    int at = holder.site().indexOf(AT);
    return at < 0 ? holder.site() : holder.site().substring(0, at);
  }

  static String line(Holder holder) {
    int at = holder.site().indexOf(AT);
    return at < 0 ? holder.site() : holder.site().substring(at + AT.length());
  }

  /** Those that are open and still reachable, so that somebody may close them. */
  private static long open(Holder holder) {
    boolean hasLeaked = !holder.kind().equals(COLLECTED);
    return Math.max(0, holder.get(Field.LIVE) - (hasLeaked ? holder.get(Field.LEAKED) : 0));
  }

  /** Whether C memory stays allocated because nobody has closed its owner. */
  private static boolean isLeak(Holder holder) {
    return holder.kind().equals("owner") && holder.get(Field.LEAKED) > 0;
  }

  /**
   * The same of a class that only looks as if it owned C memory: if its objects were ever closed,
   * closing them is what frees.
   */
  private boolean isLikelyLeak(Holder holder) {
    return isLeak(holder)
        || (holder.kind().equals(GUESSED)
            && holder.get(Field.LEAKED) > 0
            && closed.getOrDefault(type(holder), 0L) > 0);
  }

  /**
   * Tells which objects a line made that are not closed, unreachable ones among them. What C code
   * allocates for the same line is theirs in most programs, but nothing proves it.
   */
  String madeBy(String line) {
    return open(line).stream()
        .map(
            each ->
                "%s%s %s"
                    .formatted(
                        isPartly(each) ? "at least " : "", count(each.get(Field.LIVE)), type(each)))
        .collect(Collectors.joining(", "));
  }

  private List<Holder> open(String line) {
    return all.stream()
        .filter(each -> line(each).equals(line) && each.get(Field.LIVE) > 0)
        .toList();
  }

  /** Whether other open objects of the class have no line. */
  private boolean isPartly(Holder holder) {
    return open(WITHOUT_LINE).stream().anyMatch(each -> type(each).equals(type(holder)));
  }

  /**
   * Returns what C code has for the line; null if that is not known, if another class has open
   * objects there, or if C code has more for the class where other lines use it.
   */
  private @Nullable Long cBytes(Holder holder) {
    Long bytes = ofCCode.get(line(holder));
    return bytes != null
            && open(line(holder)).equals(List.of(holder))
            && cCode.stream()
                .filter(each -> !each.line().equals(line(holder)))
                .filter(each -> each.liveBytes() > bytes / LITTLE_ELSEWHERE)
                .noneMatch(each -> uses(each, type(holder)))
        ? bytes
        : null;
  }

  /** Whether C code allocated for a method of the class, or of its library. */
  private static boolean uses(Line line, String type) {
    String library = Libraries.withCCode(type);
    String start = library.isEmpty() ? type + "." : library;
    return line.stack().lines().anyMatch(frame -> frame.startsWith(start));
  }

  /** A library may have forgotten to close one or two objects of its own. */
  private List<Holder> manyLeaking() {
    return all.stream()
        .filter(this::isLikelyLeak)
        .filter(each -> each.get(Field.LEAKED) > FEW)
        .toList();
  }

  /**
   * Returns what the verdict says of objects that were never closed, and of ever more open ones.
   */
  String leaks() {
    List<Holder> known = manyLeaking().stream().filter(OwnerSection::isLeak).toList();
    List<Holder> guessed = manyLeaking().stream().filter(each -> !isLeak(each)).toList();
    return Numbers.joined(
        Numbers.sites(
                "at least %s objects that own C memory left open by "
                    .formatted(count(leaked(known))),
                names(known))
            + cMemory(known),
        Numbers.sites(
                "perhaps %s objects that seem to own C memory left open by "
                    .formatted(count(leaked(guessed))),
                names(guessed))
            + cMemory(guessed),
        Numbers.sites("open objects that own C memory grow in number at ", names(growing()))
            + cMemory(growing()));
  }

  /** Says what C code has for lines, as far as it is known. */
  private String cMemory(List<Holder> holders) {
    long bytes =
        holders.stream()
            .map(this::cBytes)
            .flatMap(Stream::ofNullable)
            .mapToLong(Long::longValue)
            .sum();
    return bytes == 0
        ? ""
        : " (C code has %s live for %s)"
            .formatted(
                ProcessSummary.mebi(bytes), holders.size() == 1 ? "that line" : "these lines");
  }

  private static long leaked(List<Holder> holders) {
    return holders.stream().mapToLong(holder -> holder.get(Field.LEAKED)).sum();
  }

  private static List<String> names(List<Holder> holders) {
    return holders.stream().map(Holder::site).toList();
  }

  /** The lines with ever more open objects, to the end. */
  List<Holder> growing() {
    return all.stream()
        .filter(each -> each.get(Field.GROWING) >= GROWING_SECONDS && open(each) > 0)
        .filter(each -> each.get(Field.LEAKED) == 0)
        .toList();
  }

  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    for (Holder each : all) {
      if (isLikelyLeak(each)) {
        sentences.add((isLeak(each) ? "Leak: " : "Perhaps a leak: ") + leak(each));
      } else if (each.get(Field.LEAKED) > 0) {
        sentences.add(each.kind().equals(COLLECTED) ? leftToCollector(each) : unknown(each));
      }
    }
    for (Holder each : growing()) {
      sentences.add(
          "Grows: %s are open, made by %s%s. Their number rose in %s seconds. Look for what keeps them, or a path that does not close them."
              .formatted(
                  objects(open(each), each),
                  line(each),
                  cMemory(List.of(each)),
                  count(each.get(Field.GROWING))));
    }
    return sentences;
  }

  private static String objects(long number, Holder holder) {
    return "%s of class %s".formatted(counted(number, "object"), type(holder));
  }

  private String leak(Holder holder) {
    long inAll = closed.getOrDefault(type(holder), 0L);
    return "%s became unreachable without close, of %s made by %s, so their C memory is never freed%s.%s%s Close each, by try-with-resources if it can be."
        .formatted(
            objects(holder.get(Field.LEAKED), holder),
            count(holder.get(Field.OPENED)),
            madeBy(holder),
            cMemory(List.of(holder)),
            inAll == 0 ? " None of this class was closed." : "",
            holder.kind().equals(GUESSED)
                ? " The class only looks like others that own C memory; record.owners=CLASS#METHOD"
                    + " names its closing method."
                : "");
  }

  private static String leftToCollector(Holder holder) {
    return "Left to the collector: %s became unreachable without close, of %s made by %s. The collector frees their C memory, but late, because it does not see how much that is. Close each, by try-with-resources if it can be."
        .formatted(
            objects(holder.get(Field.LEAKED), holder),
            count(holder.get(Field.OPENED)),
            madeBy(holder));
  }

  private static String unknown(Holder holder) {
    return "Closed in a way that is not known, or never: %s became unreachable, of %s made by %s. The class looks as if it owned C memory, and no method that closes it was called. If one does, name it: record.owners=%s#METHOD."
        .formatted(
            objects(holder.get(Field.LEAKED), holder),
            count(holder.get(Field.OPENED)),
            madeBy(holder),
            type(holder));
  }

  private static String madeBy(Holder holder) {
    return line(holder).equals(WITHOUT_LINE)
        ? "lines that were not noted, because many were made in a second (record.leaks=all notes"
            + " each)"
        : line(holder);
  }

  JsonArray toJson() {
    return ReportJson.array(
        all,
        holder -> {
          JsonObject json = ReportJson.holder(holder);
          json.addProperty("cBytes", cBytes(holder));
          return json;
        });
  }

  Table table() {
    Table.Filled<Holder> table =
        Table.first(all)
            .column("class and line", Holder::site)
            .column("open", OwnerSection::open)
            .column("unreachable", holder -> holder.get(Field.LEAKED))
            .column("opened", holder -> holder.get(Field.OPENED))
            .column("closed", holder -> holder.get(Field.CLOSED));
    if (!ofCCode.isEmpty()) {
      table.column(
          "C memory, MiB",
          holder -> {
            Long bytes = cBytes(holder);
            return bytes == null ? "-" : Residency.mebi(bytes);
          });
    }
    return table.numbers("");
  }
}
