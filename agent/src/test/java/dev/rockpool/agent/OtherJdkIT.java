package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Sources;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A JDK whose inside is not as the agent's classes expect is left alone. */
class OtherJdkIT {
  /** Tells of closed arenas and of foreign threads; the JDK takes it nowhere else. */
  private static final String REFUSAL = "jdk/internal/misc/ScopedMemoryAccess$ScopedAccessError";

  private static final String DIRECT_BUFFER = "java/nio/DirectByteBuffer";

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

  /** Twice as much as the limit, all of it dropped at once. */
  private static final String BUFFERS =
      """
      import java.nio.ByteBuffer;

      public class Buffers {
        public static void main(String[] args) {
          for (int i = 0; i < 200; i++) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
            if (buffer.get(i) != 0) {
              throw new AssertionError();
            }
            buffer.put(i, (byte) 1);
          }
          System.out.println("dropped");
        }
      }
      """;

  @TempDir private Path folder;

  @BeforeEach
  void compile() {
    Sources.compileTo(folder, List.of(), PROGRAM, BUFFERS);
  }

  /** A class of java.base without one of its methods. */
  private Path without(String type, String method, String descriptor) throws IOException {
    try (InputStream in = Object.class.getResourceAsStream("/" + type + ".class")) {
      ClassFile tool = ClassFile.of();
      byte[] lacking =
          tool.transformClass(
              tool.parse(in.readAllBytes()),
              ClassTransform.dropping(element -> isSought(element, method, descriptor)));
      Path file = folder.resolve("patch").resolve(type + ".class");
      Files.createDirectories(file.getParent());
      Files.write(file, lacking);
      return folder.resolve("patch");
    }
  }

  private static boolean isSought(Object element, String name, String descriptor) {
    return element instanceof MethodModel method
        && method.methodName().equalsString(name)
        && method.methodType().equalsString(descriptor);
  }

  @Test
  void arenasAreTheJdksAndThatIsSaidOnce() throws IOException {
    ChildJvm.Exit exit =
        ChildJvm.withAgent()
            .with(
                "--patch-module",
                "java.base="
                    + without(REFUSAL, "newRuntimeException", "()Ljava/lang/RuntimeException;"))
            .classPath(folder)
            .run("Main");

    assertThat(exit.output()).last().isEqualTo(ChildJvm.REGULAR);
    assertThat(exit.err())
        .singleElement()
        .asString()
        .contains(
            "This JDK differs", "the program runs on", "NoSuchMethodError", "newRuntimeException");
  }

  /** There a virtual thread that opened an arena of a recorded site used to hang. */
  @ParameterizedTest
  @ValueSource(strings = {"record", "limit=1m"})
  void nothingIsCountedAndThatIsSaidOnce(String option) throws IOException {
    ChildJvm.Exit exit =
        ChildJvm.withAgent(option)
            .with(
                "--patch-module",
                "java.base="
                    + without(REFUSAL, "newRuntimeException", "()Ljava/lang/RuntimeException;"))
            .classPath(folder)
            .run("Main");

    assertThat(exit.output()).last().isEqualTo(ChildJvm.REGULAR);
    assertThat(exit.err()).singleElement().asString().contains("This JDK differs", "record");
  }

  @Test
  void buffersAreTheJdksAndThatIsSaid() throws IOException {
    ChildJvm.Exit exit =
        ChildJvm.withAgent("direct")
            .with("-Drockpool.direct.limit=100m")
            .with("--patch-module", "java.base=" + without(DIRECT_BUFFER, "address", "()J"))
            .classPath(folder)
            .run("Buffers");

    assertThat(exit.code()).as("%s", exit).isEqualTo(0);
    assertThat(exit.out()).containsExactly("dropped");
    assertThat(exit.err().toString())
        .contains("Direct buffers are the JDK's", "AbstractMethodError");
  }

  @Test
  void buffersAreBare() {
    ChildJvm.Exit exit =
        ChildJvm.withAgent("direct", "verbose")
            .with("-Drockpool.direct.limit=100m")
            .classPath(folder)
            .run("Buffers");

    assertThat(exit.out()).as("%s", exit).containsExactly("dropped");
    assertThat(exit.err().toString()).doesNotContain("Direct buffers");
  }
}
