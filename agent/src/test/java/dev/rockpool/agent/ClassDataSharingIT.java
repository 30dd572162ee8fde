package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Sources;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent does not switch off class-data sharing, and gives the JVM nothing to complain of. */
@Tag("jdk")
class ClassDataSharingIT {
  /** Uses classes of the boot, the platform and the application loader. */
  private static final String MAIN =
      """
      static void main() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
          System.out.println(arena.getClass().getName());
        }
        System.out.println(WithoutArenas.platform() + " " + WithoutArenas.application());
      }
      """;

  private static final String WITHOUT_ARENAS =
      """
      public class WithoutArenas {
        static Object platform() {
          return new java.sql.Timestamp(0).getTime();
        }

        static Object application() {
          return java.util.spi.ToolProvider.findFirst("jar").orElseThrow().name();
        }
      }
      """;

  @TempDir private Path directory;
  private Path program;

  @BeforeEach
  void makeProgram() throws Exception {
    program =
        Jars.create(
            directory.resolve("program.jar"),
            Sources.compile(Sources.RELEASE, MAIN, WITHOUT_ARENAS));
  }

  /** With {@code -Xshare:on} a JVM that can't share does not start. */
  @Test
  void sharingMayBeInsistedOn() {
    assertThat(ChildJvm.withAgent().with("-Xshare:on").classPath(program).lines())
        .containsExactly(POOLED, "0 jar");
  }

  @Test
  void theJvmWarnsOfNothing() {
    assertThat(
            ChildJvm.withAgent()
                .with("-Xshare:auto", "-Xlog:all=warning:stderr")
                .classPath(program)
                .lines())
        .containsExactly(POOLED, "0 jar");
  }

  /** With {@code -XX:AOTMode=on} a JVM that can't use its cache does not start. */
  @Test
  void anAotCacheThatWasTrainedWithTheAgentIsUsed() {
    Path cache = directory.resolve("program.aot");
    train(ChildJvm.withAgent(), cache);

    ChildJvm jvm = ChildJvm.withAgent().with("-XX:AOTCache=" + cache, "-XX:AOTMode=on");

    assertThat(jvm.classPath(program).lines()).containsExactly(POOLED, "0 jar");
  }

  /** For every agent: the JVM had another set of modules when it made the cache. */
  @Test
  void anAotCacheThatWasTrainedWithoutTheAgentIsRefusedAndTheProgramRunsOn() {
    Path cache = directory.resolve("program.aot");
    train(ChildJvm.plain(), cache);
    String use = "-XX:AOTCache=" + cache;

    ChildJvm.Exit auto = ChildJvm.withAgent().with(use).classPath(program).run("Main");
    ChildJvm.Exit on =
        ChildJvm.withAgent().with(use, "-XX:AOTMode=on").classPath(program).run("Main");

    assertThat(auto.output()).contains(POOLED, "0 jar");
    assertThat(on.code()).isEqualTo(1);
  }

  private void train(ChildJvm jvm, Path cache) {
    jvm.with("-XX:AOTCacheOutput=" + cache).classPath(program).run("Main").output();
    assertThat(cache).isNotEmptyFile();
  }
}
