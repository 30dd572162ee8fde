package dev.rockpool.cli.pool;

import static dev.rockpool.cli.CommandLineJar.rockpool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.cli.CommandLineJar.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged command; what it does to a jar, the tests of module rewrite show. */
class PoolIT {
  private static final String JAR = "target/corpus/jline-terminal-ffm-4.5.0.jar";

  @TempDir private Path folder;

  @Test
  void aPublishedJarIsRewrittenOnce() throws IOException {
    Path out = folder.resolve("out.jar");

    Outcome first = rockpool("pool", JAR, "-o", out.toString());

    assertThat(first.err()).isEmpty();
    assertThat(first.exitCode()).isZero();
    assertThat(first.out())
        .startsWith(out + ": ")
        .containsPattern(": [1-9]\\d* call sites in [1-9]\\d* class(es)? rewritten\n")
        .contains("It needs rockpool.jar on its class path, and Java 25 or newer.\n")
        .endsWith("or put it into the jar's BOOT-INF/lib or WEB-INF/lib.\n");
    byte[] written = Files.readAllBytes(out);

    Outcome again = rockpool("pool", out.toString(), "--in-place");
    assertThat(again.out()).isEqualTo(out + ": 0 call sites in 0 classes rewritten\n");
    assertThat(out).hasBinaryContent(written);
  }

  @Test
  void theAgentItselfStays() throws IOException {
    Path out = folder.resolve("out.jar");

    Outcome none = rockpool("pool", System.getProperty("rockpool.agent.jar"), "-o", out.toString());

    assertThat(none.out()).isEqualTo(out + ": 0 call sites in 0 classes rewritten\n");
  }

  @Test
  void theInputIsNotOverwrittenUnlessAsked() throws IOException {
    Path copy = Files.copy(Path.of(JAR), folder.resolve("a.jar"));

    Outcome refused = rockpool("pool", copy.toString(), "-o", copy.toString());

    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err())
        .isEqualTo(
            "rockpool: The output must not be the input, unless that is asked for: it is "
                + copy
                + "\n");
    assertThat(copy).hasSameBinaryContentAs(Path.of(JAR));
  }

  @Test
  void aPatternThatMatchesNothingIsRefused() throws IOException {
    Outcome refused = rockpool("pool", JAR, "-o", folder + "/b.jar", "--include", "a/b");

    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err()).startsWith("rockpool: --include must be a class name");
    assertThat(folder).isEmptyDirectory();
  }
}
