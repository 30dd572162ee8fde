package dev.rockpool.direct;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.PhantomReference;
import java.lang.ref.WeakReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One piece of native memory that is handed out, and a phantom reference to its scope: the one
 * object that every buffer, slice, duplicate, view and segment on that memory keeps reachable.
 *
 * <p>It is freed once, by whoever takes it out of {@link Blocks}: the reclaimer, after nothing can
 * reach the scope any more, or {@code DirectMemory.free}, after the scope was closed.
 */
final class Block extends PhantomReference<MemorySegment.Scope> {
  private final DirectMemory memory;
  private final long address;
  private final long byteSize;

  /** What closes the scope, and is kept reachable by it; null if only the collector ends it. */
  private final @Nullable WeakReference<Arena> lifetime;

  /** Neighbours in the chain of {@link Blocks}, guarded by its stripe. */
  @Nullable Block next;

  @Nullable Block previous;

  /** Whether it is in its chain, guarded by its stripe. */
  boolean linked;

  Block(DirectMemory memory, long address, long byteSize, Arena lifetime, boolean closable) {
    super(lifetime.scope(), Reclaimer.QUEUE);
    this.memory = memory;
    this.address = address;
    this.byteSize = byteSize;
    this.lifetime = closable ? new WeakReference<>(lifetime) : null;
  }

  /**
   * What a request takes of the system: with room to find an address that is a multiple of its
   * alignment, as the JDK does it, and never 0, so that each has an address of its own.
   */
  static long byteSizeFor(long byteSize, long byteAlignment) {
    long padding = Math.max(0, byteAlignment - MemorySource.ALIGNMENT);
    // What no long holds is beyond every limit, too.
    long total = byteSize + padding;
    return total < 0 ? Long.MAX_VALUE : Math.max(1, total);
  }

  DirectMemory memory() {
    return memory;
  }

  long address() {
    return address;
  }

  /** What was reserved for it, padding included. */
  long byteSize() {
    return byteSize;
  }

  /** The arena that ends it, or null if only the collector does. */
  @Nullable Arena lifetime() {
    return lifetime == null ? null : lifetime.get();
  }

  /**
   * The segment that is handed out. Closing {@code lifetime} frees the block.
   *
   * @throws IllegalCallerException if native access is denied to Rockpool
   */
  @SuppressWarnings("restricted")
  MemorySegment segment(long start, long segmentByteSize, Arena arena) {
    MemorySegment raw = MemorySegment.ofAddress(start);
    return lifetime == null
        ? raw.reinterpret(segmentByteSize, arena, null)
        : raw.reinterpret(segmentByteSize, arena, new WhenClosed(this, arena));
  }

  /**
   * What the scope does when it is closed. The scope keeps it reachable, and it keeps the arena
   * reachable, which nobody else does.
   */
  private record WhenClosed(Block block, Arena arena) implements Consumer<MemorySegment> {
    @Override
    public void accept(MemorySegment closed) {
      block.free();
    }
  }

  /**
   * Frees the memory, the first time it is called. Nothing may reach it any more, or its scope is
   * closed.
   */
  void free() {
    if (!Blocks.remove(this)) {
      return;
    }
    clear();
    try {
      memory.source().free(address, byteSize);
    } finally {
      memory.freed(byteSize);
    }
  }
}
