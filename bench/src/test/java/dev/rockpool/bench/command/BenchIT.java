package dev.rockpool.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measures for real, as briefly as it can be done; the figures mean nothing. */
class BenchIT {
  @TempDir private Path folder;

  /** Runs the packaged command as {@code ./rockpool} does; its output is in {@code said.txt}. */
  private int bench(String arguments, String jmhOptions) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Machine.java(Path.of(System.getProperty("java.home"))));
    // Another JMH on the machine is no reason to fail a build.
    command.addAll(List.of("-Djmh.ignoreLock=true", "--enable-native-access=ALL-UNNAMED", "-cp"));
    command.add(Path.of(System.getProperty("rockpool.home"), "bench/target/benchmarks.jar") + "");
    command.add(Bench.class.getName());
    command.addAll(List.of(arguments.split(" ")));
    command.addAll(List.of("--out", folder.toString(), "--"));
    command.addAll(List.of(("-f 1 -wi 1 -w 10ms -i 2 -r 10ms -p size=20" + jmhOptions).split(" ")));
    File said = folder.resolve("said.txt").toFile();
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(said)
        .start()
        .waitFor();
  }

  @Test
  void measuresInEachMode() throws Exception {
    int exitCode = bench("--filter \\.ConfinedAllocation\\.(jdk|rockpool)$", "");

    assertThat(folder.resolve("said.txt")).content().contains("# Run progress: ", "\njdk  ");
    assertThat(exitCode).isZero();
    assertThat(folder.resolve("table.txt"))
        .content()
        .containsPattern("\nConfinedAllocation\n\n.*\nagent +20 .*\nrockpool +20 ")
        .containsPattern("\nConfinedAllocation, virtual\n\n.*\nagent .*\nopened .*\nrockpool +20 ")
        .doesNotContain("Failed");
    assertThat(folder.resolve("raw/agent.json")).content().contains("gc.alloc.rate.norm");
    assertThat(folder.resolve("raw/virtual-agent.log")).isNotEmptyFile();
  }

  @Test
  void whoFailsIsNamedAndTheOthersAreKept() throws Exception {
    // The JDK's own arena needs no pool; Rockpool's, with pooling off, has nothing to measure.
    int exitCode =
        bench(
            "--filter EmptyArena[.](jdk|rockpool) --mode platform",
            " -jvmArgsAppend -Drockpool.block.size=0");

    assertThat(exitCode).isEqualTo(1);
    assertThat(folder.resolve("said.txt"))
        .content()
        .contains("rockpool: Failed benchmarks: 1, see the end of the table");
    assertThat(folder.resolve("table.txt"))
        .content()
        .containsPattern("\nEmptyArena\n\n.*\njdk ")
        .containsPattern("Failed: EmptyArena.rockpool, platform: see .*platform.log");
    assertThat(folder.resolve("raw/platform.log")).content().contains("Pooling is off");
  }
}
