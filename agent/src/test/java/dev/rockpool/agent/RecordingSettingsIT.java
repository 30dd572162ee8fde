package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Sources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jfr.DataAmount;
import jdk.jfr.EventType;
import jdk.jfr.Timespan;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recording of {@code docs/rockpool.jfc}, which somebody may pass on. */
class RecordingSettingsIT {
  private static final Path SETTINGS = Path.of("../docs/rockpool.jfc").toAbsolutePath();

  private static final String SECRET = "hunter2";

  private static final String PROGRAM =
      """
      static void main() {
        try (java.lang.foreign.Arena arena = java.lang.foreign.Arena.ofConfined()) {
          arena.allocate(8);
        }
      }
      """;

  @TempDir private Path folder;

  private ChildJvm.Exit run(String options, String... more) throws IOException {
    Path secrets = Files.createDirectories(folder.resolve(SECRET));
    Path jar = Jars.create(secrets.resolve("a.jar"), Sources.compile(Sources.RELEASE, PROGRAM));
    return ChildJvm.withAgent(options)
        .with(more)
        .with("-Xlog:jfr*=off", "-XX:NativeMemoryTracking=summary", "-Dpassword=" + SECRET)
        .environment("PASSWORD", SECRET)
        .run("-jar", jar.toString(), SECRET);
  }

  private Path recording() throws IOException {
    Path file = folder.resolve("settings.jfr");
    run("record", "-XX:StartFlightRecording:settings=" + SETTINGS + ",filename=" + file)
        .quietOutput();
    return file;
  }

  @Test
  void hasTheEventsThatItNamesAndNoOther() throws IOException {
    Set<String> recorded = recorded(recording());
    assertThat(named()).containsAll(recorded);
    assertThat(recorded)
        .contains("dev.rockpool.HolderSite", "dev.rockpool.ProcessMemory")
        .containsAll(
            named().stream().filter(name -> name.startsWith("jdk.")).collect(Collectors.toSet()));
    Path own = folder.resolve("own.jfr");
    run("record=" + own).quietOutput();
    assertThat(recorded(own)).isEqualTo(recorded);
  }

  /** As docs/recording.md says. */
  @Test
  void hasTheInliningOfTheCompilersOnRequest() throws IOException {
    Path file = folder.resolve("settings.jfr");
    String enabled = ",+jdk.CompilerInlining#enabled=true,filename=" + file;
    run("record", "-XX:StartFlightRecording:settings=" + SETTINGS + enabled).quietOutput();
    Path own = folder.resolve("own.jfr");
    run("record.inlining,record=" + own).quietOutput();
    assertThat(recorded(file)).contains("jdk.CompilerInlining").isEqualTo(recorded(own));
  }

  private static Set<String> recorded(Path file) throws IOException {
    return RecordingFile.readAllEvents(file).stream()
        .map(RecordedEvent::getEventType)
        .map(EventType::getName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void hasNothingOfTheCommandLineAndTheEnvironment() throws IOException {
    String text = Files.readString(recording(), StandardCharsets.ISO_8859_1);
    assertThat(text).contains("a.jar").doesNotContain(SECRET, folder.toString());
  }

  /** As Mission Control shows them: by label, and numbers with their units. */
  @Test
  void namesAllEventsOfRockpoolWhichHaveLabelsAndUnits() throws IOException {
    List<EventType> types;
    try (RecordingFile file = new RecordingFile(recording())) {
      types =
          file.readEventTypes().stream()
              .filter(type -> type.getName().startsWith("dev.rockpool."))
              .toList();
    }
    assertThat(types).extracting(EventType::getName).isSubsetOf(named()).hasSizeGreaterThan(7);
    for (EventType type : types) {
      assertThat(type.getLabel()).isNotNull();
      assertThat(type.getDescription()).isNotNull();
      assertThat(type.getCategoryNames()).containsExactly("Rockpool");
      for (ValueDescriptor field : type.getFields()) {
        if (field.getName().matches("(?i).*bytes|bytes.*|.*used|largest.*|capacity|.*files|.*free")
            && field.getTypeName().equals("long")) {
          assertThat(field.getAnnotation(DataAmount.class)).as(field.getName()).isNotNull();
        }
        if (field.getName().matches("(?i).*(time|life|median|close)|age|oldest")
            && field.getTypeName().equals("long")
            && !field.getName().equals("startTime")) {
          assertThat(field.getAnnotation(Timespan.class)).as(field.getName()).isNotNull();
        }
      }
    }
  }

  private static Set<String> named() throws IOException {
    return Pattern.compile("<event name=\"([^\"]+)\"")
        .matcher(Files.readString(SETTINGS))
        .results()
        .map((MatchResult found) -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
