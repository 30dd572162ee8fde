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
class GapIT {
  private static final String TRACKED = "-XX:NativeMemoryTracking=summary";

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "leak, C code: ",
    "arenas, Free in malloc: at least ",
    "channels, Held by no site: native memory tracking has ",
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

  private List<String> advice(String program, String... options) throws Exception {
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
    Report report = Report.of(merge, "");
    ProcessSummary summary = ProcessSummary.of(report);
    assertThat(summary).isNotNull();
    assertThat(summary.peak().of(Residency.UNEXPLAINED)).isLessThan(summary.peak().resident() / 20);
    assertThat(report.page().text()).contains("where the process's memory is", "Resident set at ");
    return summary.advice();
  }
}
