package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.child.ChildJvm.Result;
import org.junit.jupiter.api.Test;

/** A JVM whose native memory is limited, so that the slabs of a thread can't be had. */
class OutOfMemoryTest {
  @Test
  void arenasAreTheJdksWhereSlabsCannotBeHad() throws Exception {
    Result result =
        ChildJvm.onClassPath()
            .with(
                "--enable-native-access=ALL-UNNAMED",
                // Unsafe, and so each arena, allocates as "other"; "oom" makes malloc return null.
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:NativeMemoryTracking=summary",
                "-XX:MallocLimit=other:16m:oom")
            .run(OutOfMemoryProbe.class);
    assertThat(result.value("zero and writable")).isEqualTo("true");
    assertThat(result.value("JDK")).startsWith("java.lang.OutOfMemoryError: Unable to allocate");
    assertThat(result.value("ours")).isEqualTo(result.value("JDK"));
    assertThat(result.value("still")).isEqualTo("true");
    assertThat(result.value("neighbours in the shared pool")).isEqualTo("true");
    assertThat(result.value("neighbours in the large pool")).isEqualTo("false");
    assertThat(result.notices()).isEmpty();
  }
}
