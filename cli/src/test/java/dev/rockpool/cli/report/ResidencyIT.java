package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.condition.OS.LINUX;

import dev.rockpool.cli.report.recording.Merge;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From programs with native memory that Java code does not hold to what the report says of it. */
@EnabledOnOs(LINUX)
class ResidencyIT {
  private static final String TRACKED = "-XX:NativeMemoryTracking=summary";

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "leak, C code: ",
    "arenas, Free in malloc: at least ",
  })
  void adviceIsOfWhatIsMuch(String program, String advice) throws Exception {
    assertThat(advice(program, TRACKED)).singleElement().asString().startsWith(advice);
  }

  @Test
  void withoutMuchThereIsNoAdvice() throws Exception {
    assertThat(advice("none", TRACKED)).isEmpty();
    assertThat(advice("none", "-XX:NativeMemoryTracking=off")).isEmpty();
  }

  @Test
  void whatIsFreeIsKnownWithoutTracking() throws Exception {
    assertThat(advice("arenas", "-XX:NativeMemoryTracking=off"))
        .anyMatch(sentence -> sentence.startsWith("Free in malloc: at least "));
    assertThat(advice("leak", "-XX:NativeMemoryTracking=off"))
        .singleElement()
        .asString()
        .startsWith("C code: ");
  }

  /** What the advice promises: the memory is given back, and the advice is gone. */
  @Test
  void trimmingGivesBackWhatIsFree() throws Exception {
    assertThat(advice("trimmed", TRACKED, "-XX:TrimNativeHeapInterval=100")).isEmpty();
  }

  /** A list keeps all buffers up to the JVM's limit: full collections have freed none. */
  @Test
  void whatFullCollectionsKeptIsHeld() throws Exception {
    Report report = report("kept", "-XX:MaxDirectMemorySize=64m");
    assertThat(Headlines.of(report).process())
        .startsWith("Process: 1 OutOfMemoryError said that no room was left for direct buffers; ");
    assertThat(Advice.of(report))
        .anySatisfy(
            sentence ->
                assertThat(sentence)
                    .startsWith("Held: direct " + Residents.class.getName())
                    .contains("A full collection freed none of them: 6"));
  }

  @Test
  void whatNoCollectionLookedForMayBeGarbage() throws Exception {
    assertThat(Advice.of(report("garbage", "-Xmn40m")))
        .anySatisfy(
            sentence ->
                assertThat(sentence)
                    .startsWith("Not collected yet: direct " + Residents.class.getName())
                    .containsPattern("No (full )?collection ran.*: this may be garbage"));
  }

  /** Eight threads that each wrote a heap buffer of 16 MiB through a channel. */
  @Test
  void temporaryBuffersOfChannelsAreToldByThread() throws Exception {
    Report report = report("channels", TRACKED);
    ProcessSummary summary = report.process();
    assertThat(summary).isNotNull();
    assertThat(summary.peak().of("Java code: temporary")).isBetween(8L << 24, 9L << 24);
    assertThat(summary.peak().of(Residency.NO_SITE)).isLessThan(1 << 20);
    assertThat(Advice.of(report))
        .singleElement()
        .asString()
        .startsWith("Temporary buffers: temporary (channels): ")
        .containsPattern("live with 134,\\d+,\\d+ B")
        .contains("maxCachedBufferSize");
  }

  /** A program that frees all in order before its end. */
  @Test
  void thePeakIsToldAlthoughAllIsFreedAtTheEnd() throws Exception {
    Report report = report("batch", TRACKED);
    ProcessSummary summary = report.process();
    assertThat(summary).isNotNull();
    assertThat(summary.peak().of("Java code: shared")).isEqualTo(300 << 20);
    assertThat(summary.last().of("Java code: shared")).isZero();
    assertThat(Headlines.of(report).process()).contains("Java code grew by 300 MiB");
    assertThat(Advice.of(report))
        .first()
        .asString()
        .startsWith("Most at the peak: shared " + Residents.class.getName());
  }

  private List<String> advice(String program, String... options) throws Exception {
    Report report = report(program, options);
    ProcessSummary summary = report.process();
    assertThat(summary).isNotNull();
    assertThat(summary.peak().of(Residency.UNEXPLAINED)).isLessThan(summary.peak().resident() / 20);
    assertThat(report.page().text()).contains("Where the process's memory is", "Resident set at ");
    return summary.advice();
  }

  private Report report(String program, String... options) throws Exception {
    Path recording = folder.resolve(program + ".jfr");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(List.of("-Xmx48m", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
    String agent = Path.of(System.getProperty("rockpool.agent.jar")).toAbsolutePath().toString();
    command.add("-javaagent:" + agent + "=record=" + recording);
    command.addAll(List.of("-cp", Path.of("target", "test-classes").toString()));
    command.addAll(List.of(Residents.class.getName(), program));
    Process running = new ProcessBuilder(command).inheritIO().start();
    assertThat(running.waitFor()).isZero();
    Merge merge = new Merge();
    merge.add(recording);
    assertThat(merge.notes()).isEmpty();
    return Report.of(merge, "");
  }
}
