package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.child.ChildJvm.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The effect of the JVM's start options, seen from a JVM started so. */
class StartOptionsTest {
  private static final String GRANTED = "--enable-native-access=ALL-UNNAMED";

  private static Result probe(ChildJvm jvm) throws Exception {
    Result result = jvm.run(PoolProbe.class);
    assertThat(result.value("works")).as("%s", result).isEqualTo("true");
    return result;
  }

  private static void assertPooled(Result result, int slabByteSize, int slabs) {
    assertThat(result.value("pool"))
        .isEqualTo("ArenaPool[slabByteSize=%d, slabsPerThread=%d]", slabByteSize, slabs);
    assertThat(result.value("served")).isEqualTo("" + slabs);
    assertThat(result.value("room")).isEqualTo("" + slabByteSize * ((slabs + 1) / 2));
  }

  private static void assertOff(Result result) {
    assertThat(result.value("pool")).isEqualTo("ArenaPool[slabByteSize=0, slabsPerThread=0]");
    assertThat(result.value("served")).isEqualTo("0");
    assertThat(result.value("room")).isEqualTo("64");
  }

  @Test
  void defaultsArePooledAndSilent() throws Exception {
    Result result = probe(ChildJvm.onClassPath().with(GRANTED));
    assertPooled(result, 512, 7);
    assertThat(result.err()).isEmpty();
  }

  @Test
  void slabSizeZeroSwitchesOff() throws Exception {
    Result result = probe(ChildJvm.onClassPath().with(GRANTED, "-Drockpool.slab.size=0"));
    assertOff(result);
    assertThat(result.err()).isEmpty();
    assertThat(result.value("own pool")).as("not touched").contains("slabByteSize=64");
  }

  @Test
  void noSlabsForAThreadSwitchesOff() throws Exception {
    Result result = probe(ChildJvm.onClassPath().with(GRANTED, "-Drockpool.slabs.per.thread=0"));
    assertOff(result);
    assertThat(result.err()).isEmpty();
  }

  @Test
  void sizesAreThoseOfTheProperties() throws Exception {
    Result result =
        probe(
            ChildJvm.onClassPath()
                .with(GRANTED, "-Drockpool.slab.size=1k", "-Drockpool.slabs.per.thread=2"));
    assertPooled(result, 1024, 2);
    assertThat(result.err()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"4, 4, true", "1, 1, true", "1k, 1024, true", "0, 0, false"})
  void sharedSlotsAreThoseOfTheProperty(String raw, int slots, boolean larger) throws Exception {
    Result result = probe(ChildJvm.onClassPath().with(GRANTED, "-Drockpool.shared.slots=" + raw));
    assertPooled(result, 512, 7);
    assertThat(result.value("shared slots")).isEqualTo("" + slots);
    assertThat(result.value("larger")).isEqualTo("" + larger);
    assertThat(result.err()).isEmpty();
  }

  @Test
  void sharedSlotsThatMakeNoSenseAreReportedAndTheDefaultUsed() throws Exception {
    Result result = probe(ChildJvm.onClassPath().with(GRANTED, "-Drockpool.shared.slots=12"));
    assertThat(Integer.parseInt(result.value("shared slots"))).isGreaterThanOrEqualTo(16);
    assertThat(result.err())
        .satisfiesExactly(
            line -> assertThat(line).contains("rockpool.shared.slots", "\"12\"", "1024"));
  }

  @Test
  void nonsenseIsReportedOnceAndTheDefaultsUsed() throws Exception {
    Result result =
        probe(
            ChildJvm.onClassPath()
                .with(
                    GRANTED, "-Drockpool.slab.size=nonsense", "-Drockpool.slabs.per.thread=none"));
    assertPooled(result, 512, 7);
    assertThat(result.err())
        .satisfiesExactly(
            line -> assertThat(line).contains("rockpool.slab.size", "\"nonsense\"", "512"),
            line -> assertThat(line).contains("rockpool.slabs.per.thread", "\"none\"", "7"));
  }

