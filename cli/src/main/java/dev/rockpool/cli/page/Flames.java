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
    private long before;
    private long now;
    private final Map<String, Frame> callees = new LinkedHashMap<>();

    /** What is gone, too, must be seen. */
    long width() {
      return Math.max(before, now);
    }
  }

  private final Frame all = new Frame();
  private final LongFunction<String> unit;
  private boolean isDifference;

  /**
   * @param unit a weight as text
   */
  public Flames(LongFunction<String> unit) {
    this.unit = unit;
  }

  /** Adds a weight to each frame of a path, whose outermost frame is first. */
  public void add(List<String> path, long weight) {
    frames(path).forEach(frame -> frame.now += weight);
  }

  /** Adds a weight of an earlier state: the colours then show the difference. */
  public void addBefore(List<String> path, long weight) {
    isDifference = true;
    frames(path).forEach(frame -> frame.before += weight);
  }

  private List<Frame> frames(List<String> path) {
    List<Frame> frames = new ArrayList<>(List.of(all));
    for (String name : path) {
      frames.add(frames.getLast().callees.computeIfAbsent(name, _ -> new Frame()));
    }
    return frames;
  }

  String html() {
    StringBuilder html = new StringBuilder();
    append(html, all, 0);
    return html.toString();
  }

  private void append(StringBuilder html, Frame caller, int depth) {
    List<Map.Entry<String, Frame>> wide = new ArrayList<>(caller.callees.entrySet());
    wide.removeIf(callee -> callee.getValue().width() < NARROWEST * all.width());
    if (wide.isEmpty()) {
      return;
    }
    wide.sort((one, other) -> Long.compare(other.getValue().width(), one.getValue().width()));
    long rest = caller.width();
    int color = 0;
    html.append("<ul>\n");
    for (Map.Entry<String, Frame> callee : wide) {
      Frame frame = callee.getValue();
      rest -= frame.width();
      String weight =
          (isDifference ? unit.apply(frame.before) + " -> " : "") + unit.apply(frame.now);
      String text = Page.escape(callee.getKey() + ": " + weight);
      String style =
          isDifference
              ? difference(frame)
              : depth == 0 ? "; --flame: var(--color" + (1 + color++ % COLORS) + ")" : "";
      html.append("<li style=\"flex-grow: %d%s\">".formatted(frame.width(), style));
      html.append("<button type=\"button\" title=\"%1$s\">%1$s</button>\n".formatted(text));
      append(html, callee.getValue(), depth + 1);
      html.append("</li>\n");
    }
    // The filler keeps widths true to weights.
    html.append(rest > 0 ? "<li style=\"flex-grow: " + rest + "\"></li>\n" : "").append("</ul>\n");
  }

  /** Orange for more, blue for less: the more of it, the larger the change. */
  private static String difference(Frame frame) {
    long percent = 60 * Math.abs(frame.now - frame.before) / Math.max(1, frame.width());
    String color = "var(--color" + (frame.now > frame.before ? 2 : 3) + ")";
    return "; --flame: %s; --share: %d%%".formatted(color, percent);
  }
}
