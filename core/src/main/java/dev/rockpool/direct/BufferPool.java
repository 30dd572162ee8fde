package dev.rockpool.direct;

import java.util.function.BooleanSupplier;

/**
 * Shows the global direct memory to JMX as soon as the program or somebody who looks at it has
 * started that. The module is optional, so its classes are named in {@link BufferPoolBean} alone.
 */
final class BufferPool implements BooleanSupplier {
  private final DirectMemory memory;

  BufferPool(DirectMemory memory) {
    this.memory = memory;
  }

  /** Says whether to call again. */
  @Override
  public boolean getAsBoolean() {
    try {
      return !BufferPoolBean.register(memory);
    } catch (LinkageError | Exception impossible) {
      return false;
    }
  }
}
