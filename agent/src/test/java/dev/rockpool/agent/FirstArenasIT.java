package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Making the pool takes nothing that belongs to the program. */
class FirstArenasIT {
  private static final String INHERITING =
      """
      import module java.base;

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

  /** The agent makes a thread to test that segments are refused to other threads. */
  @Test
  void takeNoThreadNameAndRunNoCodeOfTheProgram() {
    assertThat(ChildJvm.withAgent("direct").program(INHERITING).run("Inheriting").quietOutput())
        .containsExactly("Thread-0");
  }
}
