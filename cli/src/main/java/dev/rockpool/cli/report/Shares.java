package dev.rockpool.cli.report;

import dev.rockpool.cli.report.recording.ArenaFigures;
import dev.rockpool.cli.report.recording.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The shares of small arenas, in number and in bytes: metric and value. */
final class Shares {
  private static final long KI = 1024;

  private final Figures figures;
  private final ArenaFigures all;
  private final List<List<String>> rows = new ArrayList<>();

  private Shares(Figures figures) {
    this.figures = figures;
    this.all = figures.all();
  }

  static List<List<String>> rows(Figures figures) {
    return new Shares(figures).rows();
  }

  private List<List<String>> rows() {
    row("Histogram blocks / JVMs", Numbers.count(figures.blocks()) + " / " + figures.jvms());
    row("Confined arenas closed", Numbers.count(all.arenas()));
    row("Bytes allocated", Numbers.bytes(all.bytes()));
    row("Average bytes per arena", average());
    row("Arenas with zero bytes", arenas(all.totals().upTo(0)));
    row("Arenas <= 15 bytes", arenas(all.totals().upTo(15)));
    small(31);
    small(63);
    below(64 * KI, "64 KiB");
    above(64 * KI, "64 KiB");
    above(512 * KI, "512 KiB");
    return rows;
  }

  private String average() {
    return all.arenas() == 0
        ? "-"
        : String.format(Locale.ROOT, "%,.2f B", (double) all.bytes() / all.arenas());
  }

  private void small(long most) {
    row("Arenas <= " + most + " bytes", arenas(all.totals().upTo(most)));
    row("Bytes from arenas <= " + most + " bytes", bytes(all.totalBytes().upTo(most)));
  }

  private void below(long limit, String name) {
    row("Arenas < " + name, arenas(all.totals().upTo(limit - 1)));
    row("Bytes from arenas < " + name, bytes(all.totalBytes().upTo(limit - 1)));
  }

  private void above(long least, String name) {
    row("Arenas >= " + name, arenas(all.totals().from(least)));
    row("Bytes from arenas >= " + name, bytes(all.totalBytes().from(least)));
  }

  private String arenas(long part) {
    return Numbers.count(part) + " (" + Numbers.share(part, all.arenas()) + ")";
  }

  private String bytes(long part) {
    return Numbers.bytes(part) + " (" + Numbers.share(part, all.bytes()) + ")";
  }

  private void row(String metric, String value) {
    rows.add(List.of(metric, value));
  }
}
