package dev.rockpool.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * A string of {@code length} characters put into native memory and passed to C's {@code strlen}, as
 * bindings do all day.
 */
@SuppressWarnings("restricted")
public class StringToStrlen extends Contestants.WithStack {
  private static final MethodHandle STRLEN =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("strlen"),
              FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));

  /** Characters in the string, all of them ASCII. */
  @Param({"5", "20", "100", "451"})
  public int length;

  private String text = "";

  @Setup
  public void makeText() {
    text = "x".repeat(length);
  }

  @Override
  long use(Arena arena) throws Throwable {
    return (long) STRLEN.invokeExact(arena.allocateFrom(text));
  }

  /** The characters stay in the stack's memory, and {@code strlen} gets a bare address. */
  @Override
  long use(MemoryStack stack) throws Throwable {
    long address = MemoryUtil.memAddress(stack.UTF8(text));
    return (long) STRLEN.invokeExact(MemorySegment.ofAddress(address));
  }
}
