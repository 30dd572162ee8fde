package dev.rockpool.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Jvm;
import dev.rockpool.testing.Jvm.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rewritten jars run, pooled, with the library and without an agent. */
class PooledProgramIT {
  private static final Path LIBRARY = Path.of(System.getProperty("rockpool.jar"));
  private static final String POOLED =
      "dev.rockpool.arena.BlockArena dev.rockpool.arena.BlockArena";

  @TempDir private Path folder;
  private Path app;

  @BeforeEach
  void rewrite() throws IOException {
    app = pooled(Programs.compile(folder.resolve("classes"), Programs.MAIN), "app.jar");
  }

  private Path pooled(Path classes, String name) throws IOException {
    Path jar = Programs.jar(folder.resolve("plain-" + name), Programs.read(classes));
    Path made = folder.resolve(name);
    assertThat(new Pooler(List.of(), List.of(), false).rewrite(jar, made).callSites()).isEqualTo(2);
    return made;
  }

  private Jvm<?> jvm() {
    return Jvm.plain().with("--enable-native-access=ALL-UNNAMED").classPath(app, LIBRARY);
  }

  @Test
  void arenasArePooledOnClassPathAndModulePath() throws IOException {
    Path classes = folder.resolve("module");
    Programs.compile(classes, "module app { exports app; }", Programs.MAIN);
    Jvm<?> withModules =
        Jvm.plain()
            .with("--enable-native-access=dev.rockpool")
            .modulePath(pooled(classes, "module.jar"), LIBRARY);

    try (Running onClassPath = jvm().start("app.Main");
        Running onModulePath = withModules.start("-m", "app/app.Main")) {
      assertThat(onClassPath.end().quietOutput()).containsExactly(POOLED);
      assertThat(onModulePath.end().quietOutput()).containsExactly(POOLED);
    }
  }

  /** With {@code -XX:AOTMode=on} a JVM that can't use its cache does not start. */
  @Test
  void anAotCacheHasTheRewrittenClasses() throws IOException {
    Path cache = folder.resolve("app.aot");
    Path log = folder.resolve("classes.log");
    jvm().with("-XX:AOTCacheOutput=" + cache).run("app.Main").output();
    assertThat(cache).isNotEmptyFile();

    List<String> out =
        jvm()
            .with("-XX:AOTCache=" + cache, "-XX:AOTMode=on", "-Xlog:class+load:file=" + log)
            .run("app.Main")
            .quietOutput();

    assertThat(out).containsExactly(POOLED);
    assertThat(Files.readAllLines(log))
        .anyMatch(line -> line.contains(" app.Main source: shared objects file"))
        .anyMatch(line -> line.contains(" dev.rockpool.arena.Arenas source: shared objects file"));
  }

  @Test
  void theLibraryItselfStays() throws IOException {
    Path copy = folder.resolve("copy.jar");

    PoolResult result = new Pooler(List.of(), List.of(), false).rewrite(LIBRARY, copy);

    assertThat(result.classes()).isZero();
    assertThat(result.skipped()).isEmpty();
    assertThat(copy).hasSameBinaryContentAs(LIBRARY);
  }
}
