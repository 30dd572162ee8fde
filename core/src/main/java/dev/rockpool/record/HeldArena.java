package dev.rockpool.record;

import dev.rockpool.record.Holding.Owner;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A shared, automatic or global arena that is recorded. Each method calls the same method of the
 * JDK's arena; failed allocations are not counted.
 */
final class HeldArena implements Arena {
  private final Arena arena;
  private final Holding holding;

  /** Reachable as long as this arena; null if nobody needs to close it. */
  private final @Nullable Owner owner;

  private HeldArena(Arena arena, Holding holding, @Nullable Owner owner) {
    this.arena = arena;
    this.holding = holding;
    this.owner = owner;
  }

  /** Wraps an arena for that site; returns {@code arena} itself if heap or stack is exhausted. */
  static Arena of(Arena arena, int site) {
    try {
      Site at = Sites.SHARED.get(site);
      if (at.kind == Site.Kind.SHARED) {
        return heldBy(Holding.ofClosed(site), arena);
      }
      HeldArena known = at.global();
      if (known != null) {
        return known;
      }
      HeldArena made = new HeldArena(arena, Holding.ofCollected(arena.scope(), site), null);
      return at.kind == Site.Kind.GLOBAL ? at.setGlobal(made) : made;
    } catch (LinkageError | VirtualMachineError notCounted) {
      return arena;
    }
  }

  private static HeldArena heldBy(Owner owner, Arena arena) {
    try {
      return new HeldArena(arena, owner.holding, owner);
    } catch (VirtualMachineError notCounted) {
      owner.holding.closed(0); // no leak, though nobody closes the owner
      throw notCounted;
    }
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    MemorySegment segment = arena.allocate(byteSize, byteAlignment);
    try {
      holding.allocated(segment.byteSize());
    } catch (VirtualMachineError notCounted) {
      return segment;
    }
    return segment;
  }

  @Override
  public MemorySegment.Scope scope() {
    return arena.scope();
  }

  @Override
  public void close() {
    long start = System.nanoTime();
    try {
      arena.close();
    } catch (Throwable failure) {
      if (owner != null && !arena.scope().isAlive()) {
        closed(start); // a cleanup action threw; does nothing if the arena was closed before
      }
      throw failure;
    }
    closed(start);
  }

  private void closed(long start) {
    try {
      holding.closed(System.nanoTime() - start);
    } catch (VirtualMachineError notCounted) {
      return;
    }
  }
}
