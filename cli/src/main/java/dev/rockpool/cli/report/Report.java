package dev.rockpool.cli.report;

import dev.rockpool.cli.page.Flames;
import dev.rockpool.cli.page.Glossary;
import dev.rockpool.cli.page.Page;
import dev.rockpool.cli.report.recording.Figures;
import dev.rockpool.cli.report.recording.Figures.ArenaFigures;
import dev.rockpool.cli.report.recording.Figures.ArenaSite;
import dev.rockpool.cli.report.recording.Holders.Field;
import dev.rockpool.cli.report.recording.Holders.Holder;
import dev.rockpool.cli.report.recording.Holders.Stack;
import dev.rockpool.cli.report.recording.Merge;
import dev.rockpool.cli.report.recording.Merge.Note;
import dev.rockpool.cli.report.recording.Merge.Source;
import dev.rockpool.cli.support.Installation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjLongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The content of all forms of the report.
 *
 * @param all figures of all arenas
 * @param process the memory of the process; null if no recording has looks at it
 * @param cCode the memory of C code by line; null if it was not recorded
 * @param holders the call sites that hold native memory, those with the most live bytes first
 * @param gain by the pool, at most; null if it was not measured
 * @param unmeasured why it was not; otherwise empty
 */
record Report(
    Merge merge,
    ArenaFigures all,
    @Nullable ProcessSummary process,
    OwnerSection owners,
    @Nullable CCodeSection cCode,
    List<Holder> holders,
    @Nullable Gain gain,
    String unmeasured) {
  /** The number of files that are listed; all of them are in the JSON. */
  private static final int FILES = 20;

  /** The number of sites whose stacks are listed; all of them are in the JSON. */
  private static final int STACKS = 20;

  static Report of(Merge merge, String unmeasured) {
    Figures figures = merge.figures();
    List<Holder> holders =
        figures.holders().all().stream().filter(holder -> !holder.isOwner()).toList();
    OwnerSection owners = OwnerSection.of(figures);
    return new Report(
        merge,
        figures.all(),
        ProcessSummary.of(figures),
        owners,
        CCodeSection.of(figures, owners),
        holders,
        null,
        unmeasured);
  }

  Report with(Saving saving) {
    return new Report(merge, all, process, owners, cCode, holders, Gain.of(this, saving), "");
  }

  Figures figures() {
    return merge.figures();
  }

  /** Returns all call sites of confined arenas, those that opened most first. */
  List<ArenaSite> sites() {
    return figures().sites().values().stream()
        .sorted(
            Comparator.<ArenaSite>comparingLong(site -> -site.arenas())
                .thenComparing(ArenaSite::site))
        .toList();
  }

  Page page() {
    Page page = new Page("Rockpool report", glossary());
    if (process != null) {
      process.addChartTo(page);
    }
    Headlines.of(this).headlines().forEach(page::verdict);
    page.paragraph(summary());
    if (process != null) {
      process.addTo(page.section("Where the process's memory is"));
    }
    if (cCode != null) {
      cCode.addTo(page.section("C code by line"));
    }
    if (!holders.isEmpty()) {
      addHolders(page.section("Holders of native memory"));
    }
    if (!owners.isEmpty()) {
      addOwners(page.section("Objects that own C memory"));
    }
    if (!figures().inlinings().isEmpty()) {
      NotInlined.addTo(
          page.section("Calls not inlined"), NotInlined.of(figures().callsNotInlined()));
    }
    if (all.arenas() > 0) {
      page.section("Sizes")
          .paragraph(
              "%s were asked for %s, each for %,.1f B on average."
                  .formatted(
                      Numbers.counted(all.arenas(), "confined arena"),
                      Numbers.bytes(all.bytes()),
                      (double) all.bytes() / all.arenas()));
      page.table(ReportTables.sizes(all));
      page.foldedTable(ReportTables.sites(this));
    }
    addSources(page.section("Recordings"), merge.sources());
    if (!merge.notes().isEmpty()) {
      page.foldedTable(ReportTables.notes(merge.notes()));
    }
    return page;
  }

  /** The words that are explained in a page of the documentation, which the jar has. */
  static Glossary glossary() {
    return Glossary.of(Page.packaged(Report.class, "report.md"));
  }

  private String summary() {
    int skipped = merge.notes(Note.Kind.SKIPPED).size();
    int partly = merge.notes(Note.Kind.PARTLY).size();
    return "Merged %s of %s: %s closed in %s of recording.%s%s Reported by Rockpool %s."
        .formatted(
            Numbers.counted(merge.sources().size(), "recording"),
            Numbers.counted(figures().jvms().size(), "JVM"),
            Numbers.counted(all.arenas(), "confined arena"),
            Numbers.time(figures().recordedNanos()),
            skipped == 0 ? "" : " Skipped " + Numbers.counted(skipped, "file") + ".",
            partly == 0 ? "" : " Of " + Numbers.counted(partly, "file") + " the end is lost.",
            Installation.version());
  }

  private void addHolders(Page page) {
    page.table(ReportTables.holders(holders));
    Flames flames = new Flames(Numbers::bytes);
    addLiveBytes(holders, flames::add);
    page.flames("Live bytes by kind and stack", flames);
    Advice.of(this).forEach(page::paragraph);
    addStacks(page, holders.stream().filter(holder -> holder.get(Field.LIVE) > 0).toList());
  }

  private void addOwners(Page page) {
    page.table(owners.table());
    owners.sentences().forEach(page::paragraph);
    addStacks(page, owners.notable());
  }

  private static void addStacks(Page page, List<Holder> holders) {
    holders.stream()
        .filter(holder -> holder.stacks().stream().anyMatch(stack -> stack.text().contains("\n")))
        .limit(STACKS)
        .forEach(
            holder ->
                page.foldedLines(
                    "Opened by, a sample: " + holder.name(),
                    sampled(holder)
                        + holder.stacks().stream()
                            .map(stack -> lines(holder, stack))
                            .collect(Collectors.joining())));
  }

  /** Says where the sample has none of those that are live: another stack may have opened them. */
  private static String sampled(Holder holder) {
    boolean isLive = holder.stacks().stream().anyMatch(stack -> stack.get(Field.LIVE) > 0);
    return isLive
        ? ""
        : "  None of the sampled ones is live: these may be other stacks than those of the live"
            + " ones.\n";
  }

  private static String lines(Holder holder, Stack stack) {
    // A sample tells of unreachable ones alone; but all are leaked where none is in use.
    long leaked =
        holder.leaks() == holder.get(Field.LIVE) ? stack.get(Field.LIVE) : stack.get(Field.LEAKED);
    return "  %s opened, %s live%s%s\n    at %s\n"
        .formatted(
            stack.get(Field.OPENED),
            stack.get(Field.LIVE),
            holder.isOwner() ? "" : " with " + Numbers.bytes(stack.get(Field.LIVE_BYTES)),
            leaked == 0 ? "" : ", " + leaked + " leaked",
            stack.text().replace("\n", "\n    at "));
  }

  /** Returns the live bytes of all sites, "kind;outermost;...;innermost bytes" in a line. */
  String folded() {
    StringBuilder text = new StringBuilder();
    addLiveBytes(
        holders,
        (path, bytes) ->
            text.append(
                path.stream().map(frame -> frame.replace(';', '?')).collect(Collectors.joining(";"))
                    + " "
                    + bytes
                    + "\n"));
    return text.toString();
  }

  /**
   * The live bytes of sites by kind and stack, outermost first. The stacks of a site are a sample,
   * therefore its bytes are shared out in proportion.
   */
  static void addLiveBytes(List<Holder> holders, ObjLongConsumer<List<String>> sink) {
    for (Holder holder : holders) {
      long live = holder.get(Field.LIVE_BYTES);
      double sample =
          holder.stacks().stream().mapToDouble(stack -> stack.get(Field.LIVE_BYTES)).sum();
      for (Stack stack : holder.stacks()) {
        long bytes = stack.get(Field.LIVE_BYTES);
        add(sink, holder, stack.text(), bytes == 0 ? 0 : Math.round(bytes / sample * live));
      }
      add(sink, holder, holder.site(), sample == 0 ? live : 0);
    }
  }

  private static void add(
      ObjLongConsumer<List<String>> sink, Holder holder, String stack, long bytes) {
    if (bytes > 0) {
      List<String> path = new ArrayList<>(stack.lines().toList());
      path.add(holder.kind());
      sink.accept(path.reversed(), bytes);
    }
  }

  /** Adds the files behind figures, and the JVMs that wrote them. */
  static void addSources(Page page, List<Source> sources) {
    for (Source source : sources.subList(0, Math.min(FILES, sources.size()))) {
      Map<String, String> terms = new LinkedHashMap<>();
      terms.put(
          "file", source.file() + ": " + source.begin() + ", " + Numbers.time(source.nanos()));
      terms.putAll(source.facts());
      page.terms(terms);
    }
    if (sources.size() > FILES) {
      page.paragraph(
          "and " + Numbers.counted(sources.size() - FILES, "more file") + ", in the JSON");
    }
  }
}
