package dev.rockpool.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rewritten jars run, pooled, with the library and without an agent. */
class PooledProgramIT {
  private static final Path LIBRARY = Path.of(System.getProperty("rockpool.jar"));
  private static final String POOLED =
      "dev.rockpool.arena.BlockArena dev.rockpool.arena.BlockArena";

  @TempDir private Path folder;
  private Path app;
  private String classPath;

  @BeforeEach
  void rewrite() throws IOException {
    app = pooled(Programs.compile(folder.resolve("classes"), Programs.MAIN), "app.jar");
    classPath = app + File.pathSeparator + LIBRARY;
  }

  private Path pooled(Path classes, String name) throws IOException {
    Path jar = Programs.jar(folder.resolve("plain-" + name), Programs.read(classes));
    Path made = folder.resolve(name);
    assertThat(new Pooler(List.of(), List.of(), false).rewrite(jar, made).callSites()).isEqualTo(2);
    return made;
  }

  @Test
  void arenasArePooledOnTheClassPath() throws Exception {
    assertThat(Programs.java("-cp", classPath, "app.Main")).containsExactly(POOLED);
  }

  @Test
  void arenasOfAModuleArePooledOnTheModulePath() throws Exception {
    Path classes = folder.resolve("module");
    Programs.compile(classes, "module app { exports app; }", Programs.MAIN);
    String modulePath = pooled(classes, "module.jar") + File.pathSeparator + LIBRARY;

    assertThat(Programs.java("-p", modulePath, "-m", "app/app.Main")).containsExactly(POOLED);
  }

  /** With {@code -XX:AOTMode=on} a JVM that can't use its cache does not start. */
  @Test
  void anAotCacheHasTheRewrittenClasses() throws Exception {
    Path cache = folder.resolve("app.aot");
    Path log = folder.resolve("classes.log");
    Programs.java("-XX:AOTCacheOutput=" + cache, "-cp", classPath, "app.Main");
    assertThat(cache).isNotEmptyFile();

    List<String> out =
        Programs.java(
            "-XX:AOTCache=" + cache,
            "-XX:AOTMode=on",
            "-Xlog:class+load:file=" + log,
            "-cp",
            classPath,
            "app.Main");

    assertThat(out).containsExactly(POOLED);
    assertThat(Files.readAllLines(log))
        .anyMatch(line -> line.contains(" app.Main source: shared objects file"))
        .anyMatch(line -> line.contains(" dev.rockpool.arena.Arenas source: shared objects file"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rockpool.jar", "rockpool.agent.jar"})
  void rockpoolItselfStays(String property) throws Exception {
    Path jar = Path.of(System.getProperty(property));
    Path copy = folder.resolve("copy.jar");

    PoolResult result = new Pooler(List.of(), List.of(), false).rewrite(jar, copy);

    assertThat(result.classes()).isZero();
    assertThat(result.skipped()).isEmpty();
    assertThat(copy).hasSameBinaryContentAs(jar);
  }
}
