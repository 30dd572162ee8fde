package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.MethodModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JDK whose inside is not as the agent's classes expect: they go by public API there. */
class OtherJdkIT {
  private static final String FACTORIES = "jdk/internal/foreign/SegmentFactories";

  private static final String PROGRAM =
      """
      import java.lang.foreign.Arena;

      public class Main {
        public static void main(String[] args) {
          for (int i = 0; i < 1000; i++) {
            try (Arena arena = Arena.ofConfined()) {
              var segment = arena.allocateFrom("some text");
              if (!segment.getString(0).equals("some text") || !segment.scope().isAlive()) {
                throw new AssertionError();
              }
            }
          }
          System.out.println(Arena.ofConfined().getClass().getName());
        }
      }
      """;

  @TempDir private Path folder;

  @BeforeEach
  void compile() {
    Sources.compileTo(folder, List.of(), PROGRAM);
  }

  /** Without the method that makes a segment of the memory at an address. */
  private Path patched() throws IOException {
    try (InputStream in = Object.class.getResourceAsStream("/" + FACTORIES + ".class")) {
      ClassFile tool = ClassFile.of();
      byte[] lacking =
          tool.transformClass(
              tool.parse(in.readAllBytes()), ClassTransform.dropping(OtherJdkIT::isSought));
      Path file = folder.resolve("patch").resolve(FACTORIES + ".class");
      Files.createDirectories(file.getParent());
      Files.write(file, lacking);
      return folder.resolve("patch");
    }
  }

  private static boolean isSought(Object element) {
    return element instanceof MethodModel method
        && method.methodName().equalsString("makeNativeSegmentUnchecked")
        && method
            .methodType()
            .equalsString(
                "(JJLjdk/internal/foreign/MemorySessionImpl;)"
                    + "Ljdk/internal/foreign/NativeMemorySegmentImpl;");
  }

  @Test
  void poolGoesByPublicApiAndSaysSo() throws IOException {
    ChildJvm.Exit exit =
        ChildJvm.withAgent("verbose")
            .with("--patch-module", "java.base=" + patched())
            .classPath(folder)
            .run("Main");

    assertThat(exit.code()).as("%s", exit).isEqualTo(0);
    assertThat(exit.out()).last().isEqualTo(POOLED);
    assertThat(exit.err().toString())
        .contains("the pool goes by public API", "NoSuchMethodError", "makeNativeSegmentUnchecked");
  }

  @Test
  void onTheJdkThatRunsThisItIsAtHome() {
    ChildJvm.Exit exit = ChildJvm.withAgent("verbose").classPath(folder).run("Main");

    assertThat(exit.out()).last().isEqualTo(POOLED);
    assertThat(exit.err().toString()).doesNotContain("public API");
  }
}
