package dev.rockpool.cli.top;

import dev.rockpool.cli.support.TerminalText;
import dev.rockpool.cli.top.Frame.Sort;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;

/** The whole terminal, with a frame that keys sort. Its former content comes back at the end. */
final class Screen implements AutoCloseable {
  /** The key of Ctrl-C, which is no signal in raw mode. */
  private static final int CTRL_C = 3;

  /** Longest time until a resize, or a request to end, shows. */
  private static final long STEP_MILLIS = 100;

  private final String title;
  private final Terminal terminal;
  private final Attributes former;
  private final Display display;
  private Sort sort;
  private Size shown = Size.of(0, 0);

  Screen(String title, Sort sort) throws IOException {
    this.title = title;
    this.sort = sort;
    terminal = TerminalBuilder.builder().system(true).build();
    former = terminal.enterRawMode();
    display = new Display(terminal, true);
    terminal.puts(Capability.enter_ca_mode);
    terminal.puts(Capability.cursor_invisible);
  }

  /** Shows a frame for a while; returns false if the user quits, or {@code goesOn} says so. */
  boolean show(Frame frame, Duration time, BooleanSupplier goesOn) throws IOException {
    draw(frame);
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - end < 0) {
      int key = terminal.reader().read(STEP_MILLIS);
      if (key == 'q' || key == 'Q' || key == CTRL_C || key == -1 || !goesOn.getAsBoolean()) {
        return false;
      }
      Sort before = sort;
      sort = sort.after(key);
      if (sort != before || !terminal.getSize().equals(shown)) {
        draw(frame);
      }
    }
    return true;
  }

  private void draw(Frame frame) {
    shown = terminal.getSize();
    display.resize(shown);
    List<AttributedString> lines = new ArrayList<>();
    lines.add(new AttributedString(title + "; sort by " + sort));
    TerminalText.printable(frame.text(sort, shown.getColumns()))
        .lines()
        .map(AttributedString::new)
        .forEach(lines::add);
    lines.subList(Math.min(lines.size(), Math.max(0, shown.getRows() - 1)), lines.size()).clear();
    lines.add(new AttributedString("keys: l live bytes, r rate, b bytes/s, n name, q quit"));
    lines.replaceAll(line -> line.columnSubSequence(0, shown.getColumns()));
    display.update(lines, -1);
  }

  @Override
  public void close() throws IOException {
    terminal.puts(Capability.cursor_visible);
    terminal.puts(Capability.exit_ca_mode);
    terminal.flush();
    terminal.setAttributes(former);
    terminal.close();
  }
}
