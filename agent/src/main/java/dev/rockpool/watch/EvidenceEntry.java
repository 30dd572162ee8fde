package dev.rockpool.watch;

import dev.rockpool.record.Json;
import dev.rockpool.record.MemoryMap;
import dev.rockpool.record.Site.Held;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the process held at one moment, as two lines of text. The names are those of classes and
 * methods of the program, which may have any characters.
 *
 * @param reason why there is an entry
 * @param host the name of the host or container
 * @param memory bytes of the container, or of the machine; 0 if not known
 * @param limited what is limited or counted; null without options limit and count
 * @param parts resident bytes by part; empty if not known
 * @param holders the sites that hold most, the largest first
 * @param owners lines with open objects that own C memory, those with most objects first
 */
record EvidenceEntry(
    String reason,
    String host,
    Resident resident,
    long memory,
    @Nullable LimitedMemory limited,
    Map<String, Long> parts,
    List<Held> holders,
    List<Held> owners) {
  /** Most sites and most owners in an entry. */
  static final int HOLDERS = 10;

  /** Most bytes of an entry. Kubernetes shows the last 4,096 of a termination log. */
  static final int MOST_BYTES = 4000;

  private static final int NAMED = 3;
  private static final int LONGEST_NAME = 160;
  private static final long MEBIBYTE = 1 << 20;

  /** Returns the entry, which leaves out the smaller holders if it would be too long. */
  String text() {
    for (int most = HOLDERS; ; most--) {
      String text = json(most) + "\n" + sentences(Math.min(most, NAMED)) + "\n";
      if (most == 0 || text.getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES) {
        return text;
      }
    }
  }

  private String json(int most) {
    StringBuilder json = new StringBuilder("{\"rockpool\":\"evidence\",\"format\":1");
    json.append(",\"time\":").append(quoted(time()));
    json.append(",\"host\":").append(quoted(host));
    json.append(",\"pid\":").append(ProcessHandle.current().pid());
    json.append(",\"reason\":").append(quoted(reason));
    json.append(",\"memory\":").append(memory);
    json.append(",\"anonymous\":").append(resident.anonymous());
    json.append(",\"files\":").append(resident.files());
    if (limited != null) {
      if (limited.limit() < Long.MAX_VALUE) {
        json.append(",\"limit\":").append(limited.limit());
      }
      json.append(",\"inUse\":").append(limited.inUse());
      json.append(",\"refused\":").append(limited.refused());
    }
    json.append(",\"parts\":{");
    String comma = "";
    for (Map.Entry<String, Long> each : parts.entrySet()) {
      json.append(comma).append(quoted(each.getKey())).append(':').append(each.getValue());
      comma = ",";
    }
    json.append("},\"rest\":").append(rest()).append(",\"holders\":");
    json.append(list(holders, most, each -> object(each, "bytes")));
    json.append(",\"owners\":");
    return json.append(list(owners, most, each -> object(each, "open"))).append('}').toString();
  }

  private static String object(Held held, String amount) {
    return "{\"site\":%s,\"kind\":%s,\"%s\":%d}"
        .formatted(quoted(shortened(held.name())), quoted(held.kind()), amount, held.amount());
  }

  private static String list(List<Held> all, int most, Function<Held, String> each) {
    return "["
        + String.join(",", all.subList(0, Math.min(most, all.size())).stream().map(each).toList())
        + "]";
  }

  private String sentences(int most) {
    StringBuilder text = new StringBuilder(time());
    text.append(" [rockpool] ").append(reason).append(": ");
    text.append(mebibytes(resident.anonymous()));
    text.append(memory > 0 ? " of " + mebibytes(memory) : "").append(" are resident beside files.");
    if (limited != null) {
      long limit = limited.limit();
      text.append(" Java code holds ").append(mebibytes(limited.inUse()));
      text.append(limit < Long.MAX_VALUE ? ", its limit is " + mebibytes(limit) : "").append('.');
    }
    append(
        text,
        "Most is held by",
        most,
        holders,
        held -> held.kind() + ", " + mebibytes(held.amount()));
    if (rest() >= MEBIBYTE) {
      text.append(" C code holds up to ").append(mebibytes(rest())).append('.');
    }
    append(text, "Open objects that own C memory:", most, owners, held -> held.amount() + " open");
    String before = " Resident by part: ";
    for (Map.Entry<String, Long> each : parts.entrySet()) {
      if (each.getValue() >= MEBIBYTE) {
        text.append(before).append(each.getKey()).append(' ').append(mebibytes(each.getValue()));
        before = ", ";
      }
    }
    return text.append(before.equals(", ") ? "." : "").toString();
  }

  /**
   * Returns the bytes of malloc and of mappings that Java code does not hold. They may be those of
   * C code, free memory that malloc keeps, or without native memory tracking the JVM's.
   */
  private long rest() {
    long inUse = limited == null ? 0 : limited.inUse();
    return Math.max(0, MemoryMap.ofMallocAndMappings(parts) - inUse);
  }

  private static void append(
      StringBuilder text, String title, int most, List<Held> all, Function<Held, String> amount) {
    String before = " " + title + " ";
    for (Held each : all.subList(0, Math.min(most, all.size()))) {
      text.append(before).append(printable(shortened(each.name())));
      text.append(" (").append(amount.apply(each)).append(')');
      before = ", ";
    }
    text.append(before.equals(", ") ? "." : "");
  }

  private static String time() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String mebibytes(long byteSize) {
    return (byteSize + MEBIBYTE / 2) / MEBIBYTE + " MiB";
  }

  private static String shortened(String name) {
    return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME) + "...";
  }

  /** Returns a text without line breaks and other signs that a terminal or a log might obey. */
  private static String printable(String text) {
    StringBuilder printable = new StringBuilder();
    text.codePoints().forEach(each -> printable.appendCodePoint(isHarmless(each) ? each : '?'));
    return printable.toString();
  }

  private static boolean isHarmless(int codePoint) {
    int type = Character.getType(codePoint);
    return type != Character.CONTROL
        && type != Character.FORMAT
        && type != Character.SURROGATE
        && type != Character.LINE_SEPARATOR
        && type != Character.PARAGRAPH_SEPARATOR
        && type != Character.UNASSIGNED;
  }

  private static String quoted(String text) {
    return Json.quote(new StringBuilder(), text).toString();
  }
}
