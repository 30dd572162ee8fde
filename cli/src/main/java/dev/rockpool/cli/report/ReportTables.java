package dev.rockpool.cli.report;

import static dev.rockpool.cli.report.Numbers.cell;

import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.report.recording.Figures.ArenaFigures;
import dev.rockpool.cli.report.recording.Figures.ArenaSite;
import dev.rockpool.cli.report.recording.Holders.Field;
import dev.rockpool.cli.report.recording.Holders.Holder;
import dev.rockpool.cli.report.recording.Merge.Note;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

final class ReportTables {
  /** Arenas that were asked for {@code label} bytes each, and for {@code bytes} all together. */
  private record Spread(String label, long arenas, long bytes) {
    private static Spread of(String label, long least, long most, ArenaFigures figures) {
      return new Spread(
          label, figures.totals().within(least, most), figures.totalBytes().within(least, most));
    }
  }

  private ReportTables() {}

  /** A row each for 0, 1, 2-3, 4-7 bytes and so on, if there are such arenas. */
  static Table sizes(ArenaFigures all) {
    List<Spread> powers = new ArrayList<>();
    powers.add(Spread.of("0", 0, 0, all));
    for (long least = 1; least > 0; least *= 2) {
      long most = least + (least - 1);
      String label =
          least == 1
              ? "1"
              : least < 1024
                  ? least + "-" + most
                  : Numbers.size(least) + "-" + Numbers.size(most + 1);
      powers.add(Spread.of(label, least, most, all));
    }
    powers.removeIf(size -> size.arenas == 0);
    return Table.each(powers)
        .column("bytes per arena", Spread::label)
        .column("arenas", Spread::arenas)
        .column("of arenas", size -> cell(size.arenas, all.arenas()))
        .column("in all", Spread::bytes)
        .column("of bytes", size -> cell(size.bytes, all.bytes()))
        .numbers("");
  }

  static Table holders(List<Holder> holders) {
    return Table.first(holders)
        .column("site", Holder::name)
        .column("live", holder -> holder.isSite() ? holder.get(Field.LIVE) : "-")
        .column("live bytes", holder -> holder.get(Field.LIVE_BYTES))
        .column("most bytes", ReportTables::mostBytes)
        .column("leaked", holder -> mayLeak(holder) ? holder.leaks() : "-")
        .column("leaked bytes", holder -> mayLeak(holder) ? leakedBytes(holder) : "-")
        .column("opened", holder -> holder.isSite() ? holder.get(Field.OPENED) : "-")
        .column("per second", ReportTables::rate)
        .column("median life", holder -> time(holder, Field.LIFE_MEDIAN))
        .column("in close", holder -> time(holder, Field.CLOSE_TIME))
        .column("on virtual", holder -> holder.get(Field.ON_VIRTUAL))
        .numbers("");
  }

  /** Whether a leak can be told from memory in use. */
  private static boolean mayLeak(Holder holder) {
    return holder.isSite() && !holder.isByAddress();
  }

  /** The bytes of single arenas that their thread left open are not known, but those of all are. */
  private static String leakedBytes(Holder holder) {
    long leaked = holder.get(Field.LEAKED_BYTES);
    return holder.leaks() == holder.get(Field.LEAKED)
        ? Numbers.count(leaked)
        : (holder.leaks() < holder.get(Field.LIVE) ? "at most " : "")
            + Numbers.count(holder.get(Field.LIVE_BYTES));
  }

  /**
   * Memory that a collection frees counts as live until then, used or not. The confined arenas that
   * are open are looked at once a second. Buffers without a site are what sites leave of the total.
   */
  private static String mostBytes(Holder holder) {
    boolean isLeast = holder.kind().equals("confined") || !holder.isSite();
    return (isLeast ? "at least " : holder.isCollected() ? "at most " : "")
        + Numbers.count(holder.mostBytes());
  }

  private static String time(Holder holder, Field field) {
    return holder.get(field) == 0 ? "-" : Numbers.time(holder.get(field));
  }

  private static String rate(Holder holder) {
    long age = holder.get(Field.AGE);
    return age == 0
        ? "-"
        : String.format(Locale.ROOT, "%,.1f", 1e9 * holder.get(Field.OPENED) / age);
  }

  static Table sites(Report report) {
    return Table.first(report.sites())
        .column("site", ArenaSite::site)
        .column("arenas", ArenaSite::arenas)
        .column("of arenas", site -> cell(site.arenas(), report.all().arenas()))
        .column("allocations", ArenaSite::allocations)
        .column("bytes", ArenaSite::bytes)
        .column("largest", ArenaSite::largestTotal)
        .column("from 512 on", site -> site.totals().within(512, Long.MAX_VALUE))
        .numbers("Closed confined arenas, by call site");
  }

  static Table notes(List<Note> notes) {
    return Table.each(notes)
        .column("file", Note::file)
        .column("", note -> note.kind().text())
        .column("why", Note::reason)
        .words("Files that were not used, or not whole");
  }
}
