package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.structs.Struct;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Structs go by value to C and to Java, and back, with the agent as without. */
@Tag("jdk")
class StructsIT {
  private static final Path FOLDER = ChildJvm.AGENT_JAR.resolveSibling("c");
  private static final Path LIBRARY = FOLDER.resolve("libstructs.so");

  @BeforeAll
  static void compile() throws Exception {
    Path source = Files.createDirectories(FOLDER).resolve("structs.c");
    Files.writeString(source, Struct.source());
    try {
      Process compiler =
          new ProcessBuilder("cc", "-shared", "-fPIC", "-pthread", "-o", "" + LIBRARY, "" + source)
              .redirectErrorStream(true)
              .start();
      byte[] messages = compiler.getInputStream().readAllBytes();
      assertThat(compiler.waitFor()).as(new String(messages, StandardCharsets.UTF_8)).isZero();
    } catch (IOException missing) {
      throw new AssertionError("cc is missing (Debian: gcc libc6-dev)", missing);
    }
  }

  /** On platform and virtual threads, until it is compiled; in waits; and on threads of C. */
  @ParameterizedTest
  @CsvSource({"calls, 300", "waits, 2000", "threads, 101"})
  void structsArriveAsTheyWere(String what, String count) {
    assertThat(run(ChildJvm.plain(), what, count)).containsExactly(ChildJvm.REGULAR);
    assertThat(run(ChildJvm.withAgent(), what, count)).containsExactly(ChildJvm.POOLED);
  }

  @Test
  void argumentsOfUpcallsEndWithThem() {
    List<String> without = run(ChildJvm.plain(), "lifetimes", "1");
    List<String> with = run(ChildJvm.withAgent(), "lifetimes", "1");

    assertThat(without)
        .hasSize(3 * 2 * 4 * 7 + 1)
        .startsWith("in the upcall, size: 16", "in the upcall, alive: true")
        .contains("on another thread, size: 304")
        .contains("in the next upcall, read: IllegalStateException Already closed")
        .contains("after the call, passed by value: IllegalStateException Already closed");
    assertThat(with.subList(0, with.size() - 1)).isEqualTo(without.subList(0, without.size() - 1));
    assertThat(with).endsWith(ChildJvm.POOLED);
  }

  private static List<String> run(ChildJvm jvm, String what, String count) {
    return jvm.with("--enable-native-access=ALL-UNNAMED", "-Dstructs.library=" + LIBRARY)
        .with("-Djdk.virtualThreadScheduler.parallelism=4")
        .classPath(ClientPrograms.location(Struct.class))
        .run("dev.rockpool.structs.Structs", what, count)
        .quietOutput();
  }
}
