package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.report.recording.Merge;
import dev.rockpool.cli.report.recording.Recorded;
import dev.rockpool.cli.report.recording.Recorded.Arena;
import dev.rockpool.cli.report.recording.Recorded.ProcessMemory;
import dev.rockpool.cli.report.recording.Recorded.ProcessPart;
import dev.rockpool.cli.report.recording.Recorded.RecorderSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import jdk.jfr.Event;

/** Recordings, and reports of them. */
final class Samples {
  static final String LONG_NAME =
      "org.example.library.with.long.names.internal.NativeBindings$Generated$0x0001<a&b>";

  private Samples() {}

  /** Returns the report of a recording with events. */
  static Report report(Path folder, Event... events) throws IOException {
    Merge merge = new Merge();
    merge.add(Recorded.record(Files.createTempFile(folder, "", ".jfr"), events));
    assertThat(merge.notes()).isEmpty();
    return Report.of(merge, "nobody asked");
  }

  /** As above, with an event on the recorder before the others. */
  static Report reportOfRecorder(Path folder, Event... events) throws IOException {
    List<Event> all = new ArrayList<>(List.of(events));
    all.addFirst(new RecorderSettings());
    return report(folder, all.toArray(Event[]::new));
  }

  /** A recording of a program with arenas of many sizes. */
  static Path record(Path file) throws IOException {
    List<Arena> small = new ArrayList<>();
    small.addAll(Collections.nCopies(4700, Arena.of()));
    small.addAll(Collections.nCopies(5000, Arena.of(8)));
    small.addAll(Collections.nCopies(150, Arena.of(16, 4)));
    small.addAll(Collections.nCopies(120, Arena.of(40, 10)));
    List<Arena> large = new ArrayList<>();
    large.addAll(Collections.nCopies(20, Arena.of(451)));
    large.addAll(Collections.nCopies(9, Arena.of(1500)));
    large.add(Arena.of(70_000));
    large.add(Arena.of(600_000));
    return Recorded.record(
        file,
        new RecorderSettings(),
        new ProcessMemory(1, 100),
        new ProcessPart(1, "Java heap", 80, 128),
        new ProcessMemory(2, 110),
        new ProcessPart(2, "Java heap", 90, 128),
        Recorded.histogram("platform", small),
        Recorded.histogram("platform", small.subList(4600, 5000)),
        Recorded.histogram("virtual", large),
        Recorded.site("org.example.Handles", small),
        Recorded.site(LONG_NAME, large));
  }
}
