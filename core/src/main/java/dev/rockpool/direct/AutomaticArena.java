package dev.rockpool.direct;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An automatic arena of the JDK, with memory of ours: a block for each segment. When nothing can
 * reach the arena and its segments any more, the JDK's cleaner runs what was registered with the
 * arena, last things first. Blocks are freed by such actions: so those of the program, and files
 * that it mapped, come in the same order as in the JDK's own arenas.
 *
 * <p>Not with memory of the JDK, which would count against the JVM's own limit as well.
 */
final class AutomaticArena implements Arena {
  private final DirectMemory memory;
  private final Arena arena = Arena.ofAuto();

  AutomaticArena(DirectMemory memory) {
    this.memory = memory;
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    return memory.allocate(byteSize, byteAlignment, arena, Block.End.ofAutomatic(memory));
  }

  @Override
  public MemorySegment.Scope scope() {
    return arena.scope();
  }

  /** The JDK's own exception. */
  @Override
  public void close() {
    arena.close();
  }
}
