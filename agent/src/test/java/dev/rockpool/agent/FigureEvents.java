package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** The events of Rockpool in a file of the Flight Recorder, and the figures that they have. */
final class FigureEvents {
  private FigureEvents() {}

  /** Those of this name behind {@code dev.rockpool.}. */
  static List<RecordedEvent> read(Path file, String name) throws IOException {
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals("dev.rockpool." + name))
        .toList();
  }

  /** Figures are fields and numbers, as in {@code opened=1 closed=0}. */
  static void assertFigures(RecordedEvent event, String figures) {
    assertThat(event).isNotNull();
    for (String figure : figures.split(" ", -1)) {
      String field = figure.substring(0, figure.indexOf('='));
      assertThat(field + "=" + event.getLong(field)).as("%s", event).isEqualTo(figure);
    }
  }
}
