package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * An arena is no garbage as long as C2 inlines each method that is called on it. Methods that are
 * called at less than every fourth call of their caller are inlined only if they are short.
 */
class MethodSizesTest {
  /** C2's MaxInlineSize, the default. */
  private static final int SHORT = 35;

  /** Called at each call of their caller. */
  private static final Set<String> ALWAYS_CALLED =
      Set.of("<init>", "ensureRoom", "close", "release");

  @Test
  void rarelyCalledMethodsAreShort() throws IOException {
    Map<String, Integer> sizes = new TreeMap<>();
    try (InputStream in = BlockArena.class.getResourceAsStream("BlockArena.class")) {
      for (MethodModel method : ClassFile.of().parse(in.readAllBytes()).methods()) {
        boolean isOfArrays = method.methodType().stringValue().matches(".*Layout;J.*");
        if (!method.flags().has(AccessFlag.STATIC) && !isOfArrays) {
          int size = method.findAttribute(Attributes.code()).orElseThrow().codeLength();
          sizes.merge(method.methodName().stringValue(), size, Math::max);
        }
      }
    }
    assertThat(sizes).containsKeys(ALWAYS_CALLED.toArray(new String[0]));
    sizes.keySet().removeAll(ALWAYS_CALLED);
    assertThat(sizes)
        .isNotEmpty()
        .allSatisfy((_, size) -> assertThat(size).isLessThanOrEqualTo(SHORT));
  }
}
