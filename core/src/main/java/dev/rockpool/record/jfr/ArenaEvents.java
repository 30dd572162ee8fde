package dev.rockpool.record.jfr;

import dev.rockpool.record.Recorder;
import dev.rockpool.record.Shape;
import dev.rockpool.record.Tally;
import dev.rockpool.record.Unreported;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/** Writes the recorded counts as events of JDK Flight Recorder, at the end of each chunk. */
public final class ArenaEvents {
  /** Null until the events are registered, which happens once in a JVM. */
  private static @Nullable ArenaEvents registered;

  private final Unreported forHistograms = new Unreported(Recorder.SHARED);
  private final Unreported forSites = new Unreported(Recorder.SHARED);

  private volatile Settings settings;

  private record Settings(String version, boolean arenas) {}

  private ArenaEvents(Settings settings) {
    this.settings = settings;
  }

  /**
   * Registers the events, which starts the recorder of the JVM if need be, but no recording. A
   * later call replaces the version and the option that the events tell.
   *
   * @param version of Rockpool
   * @param arenas whether arenas are pooled, as far as the options say
   */
  public static synchronized void register(String version, boolean arenas) {
    Settings settings = new Settings(version, arenas);
    if (registered != null) {
      registered.settings = settings;
      return;
    }
    ArenaEvents events = new ArenaEvents(settings);
    FlightRecorder.addPeriodicEvent(RecorderSettingsEvent.class, events::writeSettings);
    FlightRecorder.addPeriodicEvent(ArenaHistogramEvent.class, events::writeHistograms);
    FlightRecorder.addPeriodicEvent(ArenaSiteEvent.class, events::writeSites);
    registered = events;
  }

  private void writeSettings() {
    Settings now = settings;
    new RecorderSettingsEvent(now.version(), now.arenas()).commit();
  }

  private void writeHistograms() {
    for (List<Tally> kind : grouped(forHistograms, ArenaEvents::kind)) {
      new ArenaHistogramEvent(kind).commit();
    }
  }

  private void writeSites() {
    for (List<Tally> site : grouped(forSites, tally -> Shape.site(tally.shape()))) {
      new ArenaSiteEvent(site).commit();
    }
  }

  private static int kind(Tally tally) {
    return (Shape.served(tally.shape()) << 1) | (Shape.isVirtual(tally.shape()) ? 1 : 0);
  }

  private static Collection<List<Tally>> grouped(
      Unreported figures, Function<Tally, Integer> group) {
    return figures.next().stream().collect(Collectors.groupingBy(group)).values();
  }
}
