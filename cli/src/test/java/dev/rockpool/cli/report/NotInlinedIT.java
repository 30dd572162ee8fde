package dev.rockpool.cli.report;

import static dev.rockpool.cli.CommandLineJar.rockpool;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.rockpool.cli.CommandLineJar;
import dev.rockpool.cli.CommandLineJar.Outcome;
import dev.rockpool.cli.report.recording.Merge;
import dev.rockpool.testing.Sources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From programs that access native memory to the calls that C2 refused there. */
class NotInlinedIT {
  /** In "large" each access is in a method of its own; "deep" has one access, many calls deep. */
  private static final String PROGRAM =
      """
      import java.lang.foreign.*;
      import java.lang.invoke.VarHandle;

      public class Main {
        static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

        static void add(MemorySegment segment, long offset) {
          INT.set(segment, offset, (int) INT.get(segment, offset) + 1);
        }

        static void small(MemorySegment segment) {
          for (int i = 0; i < 350; i++) {
            add(segment, 4 * i);
          }
        }

        public static void main(String[] args) {
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(4096);
            for (int i = 0; i < 20_000; i++) {
              switch (args[0]) {
                case "large" -> large(segment);
                case "deep" -> deep0(segment);
                default -> small(segment);
              }
            }
          }
        }

        static void large(MemorySegment segment) {
          %s
        }

        %s

        %s

        static void deep14(MemorySegment segment) {
          add(segment, 0);
        }
      }
      """;

  private static final List<String> INLINING = List.of("--inlining");

  @TempDir private Path folder;

  private static String each(int number, String code) {
    return String.join(
        "\n",
        IntStream.range(0, number)
            .mapToObj(i -> code.replace("NEXT", "" + (i + 1)).replace("NUMBER", "" + i))
            .toList());
  }

  /** C2 compiles while the program waits, so that the recording has it. */
  private Report report(String mode, List<String> recordOptions, String... jvmOptions)
      throws Exception {
    String program =
        PROGRAM.formatted(
            each(350, "addNUMBER(segment);"),
            each(
                350,
                "static void addNUMBER(MemorySegment segment) {\n"
                    + "  long offset = 4 * NUMBER;\n"
                    + "  INT.set(segment, offset, (int) INT.get(segment, offset) + 1); }"),
            each(14, "static void deepNUMBER(MemorySegment segment) { deepNEXT(segment); }"));
    Sources.compileTo(folder, program);
    Path recording = folder.resolve("a.jfr");
    List<String> command = new ArrayList<>(List.of("record", "-o", recording.toString()));
    command.addAll(recordOptions);
    command.addAll(List.of("--", CommandLineJar.command().getFirst(), "-Xbatch"));
    command.addAll(List.of(jvmOptions));
    command.addAll(List.of("-cp", folder.toString(), "Main", mode));
    Outcome outcome = rockpool(command.toArray(String[]::new));
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    Merge merge = new Merge();
    merge.add(recording);
    assertThat(merge.notes()).isEmpty();
    return Report.of(merge, "");
  }

  private static List<NotInlined> notInlined(Report report) {
    return NotInlined.of(report.figures().callsNotInlined());
  }

  @Test
  void aMethodThatIsTooLargeIsNamed() throws Exception {
    Report report = report("large", INLINING);

    NotInlined large = notInlined(report).getFirst();
    assertThat(large.method()).isEqualTo("Main.large");
    assertThat(large.reason()).isIn("NodeCountInliningCutoff", "size > DesiredMethodLimit");
    assertThat(large.calls()).hasSizeBetween(50, 350);
    assertThat(large.example()).startsWith("Main.large -> Main.add");
    assertThat(report.page().text())
        .contains("compiled method", "Main.large ", "Too large: ")
        .doesNotContain("Too deep: ");
    JsonObject json =
        ReportJson.of(report).getAsJsonArray("callsNotInlined").get(0).getAsJsonObject();
    assertThat(json.get("method").getAsString()).startsWith("Main.large(");
    assertThat(json.get("reason").getAsString()).isEqualTo(large.reason());
  }

  @Test
  void theFlagThatIsAdvisedHelpsWhereCallsAreTooDeep() throws Exception {
    Report report = report("deep", INLINING);

    assertThat(notInlined(report))
        .isNotEmpty()
        .allSatisfy(each -> assertThat(each.reason()).isEqualTo("inlining too deep"))
        .allSatisfy(each -> assertThat(each.method()).startsWith("Main.deep"));
    assertThat(report.page().text())
        .contains("Too deep: ", "-XX:MaxInlineLevel=25")
        .doesNotContain("Too large: ");
    assertThat(notInlined(report("deep", INLINING, "-XX:MaxInlineLevel=25"))).isEmpty();
  }

  @Test
  void asManyAccessesInALoopAreInlined() throws Exception {
    Report report = report("small", INLINING);

    assertThat(notInlined(report)).isEmpty();
    assertThat(report.page().text()).contains("C2 refused no call of native memory at a limit.");
    assertThat(ReportJson.of(report).getAsJsonArray("callsNotInlined")).isEmpty();
  }

  @Test
  void withoutTheOptionNothingIsSaidOfIt() throws Exception {
    Report report = report("large", List.of());

    assertThat(report.page().text()).doesNotContain("C2 refused", "compiled method");
    assertThat(ReportJson.of(report).get("callsNotInlined").isJsonNull()).isTrue();
  }
}
