package dev.rockpool.cli.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * A flame graph, the outermost frames on top: weights by path, as lists in lists, which a page
 * shows without a script.
 */
public final class Flames {
  /** Narrower frames, as a share of the whole, are left out: a hundredth of a picture's inch. */
  private static final double NARROWEST = 0.001;

  /** Colors of a page's palette that outermost frames take in turn. */
  private static final int COLORS = 7;

  private static final class Frame {
    private long weight;
    private final Map<String, Frame> callees = new LinkedHashMap<>();
  }

  private final Frame all = new Frame();
  private final LongFunction<String> unit;

  /**
   * @param unit a weight as text
   */
  public Flames(LongFunction<String> unit) {
    this.unit = unit;
  }

  /** Adds a weight to each frame of a path, whose outermost frame is first. */
  public void add(List<String> path, long weight) {
    Frame frame = all;
    frame.weight += weight;
    for (String name : path) {
      frame = frame.callees.computeIfAbsent(name, _ -> new Frame());
      frame.weight += weight;
    }
  }

  String html() {
    StringBuilder html = new StringBuilder();
    append(html, all, 0);
    return html.toString();
  }

  private void append(StringBuilder html, Frame caller, int depth) {
    List<Map.Entry<String, Frame>> wide = new ArrayList<>(caller.callees.entrySet());
    wide.removeIf(callee -> callee.getValue().weight < NARROWEST * all.weight);
    if (wide.isEmpty()) {
      return;
    }
    wide.sort((one, other) -> Long.compare(other.getValue().weight, one.getValue().weight));
    long rest = caller.weight;
    int color = 0;
    html.append("<ul>\n");
    for (Map.Entry<String, Frame> callee : wide) {
      long weight = callee.getValue().weight;
      rest -= weight;
      String text = Page.escape(callee.getKey() + ": " + unit.apply(weight));
      String style = depth == 0 ? "; --flame: var(--color" + (1 + color++ % COLORS) + ")" : "";
      html.append("<li style=\"flex-grow: %d%s\">".formatted(weight, style));
      html.append("<button type=\"button\" title=\"%1$s\">%1$s</button>\n".formatted(text));
      append(html, callee.getValue(), depth + 1);
      html.append("</li>\n");
    }
    // The filler keeps widths true to weights.
    html.append(rest > 0 ? "<li style=\"flex-grow: " + rest + "\"></li>\n" : "").append("</ul>\n");
  }
}
