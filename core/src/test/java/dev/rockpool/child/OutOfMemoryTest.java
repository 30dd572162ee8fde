package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.child.ChildJvm.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A process whose address space is nearly used up. */
@EnabledOnOs({OS.LINUX, OS.MAC}) // "ulimit"
class OutOfMemoryTest {
  @Test
  void arenasRefuseAsTheJdkDoes() throws Exception {
    Result result = run("-Drockpool.check=off");
    assertRefusedAsByTheJdk(result);
    assertThat(result.value("neighbours in the shared pool")).isEqualTo("true");
  }

  @Test
  void checkedArenasRefuseAsTheJdkDoes() throws Exception {
    Result result = run("-Drockpool.check=on");
    assertRefusedAsByTheJdk(result);
    assertThat(result.value("neighbours in the shared pool")).as("guards").isEqualTo("false");
  }

  private static Result run(String option) throws Exception {
    CLibraries.assumeNoEmulator("the emulator takes address space, too");
    return ChildJvm.onClassPath()
        .with(
            option,
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-Xmx64m",
            "-XX:ReservedCodeCacheSize=64m",
            "-XX:CompressedClassSpaceSize=32m")
        .withAddressSpace(1_500_000)
        .run(OutOfMemoryProbe.class);
  }

  private static void assertRefusedAsByTheJdk(Result result) {
    assertThat(result.value("zero and writable")).isEqualTo("true");
    assertThat(result.value("JDK")).startsWith("java.lang.OutOfMemoryError: Unable to allocate");
    assertThat(result.value("ours")).isEqualTo(result.value("JDK"));
    assertThat(result.value("still")).isEqualTo("true");
    assertThat(result.notices()).isEmpty();
  }
}
