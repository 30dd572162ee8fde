package dev.rockpool.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Sources;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.attribute.SourceDebugExtensionAttribute;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Lines beyond the end of a source, which Kotlin gives to code that it has inlined. */
class InlinedLinesTest {
  private static final String SOURCE =
      "class A {\n" + "\n".repeat(40) + "void a() { java.lang.foreign.Arena.ofConfined(); } }";

  private static final String MAP =
      """
      SMAP
      A.kt
      Kotlin
      *S Kotlin
      *F
      + 1 A.kt
      A
      + 2 Library.kt
      LibraryKt
      *L
      1#1,30:1
      7#2,3:40
      *S KotlinDebug
      *F
      + 1 A.kt
      A
      *L
      12#1:40,3
      *E
      """;

  private static String place(@Nullable String map) {
    byte[] file = Sources.compile(Sources.RELEASE, SOURCE).get("A");
    if (map != null) {
      ClassModel model = ClassFile.of().parse(file);
      file =
          ClassFile.of()
              .transformClass(
                  model,
                  ClassTransform.endHandler(
                      built ->
                          built.with(
                              SourceDebugExtensionAttribute.of(
                                  map.getBytes(StandardCharsets.UTF_8)))));
    }
    CallSites sites = CallSites.in(file, Set.of(RedirectedMethod.OF_CONFINED));
    return sites.place(sites.calls.getFirst());
  }

  @Test
  void isTheLineThatCalls() {
    assertThat(place(null)).isEqualTo("a:42");
    assertThat(place(MAP)).isEqualTo("a:12");
    assertThat(place(MAP.replace("12#1:40,3", "12#1:43,3"))).isEqualTo("a:42");
    assertThat(place("no map")).isEqualTo("a:42");
  }
}
