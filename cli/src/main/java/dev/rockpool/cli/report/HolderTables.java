package dev.rockpool.cli.report;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.rockpool.cli.page.Flames;
import dev.rockpool.cli.page.Page;
import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.report.recording.Holders.Field;
import dev.rockpool.cli.report.recording.Holders.Holder;
import dev.rockpool.cli.report.recording.Holders.Stack;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ObjLongConsumer;

/** The holders of native memory, in text, page and JSON. */
final class HolderTables {
  /** The number of sites that a table lists; all of them are in the JSON. */
  private static final int SITES = 20;

  private static final String TITLE = "Holders of native memory";

  private HolderTables() {}

  /** Empty for recordings without holders. */
  static String text(Report report) {
    if (report.holders().isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder(table(report.holders()).text()).append('\n');
    Advice.of(report).forEach(sentence -> text.append(sentence).append('\n'));
    for (Holder holder : withStacks(report)) {
      text.append('\n').append(caption(holder)).append('\n');
      for (Stack stack : holder.stacks()) {
        text.append(
            "  %s opened, %s live with %s, %s leaked\n    at %s\n"
                .formatted(
                    stack.get(Field.OPENED),
                    stack.get(Field.LIVE),
                    Numbers.bytes(stack.get(Field.LIVE_BYTES)),
                    stack.get(Field.LEAKED),
                    stack.text().replace("\n", "\n    at ")));
      }
    }
    return text.append('\n').toString();
  }

  static void addTo(Page page, Report report) {
    if (report.holders().isEmpty()) {
      return;
    }
    page.section(TITLE);
    page.table(table(report.holders()));
    if (report.holders().stream().anyMatch(holder -> holder.get(Field.LIVE_BYTES) > 0)) {
      Flames flames = new Flames(Numbers::bytes);
      byStack(report, flames::add);
      page.flames("Live bytes by kind and stack", flames);
    }
    Advice.of(report).forEach(page::paragraph);
    for (Holder holder : withStacks(report)) {
      page.foldedTable(
          Table.each(holder.stacks())
              .column("stack", stack -> stack.text().replace("\n", " < "))
              .column("opened", stack -> stack.get(Field.OPENED))
              .column("live", stack -> stack.get(Field.LIVE))
              .column("live bytes", stack -> stack.get(Field.LIVE_BYTES))
              .column("leaked", stack -> stack.get(Field.LEAKED))
              .numbers(caption(holder)));
    }
  }

  static JsonArray json(Report report) {
    JsonArray array = new JsonArray();
    for (Holder holder : report.holders()) {
      JsonObject json = new JsonObject();
      json.addProperty("kind", holder.kind());
      json.addProperty("site", holder.site());
      for (Field field : Field.values()) {
        json.addProperty(field.key(), holder.get(field));
      }
      JsonArray stacks = new JsonArray();
      for (Stack each : holder.stacks()) {
        JsonObject stack = new JsonObject();
        stack.addProperty("stack", each.text());
        each.figures().forEach((field, value) -> stack.addProperty(field.key(), value));
        stacks.add(stack);
      }
      json.add("stacks", stacks);
      array.add(json);
    }
    return array;
  }

  /** The live bytes of all sites, "kind;outermost;...;innermost bytes" in a line. */
  static String folded(Report report) {
    StringBuilder text = new StringBuilder();
    byStack(report, (path, bytes) -> text.append(String.join(";", path) + " " + bytes + "\n"));
    return text.toString();
  }

  /**
   * The live bytes of all sites by kind and stack, outermost first. The stacks of a site are a
   * sample, therefore its bytes are shared out in proportion.
   */
  private static void byStack(Report report, ObjLongConsumer<List<String>> sink) {
    for (Holder holder : report.holders()) {
      long all = holder.get(Field.LIVE_BYTES);
      double sample =
          holder.stacks().stream().mapToLong(stack -> stack.get(Field.LIVE_BYTES)).sum();
      for (Stack stack : holder.stacks()) {
        long bytes = stack.get(Field.LIVE_BYTES);
        put(sink, holder, stack.text(), bytes == 0 ? 0 : Math.round(bytes / sample * all));
      }
      put(sink, holder, holder.site(), sample == 0 ? all : 0);
    }
  }

  private static void put(
      ObjLongConsumer<List<String>> sink, Holder holder, String stack, long bytes) {
    if (bytes > 0) {
      List<String> path = new ArrayList<>(List.of(stack.split("\n")));
      path.add(holder.kind());
      sink.accept(path.reversed(), bytes);
    }
  }

  private static Table table(List<Holder> holders) {
    String shown = holders.size() <= SITES ? "" : ", " + SITES + " of " + holders.size() + " sites";
    return Table.each(holders.subList(0, Math.min(SITES, holders.size())))
        .column("site", Holder::name)
        .column("live", holder -> holder.get(Field.LIVE))
        .column("live bytes", holder -> holder.get(Field.LIVE_BYTES))
        .column("most bytes", HolderTables::mostBytes)
        .column("leaked", Holder::leaks)
        .column(
            "leaked bytes",
            holder ->
                holder.leaks() > holder.get(Field.LEAKED)
                    ? "-" // nobody knows the bytes of a single one
                    : holder.get(Field.LEAKED_BYTES))
        .column("opened", holder -> holder.get(Field.OPENED))
        .column("per second", HolderTables::rate)
        .column("median life", holder -> time(holder, Field.LIFE_MEDIAN))
        .column("in close", holder -> time(holder, Field.CLOSE_TIME))
        .column(
            "on virtual",
            holder -> Numbers.share(holder.get(Field.ON_VIRTUAL), holder.get(Field.OPENED)))
        .numbers(TITLE + shown);
  }

  /** Memory that only a collection frees counts as live until that, used or not. */
  private static String mostBytes(Holder holder) {
    return (holder.isCollected() ? "at most " : "")
        + Numbers.count(holder.get(Field.MOST_LIVE_BYTES));
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

  /** The first sites whose stacks tell more than the site itself. */
  private static List<Holder> withStacks(Report report) {
    return report.holders().stream()
        .filter(holder -> holder.get(Field.LIVE) > 0)
        .filter(holder -> holder.stacks().stream().anyMatch(stack -> stack.text().contains("\n")))
        .limit(SITES)
        .toList();
  }

  private static String caption(Holder holder) {
    return "Opened by, a sample (option record.stack has more frames): " + holder.name();
  }
}
