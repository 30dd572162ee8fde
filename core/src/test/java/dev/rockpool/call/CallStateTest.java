package dev.rockpool.call;

import static dev.rockpool.call.CallState.ERRNO;
import static dev.rockpool.call.CallState.GET_LAST_ERROR;
import static dev.rockpool.call.CallState.WSA_GET_LAST_ERROR;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.rockpool.arena.Arenas;
import dev.rockpool.arena.ThreadKind;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The results and exceptions of adapted handles, of obedient functions and of libc's. */
@SuppressWarnings("restricted")
@Tag("jdk")
class CallStateTest {
  private static final int ENOENT = 2;
  private static final int EBADF = 9;
  private static final int ENOTTY = 25;

  @ParameterizedTest
  @CsvSource({
    // rule, result, code, expected
    "NEGATIVE, 7, 2, 7",
    "NEGATIVE, 0, 2, 0",
    "NEGATIVE, -1, 2, -2",
    "NEGATIVE, -2147483648, 2, -2",
    "NEGATIVE, -1, 0, -1",
    "NEGATIVE, -7, -5, -7",
    "MINUS_ONE, -1, 2, -2",
    "MINUS_ONE, -3, 2, -3",
    "NON_ZERO, 0, 2, 0",
    "NON_ZERO, 5, 2, -2",
    "NON_ZERO, 5, 0, 5",
    "ZERO, 0, 2, -2",
    "ZERO, 0, 0, 0",
    "ZERO, -1, 2, -1",
  })
  void intResults(String rule, int result, int code, int expected) throws Throwable {
    MethodHandle adapted = ERRNO.adapt(TestLibrary.INT_WITH, rule(rule));
    for (int i = 0; i < 3; i++) {
      for (ThreadKind kind : ThreadKind.values()) {
        kind.run(() -> assertThat((int) adapted.invokeExact(result, code)).isEqualTo(expected));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "NEGATIVE, 7, 2, 7",
    "NEGATIVE, -1, 2, -2",
    "NEGATIVE, -9223372036854775808, 2, -2",
    "NEGATIVE, -1, 0, -1",
    "NEGATIVE, -7, -5, -4294967291",
    "MINUS_ONE, -1, 2, -2",
    "MINUS_ONE, 4294967295, 2, 4294967295",
    "NON_ZERO, 4294967296, 2, -2",
    "ZERO, 4294967296, 2, 4294967296",
  })
  void longResults(String rule, long result, int code, long expected) throws Throwable {
    MethodHandle adapted = ERRNO.adapt(TestLibrary.LONG_WITH, rule(rule));
    for (ThreadKind kind : ThreadKind.values()) {
      kind.run(() -> assertThat((long) adapted.invokeExact(result, code)).isEqualTo(expected));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "NULL, 4096, 2, 4096",
    "NULL, 0, 2, -2",
    "NULL, 0, 0, 0",
    "MINUS_ONE, -1, 12, -12",
    "MINUS_ONE, 0, 12, 0",
  })
  void pointerResults(String rule, long result, int code, long expected) throws Throwable {
    MethodHandle adapted = ERRNO.adapt(TestLibrary.POINTER_WITH, rule(rule));
    for (ThreadKind kind : ThreadKind.values()) {
      kind.run(
          () -> {
            MemorySegment address = MemorySegment.ofAddress(result);
            MemorySegment got = (MemorySegment) adapted.invokeExact(address, code);
            assertThat(got).isEqualTo(MemorySegment.ofAddress(expected));
          });
    }
  }

  private static Failure rule(String constant) throws ReflectiveOperationException {
    Failure rule = (Failure) Failure.class.getField(constant).get(null);
    assertThat(rule).hasToString(constant);
    return rule;
  }

  @Test
  void rulesOfTheProgram() throws Throwable {
    MethodHandle odd = ERRNO.adapt(TestLibrary.INT_WITH, Failure.ofInt(i -> i % 2 != 0));
    assertThat((int) odd.invokeExact(4, 2)).isEqualTo(4);
    assertThat((int) odd.invokeExact(5, 2)).isEqualTo(-2);
    MethodHandle large = ERRNO.adapt(TestLibrary.LONG_WITH, Failure.ofLong(l -> l > 1L << 40));
    assertThat((long) large.invokeExact(1L, 2)).isEqualTo(1);
    assertThat((long) large.invokeExact(1L << 41, 2)).isEqualTo(-2);
    MethodHandle low =
        ERRNO.adapt(TestLibrary.POINTER_WITH, Failure.ofAddress(p -> p.address() < 4096));
    assertThat(((MemorySegment) low.invokeExact(MemorySegment.ofAddress(99), 2)).address())
        .isEqualTo(-2);
  }

  /** A rule may make native calls, which leave codes of their own. */
  @ParameterizedTest
  @EnumSource
  void aRuleThatMakesCallsDoesNotDisturbTheCode(ThreadKind kind) throws Throwable {
    MethodHandle inner = ERRNO.adapt(TestLibrary.INT_WITH);
    Failure rule =
        Failure.ofInt(
            result -> {
              try {
                return (int) inner.invokeExact(-1, 77) == -77;
              } catch (Throwable e) {
                throw new AssertionError(e);
              }
            });
    MethodHandle adapted = ERRNO.adapt(TestLibrary.INT_WITH, rule);
    kind.run(
        () -> {
          for (int i = 0; i < 3; i++) {
            assertThat((int) adapted.invokeExact(1, 5)).isEqualTo(-5);
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void checkThrows(ThreadKind kind) throws Throwable {
    MethodHandle checked = ERRNO.check(TestLibrary.INT_WITH, "int_with");
    kind.run(
        () -> {
          assertThat((int) checked.invokeExact(3, ENOENT)).isEqualTo(3);
          NativeCallException failure =
              catchThrowableOfType(NativeCallException.class, () -> checked.invoke(-1, ENOENT));
          assertThat(failure.code()).isEqualTo(ENOENT);
          assertThat(failure.name()).isEqualTo("ENOENT");
          assertThat(failure.text()).isEqualTo(TestLibrary.text(ENOENT)).isNotEmpty();
          assertThat(failure.function()).isEqualTo("int_with");
          assertThat(failure)
              .hasMessage("int_with returned -1: ENOENT (2), " + TestLibrary.text(ENOENT));
        });
  }

  @Test
  void checkOfOtherResults() {
    MethodHandle pointer = ERRNO.check(TestLibrary.POINTER_WITH, Failure.NULL);
    NativeCallException failure =
        catchThrowableOfType(
            NativeCallException.class, () -> pointer.invoke(MemorySegment.NULL, ENOENT));
    assertThat(failure.function()).isEmpty();
    assertThat(failure).hasMessageStartingWith("The native call returned 0x0: ENOENT (2), ");

    MethodHandle number = ERRNO.check(TestLibrary.LONG_WITH, Failure.MINUS_ONE, "long_with");
    assertThat(catchThrowableOfType(NativeCallException.class, () -> number.invoke(-1L, 4711)))
        .hasMessageStartingWith("long_with returned -1: errno 4711");
    assertThat(catchThrowableOfType(NativeCallException.class, () -> number.invoke(-1L, 0)))
        .hasMessage("long_with returned -1, and left no error code");
  }

  @Test
  void optionCapturesTheState() throws Throwable {
    assertThat(ERRNO.option()).isEqualTo(Linker.Option.captureCallState("errno"));
    MethodHandle adapted =
        ERRNO.adapt(
            Linker.nativeLinker()
                .downcallHandle(
                    TestLibrary.symbol("int_with"),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT),
                    ERRNO.option()));
    assertThat(adapted.type()).isEqualTo(MethodType.methodType(int.class, int.class, int.class));
    assertThat((int) adapted.invokeExact(-1, 3)).isEqualTo(-3);
  }

  /** {@code open}, {@code read}, {@code ioctl} and {@code close}, as they fail and succeed. */
  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has no ioctl")
  void functionsOfTheCLibrary(@TempDir Path folder) throws Throwable {
    Path file = Files.writeString(folder.resolve("file"), "hello");
    MethodHandle open =
        libc(
            "open",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
            Linker.Option.firstVariadicArg(2));
    MethodHandle read =
        libc("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    MethodHandle ioctl =
        libc(
            "ioctl",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
            Linker.Option.firstVariadicArg(2));
    MethodHandle close = libc("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    try (Arena arena = Arenas.ofConfined()) {
      MemorySegment missing = arena.allocateFrom(folder.resolve("missing").toString());
      assertThat((int) open.invokeExact(missing, 0)).isEqualTo(-ENOENT);
      int fd = (int) open.invokeExact(arena.allocateFrom(file.toString()), 0);
      assertThat(fd).isNotNegative();
      MemorySegment buffer = arena.allocate(16);
      assertThat((long) read.invokeExact(fd, buffer, 16L)).isEqualTo(5);
      assertThat(buffer.getString(0)).isEqualTo("hello");
      long tcgets = 0x5401;
      assertThat((int) ioctl.invokeExact(fd, tcgets, buffer)).isEqualTo(-ENOTTY);
      assertThat((int) close.invokeExact(fd)).isZero();
      assertThat((int) close.invokeExact(fd)).isEqualTo(-EBADF);
      assertThat((long) read.invokeExact(fd, buffer, 16L)).isEqualTo(-EBADF);
    }
  }

  /** {@code getenv} fails without an error code; calls before it have left theirs. */
  @ParameterizedTest
  @EnumSource
  void aFunctionThatLeavesNoCodeDoesNotReportThatOfAnEarlierCall(ThreadKind kind) throws Throwable {
    MethodHandle getenv =
        Linker.nativeLinker()
            .downcallHandle(
                Linker.nativeLinker().defaultLookup().findOrThrow("getenv"),
                FunctionDescriptor.of(ADDRESS, ADDRESS),
                ERRNO.option());
    MethodHandle adapted = ERRNO.adapt(getenv, Failure.NULL);
    MethodHandle checked = ERRNO.check(getenv, Failure.NULL, "getenv");
    MethodHandle failing = ERRNO.adapt(TestLibrary.INT_WITH);
    kind.run(
        () -> {
          try (Arena arena = Arenas.ofConfined()) {
            MemorySegment unset = arena.allocateFrom("NO_SUCH_VARIABLE");
            for (int i = 0; i < 3; i++) {
              assertThat((int) failing.invokeExact(-1, EBADF)).isEqualTo(-EBADF);
              MemorySegment result = (MemorySegment) adapted.invokeExact(unset);
              assertThat(result.address()).isZero();
              assertThat((int) failing.invokeExact(-1, EBADF)).isEqualTo(-EBADF);
              assertThat(
                      catchThrowableOfType(NativeCallException.class, () -> checked.invoke(unset)))
                  .hasMessage("getenv returned 0x0, and left no error code");
            }
          }
        });
  }

  @Test
  @EnabledOnOs(OS.WINDOWS)
  void statesOfWindows() throws Throwable {
    MethodHandle deleteFile =
        GET_LAST_ERROR.adapt(
            ofWindows("kernel32", "DeleteFileA", ADDRESS, GET_LAST_ERROR), Failure.ZERO);
    MethodHandle closeSocket =
        WSA_GET_LAST_ERROR.adapt(
            ofWindows("ws2_32", "closesocket", JAVA_LONG, WSA_GET_LAST_ERROR), Failure.MINUS_ONE);
    int notInitialised = 10093;
    int notASocket = 10038;
    try (Arena arena = Arenas.ofConfined()) {
      MemorySegment missing = arena.allocateFrom("C:\\no such file");
      assertThat((int) deleteFile.invokeExact(missing)).isEqualTo(-ENOENT);
      assertThat((int) closeSocket.invokeExact(-1L)).isIn(-notInitialised, -notASocket);
    }
  }

  private static MethodHandle ofWindows(
      String library, String function, MemoryLayout parameter, CallState state) {
    return Linker.nativeLinker()
        .downcallHandle(
            SymbolLookup.libraryLookup(library, Arena.global()).findOrThrow(function),
            FunctionDescriptor.of(JAVA_INT, parameter),
            state.option());
  }

  private static MethodHandle libc(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    MemorySegment symbol = Linker.nativeLinker().defaultLookup().findOrThrow(name);
    Linker.Option[] all = Arrays.copyOf(options, options.length + 1);
    all[options.length] = ERRNO.option();
    return ERRNO.adapt(Linker.nativeLinker().downcallHandle(symbol, descriptor, all));
  }
}
