package dev.rockpool.cli.report;

import dev.rockpool.cli.page.Table.Cell;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

final class Numbers {
  private static final String[] UNITS = {"", " Ki", " Mi", " Gi", " Ti", " Pi", " Ei"};

  private Numbers() {}

  /** 6,854,736,704. */
  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** 1 file, 1,200 files. */
  static String counted(long count, String noun) {
    return count(count) + " " + noun + (count == 1 ? "" : "s");
  }

  /** One name or two, or the first of several and their number; empty if there are none. */
  static String sites(String what, List<String> names) {
    if (names.isEmpty()) {
      return "";
    }
    return what
        + (names.size() <= 2
            ? String.join(" and ", names)
            : counted(names.size(), "site") + ", first " + names.getFirst());
  }

  /** Returns the parts that are not empty, as one sentence. */
  static String joined(String... parts) {
    return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining("; "));
  }

  /** {@code count} in two digits: 6,900,000,000. */
  static String about(double count) {
    long unit = 1;
    while (Math.abs(count) >= 100.0 * unit) {
      unit *= 10;
    }
    return count(Math.round(count / unit) * unit);
  }

  /** 6,854,736,704 B (6,537.19 MiB); without brackets below 1 MiB. */
  static String bytes(long bytes) {
    return bytes < 1 << 20
        ? count(bytes) + " B"
        : String.format(Locale.ROOT, "%,d B (%,.2f MiB)", bytes, bytes / 1048576.0);
  }

  /** 64, 512, 1 Ki, 64 Ki, for powers of two; others as they are. */
  static String size(long bytes) {
    int unit = 0;
    long value = bytes;
    while (value >= 1024 && value % 1024 == 0) {
      value /= 1024;
      unit++;
    }
    return value + UNITS[unit];
  }

  /** 47.7 %; "-" where there is nothing to share. */
  static String share(long part, long whole) {
    double percent = 100.0 * part / whole;
    return whole == 0
        ? "-"
        : part > 0 && percent < 0.05 ? "<0.1 %" : String.format(Locale.ROOT, "%.1f %%", percent);
  }

  /** A cell with a share, as text and as a bar: all cells of a column are parts of one whole. */
  static Cell cell(long part, long whole) {
    return new Cell(share(part, whole), "", whole == 0 ? 0 : (double) part / whole);
  }

  static String time(long nanos) {
    return time((double) nanos);
  }

  /** 12.3 ns, 4.56 ms, 7.89 s. */
  static String time(double nanos) {
    double size = Math.abs(nanos);
    String format =
        size < 1e3 ? "%.1f ns" : size < 1e6 ? "%.2f us" : size < 1e9 ? "%.2f ms" : "%,.2f s";
    double unit = size < 1e3 ? 1 : size < 1e6 ? 1e3 : size < 1e9 ? 1e6 : 1e9;
    return String.format(Locale.ROOT, format, nanos / unit);
  }
}
