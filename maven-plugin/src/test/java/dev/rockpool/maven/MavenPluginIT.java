package dev.rockpool.maven;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.maven.MavenBuild.Outcome;
import dev.rockpool.testing.Jvm;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both goals in builds by Maven. */
class MavenPluginIT {
  private static final String PLUGIN = "dev.rockpool:rockpool-maven-plugin:";

  private static final String CLOSED =
      """
      import java.lang.foreign.Arena;
      public class Main {
        public static void main(String[] args) {
          try (Arena arena = Arena.ofConfined()) {
            System.out.println(arena.getClass().getName());
          }
        }
      }
      """;

  private static final String OPEN =
      """
      import java.lang.foreign.Arena;
      public class Main {
        static Arena open() {
          return Arena.ofConfined();
        }
      }
      """;

  @TempDir private static Path repository;
  @TempDir private Path folder;

  @Test
  void poolRewritesOnceAndScanLetsClosedArenasPass() throws Exception {
    MavenBuild build = MavenBuild.of(folder, "Pool and scan", CLOSED, true);

    Outcome first = build.run(repository, "verify");

    assertThat(first.succeeded()).as(first.log()).isTrue();
    assertThat(first.log())
        .contains("1 call site in 1 class rewritten", "1 place creates arenas", "BUILD SUCCESS");
    assertThat(run()).containsExactly("dev.rockpool.arena.BlockArena");
    byte[] rewritten = Files.readAllBytes(build.classFile());

    Outcome second = build.run(repository, PLUGIN + "pool");

    assertThat(second.log()).contains("0 call sites in 0 classes rewritten", "BUILD SUCCESS");
    assertThat(build.classFile()).hasBinaryContent(rewritten);
  }

  @Test
  void poolAloneLetsOpenArenasPass() throws Exception {
    Outcome pooled = MavenBuild.of(folder, "Only pool", OPEN, true).run(repository, "verify");

    assertThat(pooled.succeeded()).as(pooled.log()).isTrue();
    assertThat(pooled.log())
        .contains("1 call site in 1 class rewritten")
        .doesNotContain("creates arenas");
  }

  @Test
  void scanAloneFailsOnOpenArenasAndNeedsNoLibrary() throws Exception {
    MavenBuild build = MavenBuild.of(folder, "Only scan", OPEN, false);

    Outcome failed = build.run(repository, "verify");

    assertThat(failed.succeeded()).isFalse();
    assertThat(failed.log())
        .contains("at Main.open(Main.java:4)  never, escape")
        .doesNotContain("rewritten");
  }

  @Test
  void helpListsGoalsAndParameters() throws Exception {
    Outcome help =
        MavenBuild.of(folder, "Pool and scan", CLOSED, true)
            .run(repository, PLUGIN + "help", "-Ddetail");

    assertThat(help.log()).contains("rockpool:pool", "rockpool:scan", "writeBaseline", "exclude");
  }

  private List<String> run() {
    return Jvm.plain()
        .with("--enable-native-access=ALL-UNNAMED")
        .classPath(folder.resolve("target/app-1.jar"), Path.of(System.getProperty("rockpool.jar")))
        .run("Main")
        .quietOutput();
  }

  @Test
  void scanFailsOnOpenArenasUntilTheBaselineHasThem() throws Exception {
    MavenBuild build = MavenBuild.of(folder, "Pool and scan", OPEN, true);

    Outcome failed = build.run(repository, "verify");

    assertThat(failed.succeeded()).isFalse();
    assertThat(failed.log())
        .contains(
            "Places must not meet conditions of parameter failOn:",
            "at Main.open(Main.java:4)  never, escape",
            "  escape: ");

    String goal = PLUGIN + "scan";
    String file = "-Drockpool.scan.baseline=" + folder.resolve("arenas.txt");
    Outcome missing = build.run(repository, goal, file);
    assertThat(missing.succeeded()).isFalse();
    assertThat(missing.log()).contains("The baseline must exist: there is no ");

    Outcome written = build.run(repository, goal, file, "-Drockpool.scan.writeBaseline");
    assertThat(written.succeeded()).as(written.log()).isTrue();
    Outcome known = build.run(repository, goal, file);
    assertThat(known.succeeded()).as(known.log()).isTrue();
  }

  @Test
  void poolRefusesAProjectWithoutTheLibrary() throws Exception {
    MavenBuild build = MavenBuild.of(folder, "Pool and scan", CLOSED, false);

    Outcome refused = build.run(repository, "process-classes");

    assertThat(refused.succeeded()).isFalse();
    assertThat(refused.log()).contains("add dev.rockpool:rockpool to the project");
    assertThat(new String(Files.readAllBytes(build.classFile()), StandardCharsets.ISO_8859_1))
        .doesNotContain("dev/rockpool");
  }
}
