package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.rockpool.child.ChildJvm.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** System property {@code rockpool.check}, from its raw text to what a program is told. */
class CheckStartTest {
  private static final String ON = "-Drockpool.check=on";

  private static ChildJvm granted(String... options) {
    return ChildJvm.onClassPath().with("--enable-native-access=ALL-UNNAMED").with(options);
  }

  private static void assertChecked(Result result) {
    assertThat(result.value("class")).isEqualTo("CheckedArena");
    assertThat(result.value("statistics")).contains("state=CHECKED", "overruns=4", "lateWrites=0");
    assertThat(result.notices()).hasSize(4);
  }

  @Test
  void arenasAreNotCheckedByDefault() throws Exception {
    Result result = granted().run(CheckProbe.class, "overruns"); // within the block, so harmless
    assertThat(result.value("class")).isEqualTo("BlockArena");
    assertThat(result.value("call")).isEqualTo("nothing");
    assertThat(result.value("statistics")).contains("state=ON", "overruns=0");
    assertThat(result.err()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "-Drockpool.block.size=0, -Xint",
    "-Drockpool.blocks.per.thread=0, -XX:TieredStopAtLevel=1"
  })
  void arenasAreCheckedWithAllSizesAndCompilers(String size, String compiler) throws Exception {
    assertChecked(granted(ON, size, compiler).run(CheckProbe.class, "overruns"));
  }

  @Test
  void arenasOfTheModuleAreChecked() throws Exception {
    assertChecked(
        ChildJvm.onModulePath()
            .with("--enable-native-access=dev.rockpool,ALL-UNNAMED", ON)
            .run(CheckProbe.class, "overruns"));
  }

  @Test
  void openerIsTheProgramsClassMethodAndLine() throws Exception {
    Result result = granted(ON).run(CheckProbe.class, "overruns");
    for (String way : new String[] {"call", "pool", "reference", "virtual"}) {
      assertThat(result.value(way))
          .startsWith(
              "java.lang.AssertionError: Memory beside a segment must not be written to: byte 24")
          .containsPattern(
              "opened by dev\\.rockpool\\.child\\.CheckProbe\\.(overruns|lambda\\$overruns\\$\\d)"
                  + "\\(CheckProbe\\.java:\\d+\\)\\.");
    }
  }

  /** The failure of closing the call's arena does not replace, nor hide behind, the call's own. */
  @Test
  void overrunOfACallThatThrowsIsAddedToItsException() throws Exception {
    Result result = granted(ON).run(CheckProbe.class, "call");
    assertThat(result.value("thrown")).isEqualTo("java.lang.IllegalStateException: of the call");
    assertThat(result.value("suppressed"))
        .startsWith("java.lang.AssertionError: Memory beside a segment must not be written to: ");
  }

  @Test
  void lateWriteIsReportedWhenTheJvmEnds() throws Exception {
    Result result = granted(ON).run(CheckProbe.class, "late write");
    assertThat(result.value("read")).isEqualTo("dd");
    assertThat(result.value("statistics")).contains("lateWrites=0");
    assertThat(result.err())
        .singleElement()
        .asString()
        .startsWith("[rockpool] Memory of a closed arena must not be written to: byte 3 of")
        .contains("hold 5a dd dd", "opened by dev.rockpool.child.CheckProbe.lateWrite(");
  }

  /** Each allocation is a malloc of its own, and freed in the end. */
  @Test
  @EnabledOnOs(OS.LINUX) // LD_PRELOAD
  void addressSanitizerSeesWhatIsBehindTheGuardAndWhatIsFreed() throws Exception {
    CLibraries.assumeNoEmulator("the sanitizer is the machine's");
    Path sanitizer = Path.of(CLibraries.run("cc", "-print-file-name=libasan.so").strip());
    assumeThat(sanitizer).as("comes with gcc").exists();
    Result result =
        granted(ON)
            .withVariable("LD_PRELOAD", sanitizer.toString())
            .withVariable(
                "ASAN_OPTIONS",
                "halt_on_error=0:suppress_equal_pcs=0:detect_leaks=0:handle_segv=0"
                    + ":allow_user_segv_handler=1")
            .run(CheckProbe.class, "for a sanitizer");
    String printed = String.join("\n", result.err());
    assertThat(printed.split("ERROR: AddressSanitizer: heap-buffer-overflow", -1)).hasSize(2);
    assertThat(printed.split("ERROR: AddressSanitizer: heap-use-after-free", -1)).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "--illegal-native-access=deny, Native access is denied",
    "-Dsun.nio.PageAlignDirectMemory=true, Checked arenas need allocations that may start within a"
        + " page",
    "-Djdk.internal.foreign.CABI=UNSUPPORTED, can't be allocated"
  })
  void arenasAreTheJdksWhereNoneCanBeCheckedAndThatIsReportedOnce(String option, String reason)
      throws Exception {
    Result result = ChildJvm.onClassPath().with(ON, option).run(PoolProbe.class);
    assertThat(result.value("works")).isEqualTo("true");
    assertThat(result.value("room")).isEqualTo("64");
    assertThat(result.notices()).singleElement().asString().contains(reason);
  }
}
