package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.child.ChildJvm.Result;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The effect of the JVM's start options, seen from a JVM started so. */
@Tag("jdk")
class StartOptionsTest {
  private static final String GRANTED = "--enable-native-access=ALL-UNNAMED";

  private static Result probe(ChildJvm jvm) throws Exception {
    Result result = jvm.run(PoolProbe.class);
    assertThat(result.value("works")).as("%s", result).isEqualTo("true");
    return result;
  }

  private static void assertPooled(Result result, int blockByteSize, int blocks) {
    assertThat(result.value("pool"))
        .isEqualTo("ArenaPool[blockByteSize=%d, blocksPerThread=%d]", blockByteSize, blocks);
    assertThat(result.value("kept")).isEqualTo("" + blocks);
    assertThat(result.value("room")).isEqualTo("" + blockByteSize);
    assertThat(result.value("by JDK")).isEqualTo("0");
  }

  private static void assertOff(Result result, String state) {
    assertThat(result.value("state")).isEqualTo(state);
    assertThat(result.value("pool")).isEqualTo("ArenaPool[blockByteSize=0, blocksPerThread=0]");
    assertThat(result.value("kept")).isEqualTo("0");
    assertThat(result.value("room")).isEqualTo("64");
  }

  @Test
  void defaultsArePooledAndSilent() throws Exception {
    Result result = probe(ChildJvm.onClassPath().with(GRANTED));
    assertPooled(result, 512, 8);
    assertThat(result.value("page aligned")).isEqualTo("false");
    assertThat(result.err()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-Drockpool.block.size=0", "-Drockpool.blocks.per.thread=0"})
  void zeroSwitchesOff(String option) throws Exception {
    Result result = probe(ChildJvm.onClassPath().with(GRANTED, option));
    assertOff(result, "OFF");
    assertThat(result.err()).isEmpty();
    assertThat(result.value("own pool")).as("not touched").contains("blockByteSize=64");
  }

  @Test
  void sizesAreThoseOfTheProperties() throws Exception {
    Result result =
        probe(
            ChildJvm.onClassPath()
                .with(GRANTED, "-Drockpool.block.size=1k", "-Drockpool.blocks.per.thread=2"));
    assertPooled(result, 1024, 2);
    assertThat(result.err()).isEmpty();
  }

  @Test
  void nonsenseIsReportedOnceAndTheDefaultsUsed() throws Exception {
    Result result =
        probe(
            ChildJvm.onClassPath()
                .with(
                    GRANTED,
                    "-Drockpool.block.size=nonsense",
                    "-Drockpool.blocks.per.thread=none"));
    assertPooled(result, 512, 8);
    assertThat(result.err())
        .satisfiesExactly(
            line -> assertThat(line).contains("rockpool.block.size", "\"nonsense\"", "512"),
            line -> assertThat(line).contains("rockpool.blocks.per.thread", "\"none\"", "8"));
  }

  @Test
  void pageAlignmentThatTheJdkPromisesIsKept() throws Exception {
    ChildJvm aligning = ChildJvm.onClassPath().with(GRANTED);
    Result result = probe(aligning.with("-Dsun.nio.PageAlignDirectMemory=true"));
    assertThat(result.value("page aligned")).isEqualTo("true");
    assertOff(result, "UNSUITED");
    assertThat(result.err()).isEmpty();
  }

  /** From JDK 27 on, a program is not told of C1 alone. */
  @ParameterizedTest
  @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1"})
  void withoutC2ArenasAreTheJdksIfTheJdkTells(String option) throws Exception {
    Result result = probe(ChildJvm.onClassPath().with(GRANTED, option));
    if (option.equals("-Xint") || Runtime.version().feature() < 27) {
      assertOff(result, "UNSUITED");
    } else {
      assertPooled(result, 512, 8);
    }
    assertThat(result.err()).isEmpty();
  }

  @Test
  void withoutGrantTheJdkWarnsAndArenasArePooled() throws Exception {
    Result result = probe(ChildJvm.onClassPath());
    assertPooled(result, 512, 8);
    assertThat(result.notices()).isEmpty();
    assertThat(result.err()).anyMatch(line -> line.contains("--enable-native-access=ALL-UNNAMED"));
  }

  @Test
  void deniedNativeAccessIsSaidOnceAndArenasAreTheJdks() throws Exception {
    Result result = probe(ChildJvm.onClassPath().with("--illegal-native-access=deny"));
    assertOff(result, "DENIED");
    assertThat(result.value("own pool")).contains("blockByteSize=0");
    assertThat(result.err())
        .containsExactly(
            "[rockpool] Native access is denied to Rockpool, so arenas are the JDK's own. To have"
                + " them pooled, start java with --enable-native-access=ALL-UNNAMED.");
  }

  @Test
  void moduleIsPooledAndSilentIfGranted() throws Exception {
    Result result = probe(ChildJvm.onModulePath().with("--enable-native-access=dev.rockpool"));
    assertPooled(result, 512, 8);
    assertThat(result.err()).isEmpty();
  }

  @Test
  void moduleThatIsDeniedNativeAccessIsNamed() throws Exception {
    // Granting it to some module denies it to all others.
    Result result = probe(ChildJvm.onModulePath().with(GRANTED, "--illegal-native-access=deny"));
    assertOff(result, "DENIED");
    assertThat(result.err())
        .containsExactly(
            "[rockpool] Native access is denied to Rockpool, so arenas are the JDK's own. To have"
                + " them pooled, start java with --enable-native-access=dev.rockpool.");
  }

  /** Each value is refused, and that is told where the program does something odd. */
  @ParameterizedTest
  @ValueSource(strings = {"opens", "hangs", "properties"})
  void arenasArePooledWhateverTheProgramDoesMeanwhile(String kind) throws Exception {
    Result result =
        ChildJvm.onClassPath()
            .with("--enable-native-access=ALL-UNNAMED", "-Drockpool.block.size=odd")
            .run(OddProgram.class, kind);
    assertThat(result.value("pooled")).isEqualTo("true");
    if (kind.equals("opens") || kind.equals("properties")) {
      assertThat(result.notices()).singleElement().asString().contains("rockpool.block.size");
    }
  }
}
