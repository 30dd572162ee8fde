package dev.rockpool.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.rewrite.Redirected.Rewritten;
import dev.rockpool.testing.ClassesInMemory;
import dev.rockpool.testing.Sources;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Classes of each {@link Shape}, compiled for the first release that has arenas and for ours, are
 * rewritten and run: what they ask for has to arrive at another class.
 */
class CallSitesTest {
  private static final int[] RELEASES = {22, Sources.RELEASE};

  static Stream<Arguments> shapesAndReleases() {
    return Arrays.stream(Shape.values())
        .flatMap(
            shape -> Arrays.stream(RELEASES).mapToObj(release -> Arguments.of(shape, release)));
  }

  @ParameterizedTest
  @MethodSource("shapesAndReleases")
  void everyUseIsRedirected(Shape shape, int release) throws Exception {
    Map<String, byte[]> original = Sources.compile(release, shape.source());
    run(original);
    assertThat(Redirected.callsSinceLastAsked()).as("before").isZero();

    Map<String, byte[]> redirected = new TreeMap<>(original);
    redirected.putAll(classFiles(rewritten(original)));

    run(redirected);
    assertThat(Redirected.callsSinceLastAsked()).as("after").isEqualTo(shape.calls());
  }

  @ParameterizedTest
  @EnumSource
  void everyUseIsCounted(Shape shape) {
    Map<String, byte[]> original = Sources.compile(Sources.RELEASE, shape.source());

    assertThat(rewritten(original).values().stream().mapToInt(Rewritten::count).sum())
        .isEqualTo(shape.sites());
  }

  @ParameterizedTest
  @EnumSource
  void theVerifierOfTheClassFileApiAcceptsTheResult(Shape shape) {
    Map<String, byte[]> original = Sources.compile(Sources.RELEASE, shape.source());
    ClassFile verifier =
        ClassFile.of(
            ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofClassLoading(new ClassesInMemory(original))));

    Map<String, Rewritten> rewritten = rewritten(original);

    assertThat(rewritten).isNotEmpty();
    classFiles(rewritten)
        .forEach((name, bytes) -> assertThat(verifier.verify(bytes)).as(name).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "int ofConfined = 1;",
        """
        static final String NAME = "ofConfined";
        static final String OWNER = "java/lang/foreign/Arena";
        static final String TYPE = "()Ljava/lang/foreign/Arena;";
        static String all() { return NAME + OWNER + TYPE + Sample.class; }
        """,
        """
        interface Other { static Arena ofConfined() { return Arena.ofAuto(); } }
        static Arena ofConfined() { return Arena.global(); }
        static Object all() { return ofConfined().equals(Other.ofConfined()); }
        """,
        """
        static final String TRAP = "ofConfined";
        static Object all(Arena arena) {
          return arena == Arena.ofShared() || arena == Arena.ofAuto() || arena == Arena.global();
        }
        """
      })
  void aClassThatOnlyMentionsTheNameStaysAsItIs(String members) {
    byte[] original =
        Sources.compile(
                Sources.RELEASE,
                "import java.lang.foreign.Arena;\npublic class Sample {\n" + members + "}")
            .get("Sample");

    assertThat(RedirectedMethod.OF_CONFINED.mayBeIn(original)).as("quick look").isTrue();
    assertThat(Redirected.rewrite(original)).isNull();
  }

  @Test
  void aMethodOfTheSameNameDoesNotHideTheCallBesideIt() throws Exception {
    Map<String, byte[]> original =
        Sources.compile(
            Sources.RELEASE,
            """
            import java.lang.foreign.Arena;

            public class Sample implements Runnable {
              static Arena ofConfined() { return Arena.ofAuto(); }
              @Override public void run() {
                ofConfined().allocate(1);
                Arena.ofConfined().close();
                ofConfined().allocate(1);
              }
            }
            """);

    Map<String, Rewritten> rewritten = rewritten(original);
    run(classFiles(rewritten));

    assertThat(rewritten.get("Sample").count()).isEqualTo(1);
    assertThat(Redirected.callsSinceLastAsked()).isEqualTo(1);
  }

  @Test
  void aRewrittenClassIsNotRewrittenAgain() {
    byte[] original = Sources.compile(Sources.RELEASE, Shape.PLAIN_CALL.source()).get("Sample");

    byte[] once = Redirected.rewrite(original).bytes();

    assertThat(Redirected.rewrite(once)).isNull();
  }

  private static Map<String, Rewritten> rewritten(Map<String, byte[]> classes) {
    Map<String, Rewritten> rewritten = new LinkedHashMap<>();
    classes.forEach(
        (name, bytes) -> {
          Rewritten result = Redirected.rewrite(bytes);
          if (result != null) {
            assertThat(RedirectedMethod.OF_CONFINED.mayBeIn(bytes))
                .as("quick look at %s", name)
                .isTrue();
            rewritten.put(name, result);
          }
        });
    return rewritten;
  }

  private static Map<String, byte[]> classFiles(Map<String, Rewritten> rewritten) {
    Map<String, byte[]> bytes = new TreeMap<>();
    rewritten.forEach((name, result) -> bytes.put(name, result.bytes()));
    return bytes;
  }

  private static void run(Map<String, byte[]> classes) throws Exception {
    Class<?> sample = new ClassesInMemory(classes).loadClass("Sample");
    ((Runnable) sample.getConstructor().newInstance()).run();
  }
}
