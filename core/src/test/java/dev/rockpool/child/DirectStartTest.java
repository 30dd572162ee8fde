package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.child.ChildJvm.Result;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Direct memory under what is decided when a JVM starts. */
@Tag("jdk")
class DirectStartTest {
  private static final String GRANTED = "--enable-native-access=ALL-UNNAMED";
  private static final int MIB = 1 << 20;

  @Test
  void limitIsThatOfTheJvm() throws Exception {
    Result result =
        ChildJvm.onClassPath()
            .with(GRANTED, "-XX:MaxDirectMemorySize=8m", "-Xmx64m")
            .run(DirectProbe.class);
    assertThat(result.value("limit")).isEqualTo("" + 8 * MIB);
    assertWorks(result);
    assertThat(result.value("too much"))
        .isEqualTo("allocated")
        .as("what was dropped is found by one collection");
  }

  @Test
  void limitIsTheLargestHeapWithoutThatFlag() throws Exception {
    Result result = ChildJvm.onClassPath().with(GRANTED, "-Xmx48m").run(DirectProbe.class);
    assertThat(result.value("limit")).isEqualTo(result.value("largest heap"));
    assertWorks(result);
  }

  @Test
  void limitIsThatOfTheProperty() throws Exception {
    Result result =
        ChildJvm.onClassPath()
            .with(GRANTED, "-XX:MaxDirectMemorySize=8m", "-Drockpool.direct.limit=4m")
            .run(DirectProbe.class);
    assertThat(result.value("limit")).isEqualTo("" + 4 * MIB);
    assertWorks(result);
  }

  @Test
  void limitThatMakesNoSenseIsReportedAndTheDefaultUsed() throws Exception {
    Result result =
        ChildJvm.onClassPath()
            .with(GRANTED, "-XX:MaxDirectMemorySize=8m", "-Drockpool.direct.limit=much")
            .run(DirectProbe.class);
    assertThat(result.value("limit")).isEqualTo("" + 8 * MIB);
    assertThat(result.err())
        .containsExactly(
            "[rockpool] System property rockpool.direct.limit (bytes of direct memory handed out at"
                + " once) must be 0 (the JVM's own limit) or a number from 1 to 1125899906842624:"
                + " it is \"much\"; using the default, the JVM's own limit.");
  }

  /** Without JMX there is no flag to look at, and nobody to show anything to. */
  @Test
  void worksInAModuleWithoutTheModulesOfJmxAndJfr() throws Exception {
    Result result =
        ChildJvm.onModulePath()
            .with(
                "--limit-modules",
                "dev.rockpool",
                "--enable-native-access=dev.rockpool",
                "-Xmx32m",
                "-XX:MaxDirectMemorySize=8m")
            .run(DirectProbe.class);
    assertThat(result.value("limit")).isEqualTo(result.value("largest heap"));
    assertWorks(result);
  }

  private static void assertWorks(Result result) {
    assertThat(result.value("live")).as("after the arena was closed").isEqualTo("0");
    assertThat(result.value("buffer")).isEqualTo("allocated");
    assertThat(result.value("dropped and allocated again")).isEqualTo("allocated");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void errorSaysThatExplicitCollectionsAreOff() throws Exception {
    Result result =
        ChildJvm.onClassPath()
            .with(GRANTED, "-XX:+DisableExplicitGC", "-Drockpool.direct.limit=4m", "-Xmx64m")
            .run(DirectProbe.class);
    assertThat(result.value("buffer")).isEqualTo("allocated");
    assertThat(result.value("too much"))
        .isEqualTo(
            "java.lang.OutOfMemoryError: Direct memory must stay within its limit: asked for"
                + " 3145728 bytes, reserved 4194304, limit 4194304. System.gc() collects nothing in"
                + " this JVM (-XX:+DisableExplicitGC?), so buffers that nothing reaches stay"
                + " reserved until it collects by itself. Free buffers sooner with"
                + " DirectMemory.free, or raise the limit: -Drockpool.direct.limit.");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void deniedNativeAccessIsRefusedWithTheFlag() throws Exception {
    Result result =
        ChildJvm.onClassPath()
            .with("--illegal-native-access=deny", "-Drockpool.direct.limit=4m")
            .run(DirectProbe.class);
    assertThat(result.value("denied"))
        .isEqualTo(
            "java.lang.IllegalCallerException: Direct memory needs native access: start java with"
                + " --enable-native-access=ALL-UNNAMED");
  }
}
