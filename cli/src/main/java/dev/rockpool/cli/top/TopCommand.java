package dev.rockpool.cli.top;

import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.CommandFailure.Misuse;
import dev.rockpool.cli.support.Converters;
import dev.rockpool.cli.support.Converters.Target;
import dev.rockpool.cli.support.Progress;
import dev.rockpool.cli.support.RunningJvm;
import dev.rockpool.cli.support.Signals;
import dev.rockpool.cli.top.Frame.Sort;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "top",
    header = "Watch who holds native memory in a running JVM.",
    description = {
      "",
      "Shows how the pool serves arenas, direct memory, and, if the agent records (option record),"
          + " the sites of arenas, direct buffers and mapped files: live bytes and rates; with"
          + " option limit or count, the live bytes of those that hold most. Keys l, r, b and n"
          + " sort the sites; q quits. If the output is not a terminal, prints the figures once in"
          + " each interval. Starts the JDK's local management agent in process PID.",
      "",
    })
public final class TopCommand implements Callable<Integer> {
  @Mixin private Target target = new Target();

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      converter = Converters.Time.class,
      description = "Show new figures in each TIME, such as 500ms or 10s (default: 1s).")
  private Duration interval = Duration.ofSeconds(1);

  @Option(names = "--count", paramLabel = "N", description = "End after N intervals.")
  private @Nullable Integer count;

  @Option(
      names = "--sort",
      paramLabel = "COLUMN",
      description = "Sort sites by ${COMPLETION-CANDIDATES} (default: live).")
  private Sort sort = Sort.LIVE;

  @Override
  public Integer call() throws IOException {
    Misuse.unless(count == null || count >= 1, "--count must be at least 1: it is " + count);
    RunningJvm jvm = target.jvm();
    Progress.note("rockpool: waiting for the first figures of process " + jvm.pid());
    boolean isSeen = false;
    try (LiveFigures source = new LiveFigures(jvm, interval);
        @Nullable Screen screen =
            Progress.isTerminal() ? new Screen("rockpool top " + jvm.pid(), sort) : null;
        Signals signals = new Signals()) {
      long left = count == null ? Long.MAX_VALUE : count;
      while (left-- > 0 && shows(source, screen, jvm, signals)) {
        isSeen = true;
      }
    } catch (CommandFailure failure) {
      if (!isSeen || !jvm.hasEnded()) {
        throw failure;
      }
      System.out.println("Process " + jvm.pid() + " has ended.");
    }
    return 0;
  }

  private boolean shows(
      LiveFigures source, @Nullable Screen screen, RunningJvm jvm, Signals signals)
      throws IOException {
    if (screen != null) {
      return screen.show(source.next(), interval, () -> !signals.came());
    }
    if (signals.await(interval, jvm.onExit()) && signals.came()) {
      return false;
    }
    System.out.println(source.next().text(sort, Integer.MAX_VALUE));
    return true;
  }
}
