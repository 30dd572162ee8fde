package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.child.ChildJvm.Result;
import dev.rockpool.internal.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The library's memory comes from the allocator that the process was started with. */
@EnabledOnOs(OS.LINUX) // LD_PRELOAD
class PreloadedAllocatorTest {
  private static final Path COUNTER = CLibraries.library("counter");

  @Test
  void servesCallocAndFree() throws Exception {
    assertThat(run(COUNTER).value("calls")).isEqualTo("2");
  }

  @Test
  void isTheCLibraryWithoutOne() throws Exception {
    assertThat(run(null).value("calls")).isEqualTo("0");
  }

  private Result run(@Nullable Path preloaded) throws Exception {
    ChildJvm jvm = ChildJvm.onClassPath().with("--enable-native-access=ALL-UNNAMED");
    if (preloaded != null) {
      jvm.withVariable("LD_PRELOAD", preloaded.toString());
    }
    return jvm.run(Program.class, COUNTER.toString());
  }

  @SuppressWarnings("restricted")
  static final class Program {
    private Program() {}

    public static void main(String... arguments) throws Throwable {
      long address = NativeMemory.allocateZeroed(123_456);
      NativeMemory.free(address);
      int calls =
          (int)
              Linker.nativeLinker()
                  .downcallHandle(
                      SymbolLookup.libraryLookup(Path.of(arguments[0]), Arena.global())
                          .findOrThrow("calls"),
                      FunctionDescriptor.of(ValueLayout.JAVA_INT))
                  .invokeExact();
      System.out.println("calls=" + calls);
    }
  }
}
