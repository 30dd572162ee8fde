package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The library is defined in java.base when the first class with arenas is loaded: wherever and
 * however late that is, and even if it fails half-way.
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

  /** By its name, the library's: the agent has its own classes defined when this is loaded. */
  private static final String CARRIER =
      """
      package dev.rockpool.internal;

      public class Carrier {}
      """;

  /** Has no arenas itself, and loads a class with arenas as often as that is asked for. */
  private static final String LATE =
      """
      import java.lang.foreign.Arena;
      import java.util.function.Supplier;

      public class Late {
        static final byte[] OPENER = read("Opener");
        static final byte[] CARRIER = read("dev/rockpool/internal/Carrier");

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

        /** The JDK's own classes, which are initialized where there is stack and heap. */
        static void warmUp() throws Exception {
          try (Arena arena = Arena.ofShared()) {
            arena.allocate(8);
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
          Late.warmUp();
          System.out.println("ready");
          var lines = new java.util.Scanner(System.in);
          while (lines.hasNextLine()) {
            lines.nextLine();
            System.out.println(Late.open());
          }
        }
      }
      """;

  private static final String AT_THE_END_OF_THE_STACK =
      """
      public class Main {
        public static void main(String[] args) throws Exception {
          Late.warmUp();
          dev.rockpool.child.StackEnd.onSmallStack(
              () -> {
                int overflows =
                    dev.rockpool.child.StackEnd.reach(Main::define, Integer.parseInt(args[0]));
                System.out.println(overflows > 5);
              });
          System.out.println(Late.open());
        }

        /** Has classes defined, which may fail, and nobody hears of it; goes well higher up. */
        static void define() {
          new Late.Loader().define("dev.rockpool.internal.Carrier", Late.CARRIER);
          descend(400);
        }

        static int descend(int frames) {
          return frames == 0 ? 0 : 1 + descend(frames - 1);
        }
      }
      """;

  private static final String AT_THE_END_OF_THE_HEAP =
      """
      public class Main {
        public static void main(String[] args) throws Throwable {
          Late.warmUp();
          int failures =
              dev.rockpool.child.HeapEnd.reach(
                  () -> {
                    try {
                      return Late.open() != null;
                    } catch (LinkageError | ReflectiveOperationException full) {
                      return false;
                    }
                  });
          System.out.println(failures > 5);
          String opened = Late.open();
          for (int i = 0; i < 5000 && !opened.contains("Rockpool"); i++) {
            opened = Late.open();
          }
          System.out.println(opened);
        }
      }
      """;

  /** Programs that bring a JVM to its end. */
  private static final Path CHILD =
      Path.of(System.getProperty("rockpool.home"), "core/target/test-classes");

  @TempDir private Path directory;
  private Path program;

  @BeforeEach
  void makeFolder() throws Exception {
    program = Files.createDirectory(directory.resolve("program"));
  }

  private void compile(String main) {
    Sources.compileTo(program, List.of("-cp", CHILD.toString()), OPENER, CARRIER, LATE, main);
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

  @ParameterizedTest
  @CsvSource({"0", "1", "2", "3"})
  void theStackMayEndMeanwhile(String fill) {
    compile(AT_THE_END_OF_THE_STACK);

    ChildJvm jvm =
        ChildJvm.withAgent()
            .with("-XX:CompileCommand=quiet")
            .with("-XX:CompileCommand=compileonly,none.Such::*")
            .classPath(program, CHILD);

    // Not quiet: the JVM itself complains where a class is loaded and no agent's transformer fits.
    assertThat(jvm.run("Main", fill).output()).containsExactly("true", POOLED);
  }

  @Test
  void theHeapMayEndMeanwhile() {
    compile(AT_THE_END_OF_THE_HEAP);

    ChildJvm jvm =
        ChildJvm.withAgent()
            .with("-Xms16m", "-Xmx16m", "-Xmn2m", "-XX:+UseSerialGC", "-XX:-UseTLAB")
            .classPath(program, CHILD);

    assertThat(jvm.run("Main").output()).containsExactly("true", POOLED);
  }
}
