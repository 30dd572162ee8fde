package dev.rockpool.cli.report.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.report.recording.Chunks.Unusable;
import dev.rockpool.cli.report.recording.Figures.ArenaFigures;
import dev.rockpool.cli.report.recording.Figures.ArenaSite;
import dev.rockpool.cli.report.recording.Figures.ThreadKind;
import dev.rockpool.cli.report.recording.Holders.Field;
import dev.rockpool.cli.report.recording.Merge.Note;
import dev.rockpool.cli.report.recording.Merge.Note.Kind;
import dev.rockpool.cli.report.recording.Recorded.Arena;
import dev.rockpool.cli.report.recording.Recorded.ArenaHistogram;
import dev.rockpool.cli.report.recording.Recorded.HolderSite;
import dev.rockpool.cli.report.recording.Recorded.HolderStack;
import dev.rockpool.cli.report.recording.Recorded.RecorderSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergeTest {
  private static final List<Arena> FEW =
      List.of(Arena.of(), Arena.of(8), Arena.of(8, 20), Arena.of(64), Arena.of(100_000));
  private static final List<Arena> OTHERS = List.of(Arena.of(8), Arena.of(8));

  @TempDir private Path folder;

  private final Merge merge = new Merge();

  private Path file(String name) {
    return folder.resolve(name + ".jfr");
  }

  private Path recorded(String name, List<Arena> arenas) throws IOException {
    return Recorded.record(file(name), Recorded.histogram("platform", arenas));
  }

  private String onlyReason() {
    assertThat(merge.notes(Kind.SKIPPED)).hasSize(1);
    return merge.notes(Kind.SKIPPED).getFirst().reason();
  }

  @Test
  void addsUpAllFiles() throws IOException {
    Path one =
        Recorded.record(
            file("one"),
            new RecorderSettings(),
            Recorded.histogram("platform", FEW),
            Recorded.histogram("virtual", OTHERS),
            Recorded.site("a.A", FEW));
    Path two =
        Recorded.record(
            file("two"),
            Recorded.histogram("platform", OTHERS),
            Recorded.site("a.A", OTHERS),
            Recorded.site("b.B", OTHERS));

    merge.add(one);
    merge.add(two);

    assertThat(merge.notes(Kind.SKIPPED)).isEmpty();
    assertThat(merge.sources()).hasSize(2);
    Figures figures = merge.figures();
    assertThat(figures.blocks()).isEqualTo(3);
    assertThat(figures.recordedNanos()).isPositive();
    assertThat(figures.isPooled()).isTrue();
    ArenaFigures platform = figures.of(ThreadKind.PLATFORM);
    assertThat(platform.arenas()).isEqualTo(7);
    assertThat(platform.allocations()).isEqualTo(7);
    assertThat(platform.bytes()).isEqualTo(8 + 28 + 64 + 100_000 + 16);
    assertThat(platform.empty()).isEqualTo(1);
    assertThat(platform.totals().buckets())
        .isEqualTo(Map.of(0L, 1L, 8L, 3L, 28L, 1L, 64L, 1L, 65536L, 1L));
    assertThat(platform.totalBytes().buckets())
        .isEqualTo(Map.of(0L, 0L, 8L, 24L, 28L, 28L, 64L, 64L, 65536L, 100_000L));
    assertThat(figures.of(ThreadKind.VIRTUAL).arenas()).isEqualTo(2);
    assertThat(figures.all().arenas()).isEqualTo(9);
    ArenaSite site = figures.sites().get("a.A");
    assertThat(site.arenas()).isEqualTo(7);
    assertThat(site.largestTotal()).isEqualTo(100_000);
    assertThat(site.totals().within(8, 63)).isEqualTo(4);
  }

  @Test
  void keepsSecretsOfACommandLineBack() {
    assertThat(Reading.masked("-Ddb.password=a,b --api-token c.d -Dname=e --keystore=f g"))
        .isEqualTo("-Ddb.password=*** --api-token *** -Dname=e --keystore=*** g");
  }

  @Test
  void knowsAJvmAgain() throws IOException {
    merge.add(recorded("one", FEW));
    merge.add(recorded("two", OTHERS));
    assertThat(merge.figures().jvms()).hasSize(1);

    ArenaHistogram event = Recorded.histogram("platform", FEW);
    merge.add(Recorded.recordAnonymously(file("three"), event));
    merge.add(Recorded.recordAnonymously(file("four"), event));
    assertThat(merge.figures().jvms()).hasSize(3);
  }

  @Test
  void countsWhatTwoDumpsHaveInCommonOnce() throws IOException {
    try (Recording recording = Recorded.start()) {
      Path early = Recorded.dump(recording, file("a"), Recorded.histogram("platform", FEW));
      Path late = Recorded.dump(recording, file("b"), Recorded.histogram("platform", OTHERS));
      assertThat(Chunks.of(late).whole()).hasSizeGreaterThan(Chunks.of(early).whole().size());

      merge.add(early);
      merge.add(late);
      merge.add(early);
    } catch (Unusable e) {
      throw new AssertionError(e);
    }

    assertThat(merge.notes(Kind.SKIPPED)).isEmpty();
    assertThat(merge.figures().all().arenas()).isEqualTo(FEW.size() + OTHERS.size());
    assertThat(merge.notes(Kind.REPEATED))
        .extracting(Note::reason)
        .satisfiesExactly(
            reason -> assertThat(reason).matches("\\d+ of \\d+ chunks are known already"),
            reason -> assertThat(reason).isEqualTo("all of it is known already"));
  }

  @Test
  void tellsMergesThatOverlap() throws IOException {
    Merge other = new Merge();
    other.add(recorded("other", FEW));
    HolderSite holder = new HolderSite("shared", "a.A", 3, 1, 0);
    holder.run = 42;
    Path file = Recorded.record(file("a"), Recorded.site("a.A", FEW), holder);
    merge.add(file);
    Merge again = new Merge();
    again.add(file);

    assertThat(merge.parts()).contains("run 42").doesNotContainAnyElementsOf(other.parts());
    assertThat(other.parts()).isNotEmpty();
    assertThat(again.parts()).isEqualTo(merge.parts());
  }

  @Test
  void namesWhatIsNoRecording() throws IOException {
    merge.add(file("missing"));
    merge.add(folder);
    merge.add(Files.createFile(file("empty")));
    merge.add(
        Files.writeString(file("text"), "a text that is longer than a chunk's header. ".repeat(9)));
    merge.add(Files.writeString(file("short"), "x"));

    assertThat(merge.notes(Kind.SKIPPED))
        .extracting(Note::reason)
        .containsExactly(
            "there is no such file",
            "it is no file",
            "it is empty",
            "it is no recording of JDK Flight Recorder",
            "it is no recording of JDK Flight Recorder");
  }

  @Test
  void namesARecordingWithoutArenas() throws IOException {
    merge.add(Recorded.record(file("foreign"), new Recorded.Elsewhere()));
    assertThat(onlyReason())
        .isEqualTo("no arenas were recorded in it: its JVM ran without the recorder");
  }

  @Test
  void takesAJvmThatClosedNoArena() throws IOException {
    merge.add(Recorded.record(file("idle"), new RecorderSettings()));
    assertThat(merge.notes(Kind.SKIPPED)).isEmpty();
    assertThat(merge.figures().all().arenas()).isZero();
  }

  @Test
  void namesARecordingThatIsCutOff() throws IOException {
    byte[] whole = Files.readAllBytes(recorded("whole", FEW));
    for (int length : new int[] {4, 67, 68, whole.length / 2, whole.length - 1}) {
      Merge one = new Merge();
      one.add(Files.write(file("cut"), Arrays.copyOf(whole, length)));
      assertThat(one.sources()).isEmpty();
      assertThat(one.notes(Kind.SKIPPED).getFirst().reason())
          .isEqualTo(
              "it is cut off at byte " + length + ", within the chunk that begins at byte 0");
    }
  }

  /** Wherever it is cut off, and also if the JVM never wrote how long its last chunk is. */
  @Test
  void addsTheChunksBeforeOneThatIsCutOff() throws IOException {
    byte[] first = Files.readAllBytes(recorded("first", FEW));
    byte[] both = joined(first, Files.readAllBytes(recorded("second", OTHERS)));
    for (int length : new int[] {first.length + 4, first.length + 68, both.length - 1}) {
      Merge one = new Merge();
      one.add(Files.write(file("cut"), Arrays.copyOf(both, length)));
      assertThat(one.figures().all().arenas()).isEqualTo(FEW.size());
      assertThat(one.sources()).hasSize(1);
      assertThat(one.notes(Kind.SKIPPED)).isEmpty();
      assertThat(one.notes(Kind.PARTLY).getFirst().reason())
          .isEqualTo(
              "it is cut off at byte "
                  + length
                  + ", within the chunk that begins at byte "
                  + first.length
                  + "; of it was read what comes before");
    }
    ByteBuffer.wrap(both).putLong(first.length + 8, 0);
    merge.add(Files.write(file("open"), both));
    assertThat(merge.figures().all().arenas()).isEqualTo(FEW.size());
    assertThat(merge.notes(Kind.PARTLY).getFirst().reason()).startsWith("it is not finished: ");
  }

  private static byte[] joined(byte[] one, byte[] other) {
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  @Test
  void namesARecordingThatGoesOnWithSomethingElse() throws IOException {
    byte[] whole = Files.readAllBytes(recorded("whole", FEW));
    merge.add(Files.write(file("more"), Arrays.copyOf(whole, whole.length + 100)));
    assertThat(onlyReason())
        .isEqualTo("it is damaged: there should be another chunk at byte " + whole.length);
  }

  @ParameterizedTest
  @CsvSource({
    "threadKind, green, threadKind must be platform or virtual: \"green\"",
    "totals, 1=1 x, an entry of a histogram must be BUCKET=COUNT: \"x\"",
    "totals, 99=1, a histogram of bytes has no bucket 99",
  })
  void addsNothingOfAFileWithEventsThatMakeNoSense(String field, String value, String reason)
      throws Exception {
    ArenaHistogram event = Recorded.histogram("platform", OTHERS);
    ArenaHistogram.class.getField(field).set(event, value);

    merge.add(Recorded.record(file("odd"), Recorded.histogram("platform", FEW), event));

    assertThat(onlyReason()).isEqualTo("it can't be read: " + reason);
    assertThat(merge.figures().all().arenas()).isZero();
  }

  @Test
  void namesARecordingOfAnOlderVersion() throws IOException {
    merge.add(Recorded.record(file("former"), new Recorded.FormerArenaSite()));
    assertThat(onlyReason())
        .isEqualTo("an older version of Rockpool recorded it: record the program again");
  }

  /** A forged file neither ends the report nor spoils the figures of the others. */
  @Test
  void refusesForgedFigures() throws IOException {
    ArenaHistogram most = Recorded.histogram("platform", FEW);
    most.totals = "8=4611686018427387904 16=4611686018427387904";
    HolderSite one = new HolderSite("shared", "a.A.a:1", 1, 1, 0);
    one.liveBytes = 1L << 62;
    HolderSite other = new HolderSite("shared", "a.A.b:1", 1, 1, 0);
    other.liveBytes = 1L << 62;
    HolderSite negative = new HolderSite("shared", "a.A.a:1", 1, 1, 0);
    negative.live = -1;
    HolderStack deep = new HolderStack("shared", "a.A.a:1", "a.A.a:1\n".repeat(20_000), 1);

    merge.add(Recorded.record(file("arenas"), most));
    merge.add(Recorded.record(file("holders"), new RecorderSettings(), one, other));
    merge.add(Recorded.record(file("negative"), negative));
    merge.add(Recorded.record(file("stack"), deep));
    merge.add(Recorded.record(file("NaN"), new Recorded.NotANumber()));
    merge.add(lasting(recorded("long", FEW), Long.MAX_VALUE));
    merge.add(recorded("good", OTHERS));

    assertThat(merge.notes(Kind.SKIPPED))
        .extracting(Note::reason)
        .satisfiesExactly(
            reason -> assertThat(reason).contains("from 0 to 2^62: 9223372036854775807"),
            reason -> assertThat(reason).contains("from 0 to 2^62: 9223372036854775807"),
            reason -> assertThat(reason).contains("from 0 to 2^62: -1"),
            reason -> assertThat(reason).contains("a stack must have at most 1000 frames"),
            reason -> assertThat(reason).startsWith("it can't be read: "),
            reason -> assertThat(reason).contains("from 0 to 2^62: 9223372036854775807"));
    assertThat(merge.figures().all().arenas()).isEqualTo(OTHERS.size());
    assertThat(merge.figures().holders().all()).isEmpty();
  }

  /** Writes how long the first chunk of {@code file} lasts. */
  private static Path lasting(Path file, long nanos) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    ByteBuffer.wrap(bytes).putLong(40, nanos);
    return Files.write(file, bytes);
  }

  /** The JDK's reader throws an InternalError for it. */
  @Test
  void namesARecordingThatTheJdkCannotRead() throws IOException {
    byte[] whole = Files.readAllBytes(Recorded.record(file("a"), new Recorded.Elsewhere()));
    String text = new String(whole, StandardCharsets.ISO_8859_1);
    merge.add(
        Files.write(
            file("forged"),
            text.replace("rockpool.Elsewhere", "rockpool.Else#here")
                .getBytes(StandardCharsets.ISO_8859_1)));
    merge.add(recorded("good", OTHERS));
    assertThat(onlyReason())
        .isEqualTo("it can't be read: dev.rockpool.Else#here is not a valid Java type");
    assertThat(merge.figures().all().arenas()).isEqualTo(OTHERS.size());
  }

  /** Each as large as a JVM's can be. */
  @Test
  void sumsOfForgedFilesDoNotEndTheReport() throws IOException {
    for (int i = 0; i < 20; i++) {
      HolderSite site = new HolderSite("shared", "a.A.a:1", 1, 1, 0);
      site.run = i;
      site.liveBytes = 1L << 62;
      Path file = Recorded.record(file("f" + i), Recorded.histogram("platform", FEW), site);
      merge.add(lasting(file, 1L << 62));
    }
    assertThat(merge.notes(Kind.SKIPPED)).isEmpty();
    assertThat(merge.figures().recordedNanos()).isEqualTo(Long.MAX_VALUE);
    assertThat(merge.figures().holders().all())
        .singleElement()
        .satisfies(site -> assertThat(site.get(Field.LIVE_BYTES)).isEqualTo(Long.MAX_VALUE));
  }

  /** 16 processors use as many years of time in one. */
  @Test
  void takesAJvmThatRanForYears() throws IOException {
    RecorderSettings settings = new RecorderSettings();
    settings.processorTime = 16L * 3 * 365 * 86_400 * 1_000_000_000;
    HolderSite site = new HolderSite("shared", "a.A.a:1", 1, 1, 0);
    site.age = 3L * 365 * 86_400 * 1_000_000_000;
    merge.add(Recorded.record(file("server"), settings, site));
    assertThat(merge.notes(Kind.SKIPPED)).isEmpty();
  }

  /** Class names, or a forged file, must not steer the terminal. */
  @Test
  void replacesControlCharacters() throws IOException {
    merge.add(
        Recorded.record(
            file("odd"),
            new RecorderSettings(),
            new HolderSite("shared", "a.\u001b[31mA\u009b\nb:1", 1, 1, 0)));
    assertThat(merge.figures().holders().all())
        .singleElement()
        .satisfies(holder -> assertThat(holder.site()).isEqualTo("a.?[31mA??b:1"));
  }

  /**
   * Whatever is wrong with a file, it says so or adds figures; the next file is read all the same.
   */
  @Test
  void survivesDamageAnywhere() throws IOException {
    byte[] whole = Files.readAllBytes(recorded("whole", FEW));
    Path healthy = recorded("healthy", OTHERS);
    Random random = new Random(20261121);
    int skipped = 0;
    for (int run = 0; run < 200; run++) {
      byte[] bytes = whole.clone();
      for (int i = 0; i < 20; i++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      Merge one = new Merge();
      one.add(Files.write(file("damaged"), bytes));
      one.add(healthy);
      skipped += one.notes(Kind.SKIPPED).size();
      assertThat(one.figures().all().arenas()).isGreaterThanOrEqualTo(OTHERS.size());
      if (one.sources().size() == 1) {
        assertThat(one.figures().all().arenas()).isEqualTo(OTHERS.size());
      }
    }
    assertThat(skipped).isPositive();
  }
}
