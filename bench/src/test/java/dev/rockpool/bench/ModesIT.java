package dev.rockpool.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Jvm;
import dev.rockpool.testing.Jvm.Exit;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The benchmarks' own checks, by the packaged jar; the figures mean nothing. */
class ModesIT {
  @TempDir private Path folder;

  /** Measures into {@code result.json}, as briefly as it can be done. */
  private Exit bench(String benchmarks, String jvmOptions) {
    String home = System.getProperty("rockpool.home");
    return Jvm.plain()
        // Another JMH on the machine is no reason to fail a build.
        .with("-Djmh.ignoreLock=true", "--enable-native-access=ALL-UNNAMED")
        .with("-jar", home + "/bench/target/benchmarks.jar", benchmarks)
        .with("-f", "1", "-wi", "1", "-w", "10ms", "-i", "2", "-r", "10ms", "-p", "size=20")
        .with("-foe", "true", "-rf", "json", "-rff", folder + "/result.json")
        .run("-prof", "gc", "-jvmArgsAppend", jvmOptions);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-javaagent:AGENT",
        "-Djmh.executor=VIRTUAL",
        "-Djmh.executor=VIRTUAL --add-opens=java.base/java.lang=ALL-UNNAMED",
        "-Djmh.executor=VIRTUAL -javaagent:AGENT"
      })
  void measuresWith(String options) throws Exception {
    String agent = System.getProperty("rockpool.agent.jar");
    Exit exit = bench("[.]ConfinedAllocation[.](jdk|rockpool)$", options.replace("AGENT", agent));

    assertThat(exit.code()).as(exit.outText()).isZero();
    assertThat(Files.readString(folder.resolve("result.json")))
        .contains("ConfinedAllocation.jdk\"", "ConfinedAllocation.rockpool\"")
        .contains("gc.alloc.rate.norm");
  }

  @Test
  void refusesToMeasureAPoolThatIsOff() {
    Exit exit = bench("[.]ConfinedAllocation[.]rockpool$", "-Drockpool.block.size=0");

    assertThat(exit.code()).isEqualTo(1);
    assertThat(exit.outText()).contains("Pooling is off");
  }
}
