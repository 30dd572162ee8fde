package dev.rockpool.call;

import static dev.rockpool.call.CallState.ERRNO;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rockpool.arena.Arenas;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The snippets of README and Javadoc, run. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows calls it _open")
@SuppressWarnings("restricted")
class CallSnippetsTest {
  private static final Linker LINKER = Linker.nativeLinker();

  static final MethodHandle OPEN =
      CallState.ERRNO.adapt(
          Linker.nativeLinker()
              .downcallHandle(
                  Linker.nativeLinker().defaultLookup().findOrThrow("open"),
                  FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                  Linker.Option.firstVariadicArg(2),
                  CallState.ERRNO.option()));

  static final MethodHandle FOPEN =
      ERRNO.check(
          LINKER.downcallHandle(
              LINKER.defaultLookup().findOrThrow("fopen"),
              FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS),
              ERRNO.option()),
          Failure.NULL,
          "fopen");

  @Test
  void callStateAndReadme() throws Throwable {
    try (Arena arena = Arenas.ofConfined()) {
      int file = (int) OPEN.invokeExact(arena.allocateFrom("/no/such/file"), 0);
      assertThat(file).isEqualTo(-2);
    }
  }

  @Test
  void check() {
    try (Arena arena = Arenas.ofConfined()) {
      MemorySegment path = arena.allocateFrom("/no/such/file");
      MemorySegment mode = arena.allocateFrom("r");
      assertThatExceptionOfType(NativeCallException.class)
          .isThrownBy(() -> FOPEN.invoke(path, mode))
          .withMessageStartingWith("fopen returned 0x0: ENOENT (2), ");
    }
  }
}
