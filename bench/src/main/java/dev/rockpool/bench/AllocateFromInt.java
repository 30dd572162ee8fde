package dev.rockpool.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;

/** One {@code int} put into native memory with {@code allocateFrom}, as for an in-out parameter. */
public class AllocateFromInt extends Contestants.WithStack {
  private int value = 42;

  @Override
  long use(Arena arena) {
    return arena.allocateFrom(ValueLayout.JAVA_INT, value).address();
  }

  /** The value stays in the stack's memory. */
  @Override
  long use(MemoryStack stack) {
    long address = stack.nmalloc(Integer.BYTES, Integer.BYTES);
    MemoryUtil.memPutInt(address, value);
    return address;
  }
}
