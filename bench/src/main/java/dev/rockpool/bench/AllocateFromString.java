package dev.rockpool.bench;

import java.lang.foreign.Arena;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;

/**
 * One string of 20 characters put into native memory with {@code allocateFrom}: UTF-8, and a zero
 * at the end.
 */
public class AllocateFromString extends Contestants.WithStack {
  private String value = "twenty characters :)";

  @Override
  long use(Arena arena) {
    return arena.allocateFrom(value).address();
  }

  /** The characters stay in the stack's memory. */
  @Override
  long use(MemoryStack stack) {
    return MemoryUtil.memAddress(stack.UTF8(value));
  }
}
