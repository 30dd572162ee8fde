package dev.rockpool.cli.report;

import com.google.gson.JsonObject;
import dev.rockpool.cli.page.Page;
import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.report.recording.CMemory;
import dev.rockpool.cli.report.recording.CMemory.Line;
import dev.rockpool.cli.report.recording.CMemory.Toucher;
import dev.rockpool.cli.report.recording.Figures;
import dev.rockpool.malloc.Origin.Category;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

record CCodeSection(CMemory memory, OwnerSection owners) {
  private static final int STACKS = 8;

  /** Less than this, or than this part of all that C code has, is not worth a sentence. */
  private static final long LITTLE = 1 << 20;

  private static final long LITTLE_PART = 10;

  /** Returns null if nobody recorded the memory of C code. */
  static @Nullable CCodeSection of(Figures figures, OwnerSection owners) {
    CMemory memory = figures.cMemory();
    return memory.isKnown() ? new CCodeSection(memory, owners) : null;
  }

  private long all() {
    return memory.liveBytes(Category.C);
  }

  /** Says who has most; nothing if nobody has much. */
  String sentence() {
    return memory.lines().stream()
        .limit(1)
        .filter(most -> most.liveBytes() >= LITTLE && most.liveBytes() >= all() / LITTLE_PART)
        .map(this::sentence)
        .collect(Collectors.joining());
  }

  private String sentence(Line most) {
    String objects = owners.madeBy(most.line());
    return "C code: %s live, allocated by %s for %s%s."
        .formatted(
            Numbers.bytes(most.liveBytes()),
            most.library().isEmpty() ? "an unknown library" : most.library(),
            most.line(),
            objects.isEmpty() ? "" : ", which made %s that are not closed".formatted(objects));
  }

  private String how() {
    String sampled =
        memory.interval() == 0
            ? "All allocations were recorded."
            : "One allocation was sampled in each %s: a line's figure is an estimate, and a line with little may be missing."
                .formatted(Numbers.bytes(memory.interval()));
    return "C code has %s of malloc live. %s The JVM has %s beside, Java code %s by Unsafe, which are counted elsewhere, and the profiler %s. Memory that C code maps by itself, that it took before the recording, and by functions other than malloc, is not in here."
        .formatted(
            Numbers.bytes(all()),
            sampled,
            Numbers.bytes(memory.liveBytes(Category.JVM)),
            Numbers.bytes(memory.liveBytes(Category.JAVA)),
            Numbers.bytes(memory.liveBytes(Category.PROFILER)));
  }

  void addTo(Page page) {
    page.paragraph(how());
    List<Line> lines = memory.lines();
    if (!lines.isEmpty()) {
      page.table(table(lines));
    }
    lines.stream()
        .filter(line -> line.stack().contains("\n"))
        .limit(STACKS)
        .forEach(
            line ->
                page.foldedLines(
                    "The stack with most: " + line.line(),
                    "    at " + line.stack().replace("\n", "\n    at ") + "\n"));
    if (!memory.touched().isEmpty()) {
      page.paragraph(
          "Pages that C code touched count when it was the first to touch them since the recording"
              + " began, whether they were given back or not. For what a library maps by itself,"
              + " that is all that is known.");
      page.table(touched(memory.touched()));
    }
  }

  private Table touched(List<Map.Entry<Toucher, Long>> all) {
    return Table.first(all)
        .column("line", each -> each.getKey().line())
        .column("library", each -> each.getKey().library())
        .column("MiB touched", each -> Residency.mebi(each.getValue()))
        .numbers("Pages that C code touched, by line");
  }

  private Table table(List<Line> lines) {
    return Table.first(lines)
        .column("line", Line::line)
        .column("library", Line::library)
        .column("live bytes", Line::liveBytes)
        .column("live blocks", Line::blocks)
        .column("of C code", line -> Numbers.cell(line.liveBytes(), all()))
        .column("objects not closed", line -> owners.madeBy(line.line()))
        .numbers("");
  }

  JsonObject toJson() {
    JsonObject json = new JsonObject();
    json.addProperty("interval", memory.interval());
    json.addProperty("liveBytes", all());
    json.addProperty("ofJvm", memory.liveBytes(Category.JVM));
    json.addProperty("ofJavaCode", memory.liveBytes(Category.JAVA));
    json.addProperty("ofProfiler", memory.liveBytes(Category.PROFILER));
    json.add("touched", ReportJson.array(memory.touched(), CCodeSection::toJson));
    json.add("lines", ReportJson.array(memory.lines(), this::toJson));
    return json;
  }

  private static JsonObject toJson(Map.Entry<Toucher, Long> touched) {
    JsonObject json = ReportJson.tree(touched.getKey()).getAsJsonObject();
    json.addProperty("bytes", touched.getValue());
    return json;
  }

  private JsonObject toJson(Line line) {
    JsonObject json = ReportJson.tree(line).getAsJsonObject();
    json.addProperty("objectsNotClosed", owners.madeBy(line.line()));
    return json;
  }
}
