package dev.rockpool.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.child.PublicTypes;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.nio.Buffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Each public method that takes what might be an address, and why a caller without native access
 * can do no harm through it. Restricted methods of the JDK believe what they are told of memory and
 * functions; with arguments of a caller they are the caller's to call.
 */
class AddressArgumentsTest {
  private static final List<Class<?>> ADDRESS_LIKE =
      List.of(
          Buffer.class,
          FunctionDescriptor.class,
          Linker.class,
          Linker.Option.class,
          MemoryLayout.class,
          MemorySegment.class,
          MethodHandle.class,
          MethodHandles.Lookup.class,
          SymbolLookup.class);

  private static final String INVOKES =
      "invokes the handle, which the caller could do as well; the segment it gets has bounds and"
          + " a lifetime, and memory that nobody else has meanwhile";
  private static final String FREES =
      "closes an arena of ours, found by the object's identity or address; refuses all others";

  private static final Map<String, String> WHY_HARMLESS =
      Map.of(
          "CallState.adapt(MethodHandle)", INVOKES,
          "CallState.adapt(MethodHandle, Failure)", INVOKES,
          "CallState.check(MethodHandle, String)", INVOKES,
          "CallState.check(MethodHandle, Failure)", INVOKES,
          "CallState.check(MethodHandle, Failure, String)", INVOKES,
          "DirectMemory.free(Buffer)", FREES,
          "DirectMemory.free(MemorySegment)", FREES);

  @Test
  void eachIsKnownToBeHarmless() throws Exception {
    TreeSet<String> found = new TreeSet<>();
    for (Class<?> type : PublicTypes.ofRockpool()) {
      visible(type).filter(AddressArgumentsTest::takesAddress).forEach(e -> found.add(name(e)));
    }
    assertThat(found).isEqualTo(new TreeSet<>(WHY_HARMLESS.keySet()));
  }

  /** The methods that programs can call: inherited ones, too, and protected ones. */
  private static Stream<Executable> visible(Class<?> type) {
    return Stream.of(
            Arrays.stream(type.getConstructors()),
            Arrays.stream(type.getMethods()),
            Arrays.stream(type.getDeclaredConstructors()).filter(AddressArgumentsTest::isProtected),
            Arrays.stream(type.getDeclaredMethods()).filter(AddressArgumentsTest::isProtected))
        .flatMap(executables -> executables);
  }

  private static boolean isProtected(Executable executable) {
    return Modifier.isProtected(executable.getModifiers());
  }

  private static boolean takesAddress(Executable executable) {
    return Arrays.stream(executable.getParameterTypes()).anyMatch(AddressArgumentsTest::isAddress);
  }

  private static boolean isAddress(Class<?> parameter) {
    Class<?> type = parameter.isArray() ? parameter.getComponentType() : parameter;
    return ADDRESS_LIKE.stream().anyMatch(like -> like.isAssignableFrom(type));
  }

  private static String name(Executable executable) {
    List<String> parameters =
        Arrays.stream(executable.getParameterTypes()).map(Class::getSimpleName).toList();
    String name = executable.getDeclaringClass().getSimpleName() + "." + simpleName(executable);
    return name + "(" + String.join(", ", parameters) + ")";
  }

  private static String simpleName(Executable executable) {
    String name = executable.getName();
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
