package dev.rockpool.rewrite;

import static dev.rockpool.rewrite.RedirectedMethod.ALLOCATE_DIRECT;
import static dev.rockpool.rewrite.RedirectedMethod.OF_CONFINED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.ClassesInMemory;
import dev.rockpool.testing.Sources;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Direct buffers, a method of a class, beside arenas, a method of an interface. */
class CallSitesBuffersTest {
  private static final Set<RedirectedMethod> BOTH = EnumSet.of(OF_CONFINED, ALLOCATE_DIRECT);

  private static final String IMPORTS =
      """
      import java.io.Serializable;
      import java.lang.foreign.Arena;
      import java.nio.*;
      import java.util.function.*;

      """;

  private static final String USES =
      IMPORTS
          + """
          public class Sample implements Runnable {
            static final ByteBuffer FIRST = ByteBuffer.allocateDirect(1);
            final IntFunction<ByteBuffer> reference = ByteBuffer::allocateDirect;
            @Override public void run() {
              ByteBuffer.allocateDirect(2).order(ByteOrder.LITTLE_ENDIAN).put((byte) 1);
              reference.apply(3);
              Function<Integer, Buffer> other = ByteBuffer::allocateDirect;
              other.apply(4);
              ByteBuffer.allocate(5);
              ((Runnable) () -> ByteBuffer.allocateDirect(6)).run();
              Arena.ofConfined().close();
            }
          }
          """;

  @ParameterizedTest
  @ValueSource(ints = {8, 17, Sources.RELEASE})
  void everyUseIsRedirectedAndCounted(int release) throws Exception {
    String source =
        release < 22
            ? USES.replace("import java.lang.foreign.Arena;", "")
                .replace("Arena.ofConfined().close();", "")
            : USES;
    byte[] original = compile(release, source);
    CallSites sites = CallSites.in(original, BOTH);

    assertThat(sites.count(ALLOCATE_DIRECT)).isEqualTo(4); // both references are one
    run(original);
    assertThat(Redirected.buffersSinceLastAsked()).as("before").isZero();
    run(Redirected.allToHere(sites));
    assertThat(Redirected.buffersSinceLastAsked()).as("after").isEqualTo(5);
    assertThat(Redirected.callsSinceLastAsked()).as("arenas").isEqualTo(release < 22 ? 0 : 1);
  }

  @Test
  void eachMethodIsRedirectedWithoutTheOther() throws Exception {
    byte[] original = compile(Sources.RELEASE, USES);

    run(Redirected.allToHere(CallSites.in(original, EnumSet.of(OF_CONFINED))));
    assertThat(Redirected.buffersSinceLastAsked()).isZero();
    assertThat(Redirected.callsSinceLastAsked()).isEqualTo(1);

    run(Redirected.allToHere(CallSites.in(original, EnumSet.of(ALLOCATE_DIRECT))));
    assertThat(Redirected.buffersSinceLastAsked()).isEqualTo(5);
    assertThat(Redirected.callsSinceLastAsked()).isZero();

    CallSites both = CallSites.in(original, BOTH);
    run(both.redirectedTo(Map.of(ALLOCATE_DIRECT, Redirected.TARGET)));
    assertThat(Redirected.buffersSinceLastAsked()).isEqualTo(5);
    assertThat(Redirected.callsSinceLastAsked()).as("found, but not redirected").isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "static Object o = ByteBuffer.allocate(1); String name = \"allocateDirect\";",
        "static ByteBuffer allocateDirect(int c) { return null; } Object o = allocateDirect(1);",
        "static class ByteBuffer { static void allocateDirect(int c) {} } "
            + "static { ByteBuffer.allocateDirect(1); }"
      })
  void whatOnlyHasTheNameStaysAsItIs(String member) {
    byte[] original =
        compile(Sources.RELEASE, IMPORTS + "public class Sample {\n" + member + "\n}");

    assertThat(ALLOCATE_DIRECT.mayBeIn(original)).as("gets past the quick look").isTrue();
    assertThat(CallSites.in(original, BOTH).methods).isEmpty();
  }

  /**
   * A serialized reference states the owner of its method; other methods have nothing to do with
   * it.
   */
  @Test
  void aSerializableReferenceKeepsItsOwnMethodAlone() {
    byte[] original =
        compile(
            Sources.RELEASE,
            IMPORTS
                + """
                public class Sample {
                  static Object o = (IntFunction<ByteBuffer> & Serializable) ByteBuffer::allocateDirect;
                  static Arena open() { return Arena.ofConfined(); }
                }
                """);

    assertThat(CallSites.in(original, BOTH).methods).containsExactly(OF_CONFINED);
  }

  private static byte[] compile(int release, String source) {
    return Sources.compile(release, source).get("Sample");
  }

  private static void run(byte[] classFile) throws Exception {
    Class<?> sample = new ClassesInMemory(Map.of("Sample", classFile)).loadClass("Sample");
    ((Runnable) sample.getConstructor().newInstance()).run();
  }
}