  @Test
  void pageAlignmentThatTheJdkPromisesIsKept() throws Exception {
    ChildJvm aligning = ChildJvm.onClassPath().with(GRANTED);
    Result result = probe(aligning.with("-Dsun.nio.PageAlignDirectMemory=true"));
    assertThat(result.value("page aligned")).isEqualTo("true");
    assertOff(result);
    assertThat(result.err()).isEmpty();

    Result usual = probe(ChildJvm.onClassPath().with(GRANTED));
    assertThat(usual.value("page aligned")).isEqualTo("false");
  }

  /** From JDK 27 on, a program is not told of C1 alone. */
  @ParameterizedTest
  @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1"})
  void withoutC2ArenasAreTheJdksIfTheJdkTells(String option) throws Exception {
    Result result = probe(ChildJvm.onClassPath().with(GRANTED, option));
    if (option.equals("-Xint") || Runtime.version().feature() < 27) {
      assertOff(result);
    } else {
      assertPooled(result, 512, 7);
    }
    assertThat(result.err()).isEmpty();
  }

  @Test
  void withoutGrantTheJdkWarnsAndArenasArePooled() throws Exception {
    Result result = probe(ChildJvm.onClassPath());
    assertPooled(result, 512, 7);
    assertThat(result.notices()).isEmpty();
    assertThat(result.err()).anyMatch(line -> line.contains("--enable-native-access=ALL-UNNAMED"));
  }

  @Test
  void deniedNativeAccessIsSaidOnceAndArenasAreTheJdks() throws Exception {
    Result result = probe(ChildJvm.onClassPath().with("--illegal-native-access=deny"));
    assertOff(result);
    assertThat(result.value("own pool")).contains("slabByteSize=0");
    assertThat(result.err())
        .containsExactly(
            "[rockpool] Native access is denied to Rockpool, so arenas are the JDK's own. To have"
                + " them pooled, start java with --enable-native-access=ALL-UNNAMED.");
  }

  @Test
  void nothingIsSaidOfNativeAccessToAPoolThatIsOff() throws Exception {
    ChildJvm off =
        ChildJvm.onClassPath().with("--illegal-native-access=deny", "-Drockpool.slab.size=0");
    Result result = off.run(SharedPoolProbe.class);
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).containsExactly("ArenaPool[slabByteSize=0, slabsPerThread=0]");
  }

  @Test
  void moduleIsPooledAndSilentIfGranted() throws Exception {
    Result result = probe(ChildJvm.onModulePath().with("--enable-native-access=dev.rockpool"));
    assertPooled(result, 512, 7);
    assertThat(result.err()).isEmpty();
  }

  @Test
  void moduleThatIsDeniedNativeAccessIsNamed() throws Exception {
    // Granting it to some module denies it to all others.
    Result result = probe(ChildJvm.onModulePath().with(GRANTED, "--illegal-native-access=deny"));
    assertOff(result);
    assertThat(result.err())
        .containsExactly(
            "[rockpool] Native access is denied to Rockpool, so arenas are the JDK's own. To have"
                + " them pooled, start java with --enable-native-access=dev.rockpool.");
  }

  /** Each value is refused, and that is told where the program does something odd. */
  @ParameterizedTest
  @ValueSource(strings = {"opens", "throws", "hangs", "properties"})
  void arenasArePooledWhateverTheProgramDoesMeanwhile(String kind) throws Exception {
    Result result =
        ChildJvm.onClassPath()
            .with("--enable-native-access=ALL-UNNAMED", "-Drockpool.slab.size=odd")
            .run(OddProgram.class, kind);
    assertThat(result.value("pooled")).isEqualTo("true");
    if (kind.equals("opens") || kind.equals("properties")) {
      assertThat(result.notices()).singleElement().asString().contains("rockpool.slab.size");
    }
  }
}
