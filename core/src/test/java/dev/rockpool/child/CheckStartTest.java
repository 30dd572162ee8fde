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
import org.junit.jupiter.params.provider.ValueSource;

/** System property {@code rockpool.check}, from its raw text to what a program is told. */
class CheckStartTest {
  private static final String ON = "-Drockpool.check=on";

  private static ChildJvm granted(String... options) {
    return ChildJvm.onClassPath().with("--enable-native-access=ALL-UNNAMED").with(options);
  }

  private static void assertChecked(Result result) {
    assertThat(result.value("class")).isEqualTo("CheckedArena");
    assertThat(result.value("statistics")).contains("state=CHECKED", "overruns=5", "lateWrites=0");
    assertThat(result.notices()).hasSize(5);
  }

  private static void assertNotChecked(Result result, String arena, String state) {
    assertThat(result.value("class")).isEqualTo(arena);
    assertThat(result.value("statistics")).contains("state=" + state, "overruns=0");
    assertThat(result.value("call")).isEqualTo("nothing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-Drockpool.check=off", "-Drockpool.check= off ", "-Dnone"})
  void offArenasArePooled(String option) throws Exception {
    // Within the slab, where it does no harm.
    Result result = granted(option).run(CheckProbe.class, "overruns");
    assertNotChecked(result, "PooledArena", "ON");
    assertThat(result.err()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"on", " on "})
  void onArenasAreChecked(String raw) throws Exception {
    assertChecked(granted("-Drockpool.check=" + raw).run(CheckProbe.class, "overruns"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-Drockpool.slab.size=0",
        "-Drockpool.slabs.per.thread=0",
        "-Drockpool.shared.slots=0",
        "-Xint",
        "-XX:TieredStopAtLevel=1"
      })
  void arenasAreCheckedWhateverTheSizesAndTheCompiler(String option) throws Exception {
    assertChecked(granted(ON, option).run(CheckProbe.class, "overruns"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ON", "true", "yes", "1", "onn"})
  void nonsenseIsReportedOnceAndTheDefaultUsed(String raw) throws Exception {
    Result result = granted("-Drockpool.check=" + raw).run(CheckProbe.class, "overruns");
    assertNotChecked(result, "PooledArena", "ON");
    assertThat(result.err())
        .containsExactly(
            "[rockpool] System property rockpool.check (guard bytes round what arenas allocate, and"
                + " closed memory kept aside for a while, to find overruns and late writes of"
                + " native code) must be on or off: it is \""
                + raw
                + "\"; using the default, off.");
  }

  @Test
  void openerIsTheProgramsClassMethodAndLine() throws Exception {
    Result result = granted(ON).run(CheckProbe.class, "overruns");
    for (String way : new String[] {"call", "pool", "reference"}) {
      assertThat(result.value(way))
          .startsWith(
              "java.lang.AssertionError: Memory beside a segment must not be written to: byte 24")
          .containsPattern(
              "opened by"
                  + " dev\\.rockpool\\.child\\.CheckProbe\\.overruns\\(CheckProbe\\.java:\\d+\\)\\.");
    }
    assertThat(result.value("virtual"))
        .containsPattern(
            "opened by dev\\.rockpool\\.child\\.CheckProbe\\.lambda\\$\\S+\\.java:\\d");
    assertThat(result.value("elsewhere"))
        .contains("opened by dev.rockpool.child.CheckProbe$Elsewhere.open(CheckProbe.java:");
  }

  /** As in a try-with-resources statement. */
  @Test
  void exceptionOfACallIsThrownWithThatOfItsArenaSuppressed() throws Exception {
    String overrun = "java.lang.AssertionError: Memory beside a segment must not be written to: ";
    Result result = granted(ON).run(CheckProbe.class, "calls");
    for (String type : new String[] {"int", "long", "MemorySegment"}) {
      assertThat(result.value(type + " returns")).startsWith(overrun).endsWith(", suppressed []");
      assertThat(result.value(type + " throwsOwn"))
          .startsWith("java.io.IOException: the call's own, suppressed [" + overrun);
    }
  }

  @Test
  void lateWriteIsReportedWhenTheJvmEnds() throws Exception {
    Result result = granted(ON).run(CheckProbe.class, "late write");
    assertThat(result.value("read")).isEqualTo("dd");
    assertThat(result.value("statistics")).contains("lateWrites=0");
    assertThat(result.err())
        .singleElement()
        .asString()
        .startsWith(
            "[rockpool] Memory of a closed arena must not be written to: byte 3 of a segment of 24")
        .contains("hold 5a dd dd", "opened by dev.rockpool.child.CheckProbe.lateWrite(");
  }

  @Test
  void moduleIsChecked() throws Exception {
    assertChecked(
        ChildJvm.onModulePath()
            .with("--enable-native-access=dev.rockpool,ALL-UNNAMED", ON)
            .run(CheckProbe.class, "overruns"));
  }

  @Test
  @EnabledOnOs(OS.LINUX) // /proc/self/status
  void memoryThatIsNotKeptAnyMoreIsFreed() throws Exception {
    Result result = granted(ON, "-Xmx64m").run(CheckProbe.class, "many");
    // A thousand times a mebibyte, of which 64 are kept.
    assertThat(Long.parseLong(result.value("KiB resident"))).isBetween(64L << 10, 512L << 10);
    assertThat(result.err()).isEmpty();
  }

  /** From outside each allocation is a malloc of its own, freed when it is not kept any more. */
  @ParameterizedTest
  @CsvSource({"off, 0", "on, 1"})
  @EnabledOnOs(OS.LINUX) // LD_PRELOAD
  void addressSanitizerSeesWhatIsBehindTheGuardAndWhatIsFreed(String check, int seen)
      throws Exception {
    Path sanitizer = addressSanitizer();
    assumeThat(sanitizer).as("comes with gcc").exists();
    Result result =
        granted("-Drockpool.check=" + check)
            .withVariable("LD_PRELOAD", sanitizer.toString())
            .withVariable(
                "ASAN_OPTIONS",
                "halt_on_error=0:suppress_equal_pcs=0:detect_leaks=0:handle_segv=0"
                    + ":allow_user_segv_handler=1")
            .run(CheckProbe.class, "for a sanitizer");
    String said = String.join("\n", result.err());
    assertThat(said.split("ERROR: AddressSanitizer: heap-buffer-overflow", -1)).hasSize(1 + seen);
    assertThat(said.split("ERROR: AddressSanitizer: heap-use-after-free", -1)).hasSize(1 + seen);
  }

  private static Path addressSanitizer() {
    CLibraries.assumeNoEmulator("the sanitizer is the machine's");
    return Path.of(CLibraries.run("cc", "-print-file-name=libasan.so").strip());
  }

  @Test
  void deniedNativeAccessIsSaidOnceAndArenasAreTheJdks() throws Exception {
    Result result =
        ChildJvm.onClassPath().with("--illegal-native-access=deny", ON).run(PoolProbe.class);
    assertThat(result.value("works")).isEqualTo("true");
    assertThat(result.value("room")).isEqualTo("64");
    assertThat(result.err())
        .containsExactly(
            "[rockpool] Native access is denied to Rockpool, so arenas are the JDK's own, and not"
                + " checked. To have them checked, start java with"
                + " --enable-native-access=ALL-UNNAMED.");
  }

  @Test
  void pageAlignmentThatTheJdkPromisesIsKeptAndSaid() throws Exception {
    Result result = granted(ON, "-Dsun.nio.PageAlignDirectMemory=true").run(PoolProbe.class);
    assertThat(result.value("works")).isEqualTo("true");
    assertThat(result.value("page aligned")).isEqualTo("true");
    assertThat(result.err())
        .containsExactly(
            "[rockpool] Checked arenas need addresses of 64 bits, and allocations that may start"
                + " within a page: arenas are the JDK's own. Start java on a 64-bit JVM, without"
                + " -Dsun.nio.PageAlignDirectMemory=true.");
  }

  @Test
  void withoutALinkerArenasAreTheJdksAndThatIsSaidOnce() throws Exception {
    Result result = granted(ON, "-Djdk.internal.foreign.CABI=UNSUPPORTED").run(PoolProbe.class);
    assertThat(result.value("works")).isEqualTo("true");
    assertThat(result.value("room")).isEqualTo("64");
    assertThat(result.err())
        .singleElement()
        .asString()
        .startsWith("[rockpool] Slabs can't be allocated, so arenas are the JDK's own: ");
  }
}
