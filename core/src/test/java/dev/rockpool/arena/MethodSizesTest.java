package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.util.List;
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

  /** C2's FreqInlineSize, the default on x86 and arm64. */
  private static final int LONGEST_INLINED = 325;

  /** Called at each call of their caller. */
  private static final Set<String> ALWAYS_CALLED =
      Set.of("<init>", "ensureRoom", "close", "giveBack");

  /** Called on the slabs of a thread by each arena, or by most. */
  private static final Set<String> CALLED_ON_SLABS =
      Set.of("areAt", "acquireEarly", "acquireOne", "address");

  @Test
  void whatCanBeCalledSeldomIsShort() throws IOException {
    Map<String, Integer> longer = new TreeMap<>();
    for (MethodModel method : methods(PooledArena.class)) {
      String name = method.methodName().stringValue();
      if (!method.flags().has(AccessFlag.STATIC)
          && !ALWAYS_CALLED.contains(name)
          && byteSize(method) > SHORT) {
        longer.put(name, byteSize(method));
      }
    }
    assertThat(longer).as("bytecodes of methods that C2 may not inline").isEmpty();
  }

  @Test
  void whatArenasCallOnSlabsIsShort() throws IOException {
    Map<String, Integer> found = new TreeMap<>();
    for (MethodModel method : methods(ThreadSlabs.class)) {
      String name = method.methodName().stringValue();
      if (CALLED_ON_SLABS.contains(name)) {
        found.put(name, byteSize(method));
      }
    }
    assertThat(found).containsOnlyKeys(CALLED_ON_SLABS);
    assertThat(found.values()).allMatch(size -> size <= SHORT);
  }

  @Test
  void whatWouldMakeAllocationsTooBigIsTooLongToBeInlined() throws IOException {
    assertThat(methods(PooledArena.class))
        .filteredOn(method -> method.methodName().equalsString("find"))
        .singleElement()
        .satisfies(find -> assertThat(byteSize(find)).isGreaterThan(LONGEST_INLINED));
  }

  private static int byteSize(MethodModel method) {
    return method.findAttribute(Attributes.code()).orElseThrow().codeLength();
  }

  private static List<MethodModel> methods(Class<?> type) throws IOException {
    try (InputStream in = type.getResourceAsStream(type.getSimpleName() + ".class")) {
      return ClassFile.of().parse(in.readAllBytes()).methods();
    }
  }
}
