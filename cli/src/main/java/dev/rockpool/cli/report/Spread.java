package dev.rockpool.cli.report;

import dev.rockpool.cli.report.recording.ArenaFigures;
import java.util.ArrayList;
import java.util.List;

/** Arenas and their bytes, by the bytes that each arena was asked for. */
final class Spread {
  /** Byte by byte, the last one is for all that is more. */
  static final int SINGLES = 64;

  /**
   * Arenas that were asked for so many bytes.
   *
   * @param label least and most of these
   * @param bytes that they were asked for, all together
   */
  record Range(String label, long arenas, long bytes) {}

  private Spread() {}

  /** 0, 1, 2-3, 4-7 and so on, up to the largest arena. */
  static List<Range> powers(ArenaFigures figures) {
    List<Range> ranges = new ArrayList<>();
    ranges.add(range("0", 0, 0, figures));
    long largest = figures.arenas() == 0 ? 0 : figures.totals().buckets().lastKey();
    for (long least = 1; least > 0 && least <= Math.max(largest, 32); least *= 2) {
      long most = least + (least - 1);
      ranges.add(range(label(least, most), least, most, figures));
    }
    return ranges;
  }

  private static String label(long least, long most) {
    return least == 1
        ? "1"
        : least < 1024 ? least + "-" + most : Numbers.size(least) + "-" + Numbers.size(most + 1);
  }

  /** 0 to 63, each on its own; the last one also has all larger sizes. */
  static List<Range> singles(ArenaFigures figures) {
    List<Range> ranges = new ArrayList<>();
    for (int size = 0; size < SINGLES - 1; size++) {
      ranges.add(range(String.valueOf(size), size, size, figures));
    }
    ranges.add(range(SINGLES - 1 + "+", SINGLES - 1, Long.MAX_VALUE, figures));
    return ranges;
  }

  private static Range range(String label, long least, long most, ArenaFigures figures) {
    return new Range(
        label,
        figures.totals().from(least) - figures.totals().fromBehind(most),
        figures.totalBytes().from(least) - figures.totalBytes().fromBehind(most));
  }
}
