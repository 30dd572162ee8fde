package dev.rockpool.cli.report;

import static dev.rockpool.cli.report.recording.Holders.Field.AGE;
import static dev.rockpool.cli.report.recording.Holders.Field.CLOSED;
import static dev.rockpool.cli.report.recording.Holders.Field.CLOSE_TIME;
import static dev.rockpool.cli.report.recording.Holders.Field.LEAKED;
import static dev.rockpool.cli.report.recording.Holders.Field.LEAKED_BYTES;
import static dev.rockpool.cli.report.recording.Holders.Field.LIVE;
import static dev.rockpool.cli.report.recording.Holders.Field.LIVE_BYTES;
import static dev.rockpool.cli.report.recording.Holders.Field.MEAN_LIFE;
import static dev.rockpool.cli.report.recording.Holders.Field.MOST_LIVE_BYTES;
import static dev.rockpool.cli.report.recording.Holders.Field.ON_VIRTUAL;
import static dev.rockpool.cli.report.recording.Holders.Field.OPENED;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.rockpool.cli.page.Flames;
import dev.rockpool.cli.page.Page;
import dev.rockpool.cli.page.Page.Columns;
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
    List<Holder> holders = report.figures().holders().all();
    if (holders.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder(table(holders).text()).append('\n');
    for (String sentence : Advice.of(report)) {
      text.append(sentence).append('\n');
    }
    for (Holder holder : withStacks(holders)) {
      text.append('\n').append(caption(holder)).append('\n');
      holder.stacks().forEach(stack -> text.append(text(stack)));
    }
    return text.append('\n').toString();
  }

  static void addTo(Page page, Report report) {
    List<Holder> holders = report.figures().holders().all();
    if (holders.isEmpty()) {
      return;
    }
    page.section(TITLE);
    page.table(table(holders));
    if (holders.stream().anyMatch(holder -> holder.get(LIVE_BYTES) > 0)) {
      Flames flames = new Flames(Numbers::bytes);
      byStack(report, flames::add);
      page.flames("Live bytes by kind and stack", flames);
    }
    Advice.of(report).forEach(page::paragraph);
    for (Holder holder : withStacks(holders)) {
      page.foldedTable(stacks(holder));
    }
  }

  static JsonArray json(Report report) {
    JsonArray array = new JsonArray();
    for (Holder holder : report.figures().holders().all()) {
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
        stack.addProperty("opened", each.opened());
        stack.addProperty("live", each.live());
        stack.addProperty("liveBytes", each.liveBytes());
        stack.addProperty("leaked", each.leaked());
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
    byStack(
        report,
        (path, bytes) ->
            text.append(String.join(";", path)).append(' ').append(bytes).append('\n'));
    return text.toString();
  }

  /**
   * The live bytes of all sites by kind and stack, outermost first. The stacks of a site are a
   * sample, therefore its bytes are shared out in proportion.
   */
  private static void byStack(Report report, ObjLongConsumer<List<String>> sink) {
    for (Holder holder : report.figures().holders().all()) {
      List<Stack> stacks = holder.stacks().stream().filter(stack -> stack.liveBytes() > 0).toList();
      double sample = stacks.stream().mapToLong(Stack::liveBytes).sum();
      for (Stack stack : stacks) {
        put(
            sink,
            holder,
            stack.text(),
            Math.round(stack.liveBytes() / sample * holder.get(LIVE_BYTES)));
      }
      if (stacks.isEmpty()) {
        put(sink, holder, holder.site(), holder.get(LIVE_BYTES));
      }
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
    List<List<String>> rows = new ArrayList<>();
    for (Holder holder : holders.subList(0, Math.min(SITES, holders.size()))) {
      rows.add(
          List.of(
              holder.kind() + " " + holder.site(),
              Numbers.count(holder.get(LIVE)),
              Numbers.count(holder.get(LIVE_BYTES)),
              Numbers.count(holder.get(MOST_LIVE_BYTES)),
              Numbers.count(holder.get(LEAKED)),
              Numbers.count(holder.get(LEAKED_BYTES)),
              Numbers.count(holder.get(OPENED)),
              rate(holder),
              holder.get(CLOSED) == 0 ? "-" : Numbers.time((double) holder.get(MEAN_LIFE)),
              holder.get(CLOSE_TIME) == 0 ? "-" : Numbers.time((double) holder.get(CLOSE_TIME)),
              Numbers.share(holder.get(ON_VIRTUAL), holder.get(OPENED))));
    }
    String caption =
        holders.size() <= SITES ? TITLE : TITLE + ", " + SITES + " of " + holders.size() + " sites";
    return new Table(
        caption,
        Columns.NUMBERS,
        List.of(
            "site",
            "live",
            "live bytes",
            "most bytes",
            "leaked",
            "leaked bytes",
            "opened",
            "per second",
            "mean life",
            "in close",
            "on virtual"),
        rows);
  }

  private static String rate(Holder holder) {
    long age = holder.get(AGE);
    return age == 0 ? "-" : String.format(Locale.ROOT, "%,.1f", 1e9 * holder.get(OPENED) / age);
  }

  /** The first sites whose stacks tell more than the site itself. */
  private static List<Holder> withStacks(List<Holder> holders) {
    return holders.stream()
        .filter(holder -> holder.get(LIVE) > 0)
        .filter(holder -> holder.stacks().stream().anyMatch(stack -> stack.text().contains("\n")))
        .limit(SITES)
        .toList();
  }

  private static String caption(Holder holder) {
    return "Opened by, a sample: " + holder.kind() + " " + holder.site();
  }

  private static String text(Stack stack) {
    return "  "
        + stack.opened()
        + " opened, "
        + stack.live()
        + " live with "
        + Numbers.bytes(stack.liveBytes())
        + ", "
        + stack.leaked()
        + " leaked\n    at "
        + stack.text().replace("\n", "\n    at ")
        + "\n";
  }

  private static Table stacks(Holder holder) {
    List<List<String>> rows =
        holder.stacks().stream()
            .map(
                stack ->
                    List.of(
                        stack.text().replace("\n", " < "),
                        Numbers.count(stack.opened()),
                        Numbers.count(stack.live()),
                        Numbers.count(stack.liveBytes()),
                        Numbers.count(stack.leaked())))
            .toList();
    return new Table(
        caption(holder),
        Columns.NUMBERS,
        List.of("stack", "opened", "live", "live bytes", "leaked"),
        rows);
  }
}
