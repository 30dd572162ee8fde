package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The library is defined in java.base when the first class with arenas is loaded, however late that
 * is.
 */
class FirstDefinitionIT {
  private static final String OPENER =
      """
      import java.lang.foreign.Arena;
      import java.util.function.Supplier;

      public class Opener implements Supplier<String> {
        @Override
        public String get() {
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(8);
            return arena.getClass().getName();
          }
        }
      }
      """;

  /** Has no arenas itself, and loads a class with arenas as often as that is asked for. */
  private static final String LATE =
      """
      import java.lang.foreign.Arena;
      import java.util.function.Supplier;

      public class Late {
        static final byte[] OPENER = read("Opener");

        static byte[] read(String name) {
          try (var in = Late.class.getResourceAsStream("/" + name + ".class")) {
            return in.readAllBytes();
          } catch (java.io.IOException impossible) {
            throw new AssertionError(impossible);
          }
        }

        static final class Loader extends ClassLoader {
          Class<?> define(String name, byte[] classFile) {
            return defineClass(name, classFile, 0, classFile.length);
          }
        }

        @SuppressWarnings("unchecked")
        static String open() throws ReflectiveOperationException {
          return ((Supplier<String>) new Loader().define("Opener", OPENER).getConstructor().newInstance()).get();
        }
      }
      """;

  private static final String ASKED =
      """
      public class Main {
        public static void main(String[] args) throws Exception {
          System.out.println("ready");
          var lines = new java.util.Scanner(System.in);
          while (lines.hasNextLine()) {
            lines.nextLine();
            System.out.println(Late.open());
          }
        }
      }
      """;

  @TempDir private Path directory;
  private Path program;

  @BeforeEach
  void makeFolder() throws Exception {
    program = Files.createDirectory(directory.resolve("program"));
  }

  private void compile(String main) {
    Sources.compileTo(program, OPENER, LATE, main);
  }

  @Test
  void theJarMayBeGone() throws Exception {
    compile(ASKED);
    Path jar = Files.copy(ChildJvm.AGENT_JAR, directory.resolve("agent.jar"));

    try (ChildJvm.Running running = ChildJvm.withAgent(jar).classPath(program).start("Main")) {
      assertThat(running.answer()).isEqualTo("ready");
      Files.delete(jar);
      assertThat(running.ask("open")).isEqualTo(POOLED);
      assertThat(running.end().quietOutput()).hasSize(2);
    }
  }

  @Test
  void theJarMayBeReplacedByAnother() throws Exception {
    compile(ASKED);
    Path jar = Files.copy(ChildJvm.AGENT_JAR, directory.resolve("agent.jar"));
    Path other = Jars.withoutLibrary(directory.resolve("other.jar"));

    try (ChildJvm.Running running = ChildJvm.withAgent(jar).classPath(program).start("Main")) {
      assertThat(running.answer()).isEqualTo("ready");
      Files.move(other, jar, StandardCopyOption.ATOMIC_MOVE);
      assertThat(running.ask("open")).isEqualTo(POOLED);
      assertThat(running.end().quietOutput()).hasSize(2);
    }
  }
}
