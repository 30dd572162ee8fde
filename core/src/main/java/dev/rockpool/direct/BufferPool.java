package dev.rockpool.direct;

import java.util.function.BooleanSupplier;

/**
 * Shows the global direct memory to JMX as soon as the program or somebody who looks at it has
 * started that.
 */
final class BufferPool implements BooleanSupplier, DirectMonitor.Figures {
  private final DirectMemory memory;

  BufferPool(DirectMemory memory) {
    this.memory = memory;
  }

  /** Says whether to call again. */
  @Override
  public boolean getAsBoolean() {
    return !Monitoring.current().show(this);
  }

  @Override
  public long blocks() {
    return memory.blocks();
  }

  @Override
  public long reserved() {
    return memory.reserved();
  }

  @Override
  public long used() {
    return memory.reserved() + memory.source().kept();
  }
}
