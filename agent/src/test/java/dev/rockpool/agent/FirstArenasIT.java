package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Sources;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Making the pool takes nothing that belongs to the program. */
class FirstArenasIT {
  private static final String INHERITING =
      """
      import java.lang.foreign.Arena;
      import java.nio.ByteBuffer;

      public class Inheriting {
        static final InheritableThreadLocal<String> INHERITED =
            new InheritableThreadLocal<>() {
              @Override
              protected String childValue(String parentValue) {
                throw new AssertionError("inherited");
              }
            };

        public static void main(String[] args) {
          INHERITED.set("something");
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(8);
          }
          ByteBuffer.allocateDirect(8);
          INHERITED.remove();
          System.out.println(new Thread().getName());
        }
      }
      """;

  @TempDir private Path folder;

  /** The agent makes a thread to test that segments are refused to other threads. */
  @Test
  void takeNoThreadNameAndRunNoCodeOfTheProgram() {
    Sources.compileTo(folder, List.of(), INHERITING);

    assertThat(ChildJvm.withAgent("direct").classPath(folder).run("Inheriting").quietOutput())
        .containsExactly("Thread-0");
  }
}
