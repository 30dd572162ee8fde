package dev.rockpool.call;

import static dev.rockpool.call.CallState.ERRNO;
import static dev.rockpool.call.CallState.GET_LAST_ERROR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rockpool.arena.ThreadKind;
import java.io.IOException;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Collections;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Handles that can't be adapted are refused; those that can are called as they are. */
@Tag("jdk")
class HandleTypesTest {
  private static MethodHandle empty(Class<?> result, Class<?>... parameters) {
    return MethodHandles.empty(MethodType.methodType(result, parameters));
  }

  @Test
  void aHandleWithoutSegment() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ERRNO.adapt(empty(int.class, int.class)))
        .withMessage(
            "The first parameter must be the MemorySegment that call state is captured into:"
                + " (int)int. Link the function with CallState.option()");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ERRNO.check(empty(int.class), Failure.NEGATIVE))
        .withMessageContaining("()int");
  }

  @Test
  void aHandleWhoseResultTellsNothing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ERRNO.adapt(empty(void.class, MemorySegment.class)))
        .withMessage(
            "The result must be int, long or MemorySegment, to tell success from failure:"
                + " (MemorySegment)void. Adapt it with MethodHandle.asType first");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ERRNO.adapt(empty(double.class, MemorySegment.class)))
        .withMessageContaining("(MemorySegment)double");
  }

  @Test
  void aRuleForOtherResults() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ERRNO.adapt(empty(int.class, MemorySegment.class), Failure.NULL))
        .withMessage(
            "The rule for failures must fit the result: NULL for (MemorySegment)int. Use"
                + " Failure.NEGATIVE, MINUS_ONE, ZERO, NON_ZERO or ofInt");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ERRNO.adapt(empty(MemorySegment.class, MemorySegment.class)))
        .withMessageEndingWith("Use Failure.NULL, MINUS_ONE or ofAddress");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> ERRNO.adapt(empty(long.class, MemorySegment.class), Failure.ofInt(i -> i == 0)))
        .withMessageContaining("a rule for int for (MemorySegment)long");
  }

  /** The handle of a combination also takes an exception and the result, within 255 slots. */
  @ParameterizedTest
  @CsvSource({"int, 252", "long, 251", "java.lang.foreign.MemorySegment, 252"})
  void aHandleWithAsManyParametersAsPossibleAndMore(Class<?> result, int most) throws Throwable {
    MethodType type = MethodType.methodType(result, MemorySegment.class, long.class, double.class);
    MethodHandle largest = withSlots(most, type);
    assertThat(ERRNO.adapt(largest, Failure.MINUS_ONE).type())
        .isEqualTo(largest.type().dropParameterTypes(0, 1));
    for (int slots = most + 1; slots <= 254; slots++) {
      MethodHandle larger = withSlots(slots, type);
      assertThatIllegalArgumentException().isThrownBy(() -> ERRNO.adapt(larger, Failure.MINUS_ONE));
      MethodHandle spread = larger.asSpreader(int[].class, 4);
      assertThat(ERRNO.adapt(spread, Failure.MINUS_ONE).type().lastParameterType())
          .isEqualTo(int[].class);
    }
  }

  /** Has parameters of {@code type}, which take five slots, and then of type int. */
  private static MethodHandle withSlots(int slots, MethodType type) {
    return MethodHandles.empty(
        type.appendParameterTypes(Collections.nCopies(slots - 5, int.class)));
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows captures all of them")
  void aStateThatThisPlatformLacks() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GET_LAST_ERROR.adapt(TestLibrary.INT_WITH))
        .withMessage(
            "The linker of this platform captures errno: GetLastError. Use one of [ERRNO]");
    assertThatIllegalArgumentException()
        .isThrownBy(CallState.WSA_GET_LAST_ERROR::option)
        .withMessage(
            "The linker of this platform captures errno: WSAGetLastError. Use one of [ERRNO]");
  }

  @Test
  void nulls() {
    assertThatThrownBy(() -> ERRNO.adapt(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> ERRNO.adapt(TestLibrary.INT_WITH, null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> ERRNO.check(TestLibrary.INT_WITH, Failure.NEGATIVE, null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> Failure.ofInt(null)).isInstanceOf(NullPointerException.class);
  }

  @SuppressWarnings("UnusedMethod") // in a handle
  private static int target(MemorySegment captured, boolean fails) throws IOException {
    if (captured.byteSize() != CallState.LAYOUT.byteSize()
        || captured.get(ValueLayout.JAVA_INT, 0) != 0) {
      throw new AssertionError("not zeroed: " + captured);
    }
    captured.set(
        ValueLayout.JAVA_INT, CallState.LAYOUT.byteOffset(PathElement.groupElement("errno")), 42);
    if (fails) {
      throw new IOException("mine");
    }
    return -1;
  }

  /** Any handle of the shape will do; the segment it gets is zero, each time. */
  @ParameterizedTest
  @EnumSource
  void zeroedBeforeEachCallAndExceptionsPassThrough(ThreadKind kind) throws Throwable {
    MethodHandle target =
        MethodHandles.lookup()
            .findStatic(
                HandleTypesTest.class,
                "target",
                MethodType.methodType(int.class, MemorySegment.class, boolean.class));
    MethodHandle adapted = ERRNO.adapt(target);
    kind.run(
        () -> {
          for (int i = 0; i < 5; i++) {
            assertThat((int) adapted.invokeExact(false)).isEqualTo(-42);
            assertThatThrownBy(() -> adapted.invoke(true))
                .isExactlyInstanceOf(IOException.class)
                .hasMessage("mine");
          }
        });
  }
}
