package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rockpool.arena.Arenas;
import dev.rockpool.call.CallState;
import dev.rockpool.call.NativeCallException;
import dev.rockpool.direct.DirectMemory;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * A native image links only the downcalls that its metadata declares. The metadata declares those
 * that the library makes, as the JDK's linker remembers them, and no others.
 */
@EnabledOnOs(OS.LINUX) // elsewhere the library calls fewer functions
class ReachabilityMetadataTest {
  private static final String FILE =
      "/META-INF/native-image/dev.rockpool/rockpool/reachability-metadata.json";

  /** Finds {@code errno}, which the linker of JDK 27 and later sets itself. */
  private static final String OF_EARLIER_JDKS = "void*[]{\"critical\":{\"allowHeapAccess\":false}}";

  @Test
  void declaresAllDowncalls() throws Exception {
    List<String> made =
        ChildJvm.onClassPath()
            .with("--enable-native-access=ALL-UNNAMED")
            .with("--add-opens=java.base/jdk.internal.foreign.abi=ALL-UNNAMED")
            .run(Program.class)
            .out();
    assertThat(made).isNotEmpty();
    List<String> declared = declared();
    if (Runtime.version().feature() >= 27) {
      declared.remove(OF_EARLIER_JDKS);
    }
    assertThat(declared).containsExactlyInAnyOrderElementsOf(made);
  }

  private static List<String> declared() throws Exception {
    List<String> declared = new ArrayList<>();
    try (InputStream file = Arenas.class.getResourceAsStream(FILE)) {
      JsonObject metadata =
          JsonParser.parseReader(new InputStreamReader(file, StandardCharsets.UTF_8))
              .getAsJsonObject();
      for (JsonElement downcall : metadata.getAsJsonObject("foreign").getAsJsonArray("downcalls")) {
        declared.add(text(downcall.getAsJsonObject()));
      }
    }
    return declared;
  }

  private static String text(JsonObject downcall) {
    List<String> parameters =
        downcall.getAsJsonArray("parameterTypes").asList().stream()
            .map(JsonElement::getAsString)
            .toList();
    JsonElement options = downcall.get("options");
    return downcall.get("returnType").getAsString()
        + parameters
        + (options == null ? "" : options.toString());
  }

  /** Makes all downcalls of the library and none of its own, and prints what was linked. */
  @SuppressWarnings("restricted")
  static final class Program {
    private static final Map<Class<?>, String> TYPES =
        Map.of(int.class, "jint", long.class, "jlong", MemorySegment.class, "void*");

    private Program() {}

    public static void main(String... arguments) throws Throwable {
      useArenas();
      useDirectMemory();
      useErrorTexts();
      for (Object request : linked()) {
        System.out.println(text(request));
      }
    }

    private static void useArenas() {
      try (Arena arena = Arenas.ofConfined()) {
        arena.allocate(8);
        arena.allocate(1000);
      }
    }

    private static void useDirectMemory() {
      DirectMemory memory = DirectMemory.ofLimit(1 << 20);
      memory.free(memory.allocate(100));
    }

    private static void useErrorTexts() throws Throwable {
      MethodType type = MethodType.methodType(int.class, MemorySegment.class);
      MethodHandle fail = MethodHandles.lookup().findStatic(Program.class, "fail", type);
      MethodHandle checked = CallState.ERRNO.check(fail, "fail");
      try {
        int result = (int) checked.invokeExact();
        throw new AssertionError(result);
      } catch (NativeCallException failure) {
        if (failure.name().isEmpty() || failure.text().isEmpty()) {
          throw failure;
        }
      }
    }

    private static int fail(MemorySegment captured) {
      captured.set(ValueLayout.JAVA_INT, 0, 1);
      return -1;
    }

    private static Iterable<?> linked() throws ReflectiveOperationException {
      Linker linker = Linker.nativeLinker();
      Object requests = field(linker.getClass().getSuperclass(), "DOWNCALL_CACHE", linker);
      return ((Map<?, ?>) field(requests.getClass(), "cache", requests)).keySet();
    }

    private static Object field(Class<?> type, String name, Object owner)
        throws ReflectiveOperationException {
      Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      return field.get(owner);
    }

    private static String text(Object request) throws ReflectiveOperationException {
      FunctionDescriptor descriptor = (FunctionDescriptor) call(request, "descriptor");
      Optional<MemoryLayout> result = descriptor.returnLayout();
      return (result.isPresent() ? type(result.get()) : "void")
          + descriptor.argumentLayouts().stream().map(Program::type).toList()
          + options(call(request, "options"));
    }

    private static String type(MemoryLayout layout) {
      return TYPES.get(((ValueLayout) layout).carrier());
    }

    private static String options(Object options) throws ReflectiveOperationException {
      if ((boolean) call(options, "isCritical")) {
        return "{\"critical\":{\"allowHeapAccess\":" + call(options, "allowsHeapAccess") + "}}";
      }
      return (boolean) call(options, "hasCapturedCallState") ? "{\"captureCallState\":true}" : "";
    }

    private static Object call(Object owner, String name) throws ReflectiveOperationException {
      Method method = owner.getClass().getDeclaredMethod(name);
      method.setAccessible(true);
      return method.invoke(owner);
    }
  }
}
