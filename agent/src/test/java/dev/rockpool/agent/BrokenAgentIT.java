package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Sources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** If the agent can't do its work, the program runs as it would without; its jar may be gone. */
class BrokenAgentIT {
  private static final String MAIN =
      """
      interface Opener extends Supplier<Arena>, Serializable {}

      static void main() throws Exception {
        Opener opener = Arena::ofConfined;
        Opener copy = (Opener) read(written(opener));
        System.out.println("copied: " + name(copy.get()));
        System.out.println("called: " + name(Other.open()));
        Class.forName("jdk.internal.foreign.BufferStack", false, null); // as the linker loads it
      }

      static byte[] written(Object object) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
          out.writeObject(object);
        }
        return bytes.toByteArray();
      }

      static Object read(byte[] bytes) throws Exception {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
          return in.readObject();
        }
      }

      static String name(Arena arena) {
        try (arena) {
          arena.allocate(1);
          return arena.getClass().getName();
        }
      }

      static class Other {
        static Arena open() {
          return Arena.ofConfined();
        }
      }
      """;

  private static final String OPENER =
      """
      import module java.base;

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
      import module java.base;

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
      static void main() throws Exception {
        System.out.println("ready");
        var lines = new java.util.Scanner(System.in);
        while (lines.hasNextLine()) {
          lines.nextLine();
          System.out.println(Late.open());
        }
      }
      """;

  @TempDir private Path directory;
  private Path program;

  @BeforeEach
  void compile() {
    program = Sources.compileTo(directory.resolve("program"), MAIN);
  }

  /** The serial form states the owner of the method, so it must stay the JDK's. */
  @Test
  void aSerializedMethodReferenceCanBeReadAgain() {
    assertThat(ChildJvm.withAgent().classPath(program).lines())
        .containsExactly("copied: " + REGULAR, "called: " + POOLED);
  }

  @Test
  void aJarWithoutTheLibraryIsToldOnce() throws Exception {
    Path jar = Jars.withoutLibrary(directory.resolve("agent.jar"));

    ChildJvm.Exit exit = ChildJvm.withAgent(jar).classPath(program).run("Main");

    assertThat(exit.output()).containsExactly("copied: " + REGULAR, "called: " + REGULAR);
    assertThat(exit.err())
        .containsExactlyInAnyOrder(
            "[rockpool] arenas can't be pooled on this JDK; the program runs on without Rockpool:"
                + " java.io.UncheckedIOException: java.io.IOException: the agent's jar"
                + " lacks start.classes",
            "[rockpool] buffers of native calls can't be pooled on this JDK, which goes on with its"
                + " own: java.io.UncheckedIOException: java.io.IOException: the agent's jar"
                + " lacks start.classes");
  }

  /** To the JVM this is an error of the program's, as it is without the agent. */
  @Test
  void aClassFileCutShortIsTheProgramsError() throws Exception {
    Path file = program.resolve("Main$Other.class");
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(whole, whole.length - 10));

    ChildJvm.Exit without = ChildJvm.plain().classPath(program).run("Main");
    ChildJvm.Exit with = ChildJvm.withAgent().classPath(program).run("Main");

    assertThat(without.err()).anyMatch(line -> line.contains("java.lang.ClassFormatError"));
    assertThat(with.code()).isEqualTo(without.code());
    assertThat(with.out()).isEqualTo(without.out());
    assertThat(with.err().subList(with.err().size() - without.err().size(), with.err().size()))
        .isEqualTo(without.err());
  }

  /** The library is defined when the first class with arenas is loaded, however late that is. */
  @Test
  void theJarMayBeGoneOrReplacedByAnother() throws Exception {
    Path asking = Files.createDirectory(directory.resolve("asking"));
    Sources.compileTo(asking, OPENER, LATE, ASKED);
    Path other = Jars.withoutLibrary(directory.resolve("other.jar"));

    for (boolean isReplaced : new boolean[] {false, true}) {
      Path jar = Files.copy(ChildJvm.AGENT_JAR, directory.resolve(isReplaced + ".jar"));
      try (ChildJvm.Running running = ChildJvm.withAgent(jar).classPath(asking).start("Main")) {
        assertThat(running.answer()).isEqualTo("ready");
        if (isReplaced) {
          Files.move(other, jar, StandardCopyOption.ATOMIC_MOVE);
        } else {
          Files.delete(jar);
        }
        assertThat(running.ask("open")).isEqualTo(POOLED);
        assertThat(running.end().quietOutput()).hasSize(2);
      }
    }
  }
}
