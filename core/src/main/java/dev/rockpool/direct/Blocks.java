package dev.rockpool.direct;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * All blocks that are handed out. Keeps them reachable, because the collector enqueues reachable
 * references only, and finds the block of a scope or of a bare buffer.
 *
 * <p>Scopes are hashed by identity, and bare buffers by address, because the first identity hash of
 * an object costs as much as all else.
 */
final class Blocks {
  /** Each block is its own key; {@link Sought} finds it without knowing it. */
  private static final ConcurrentHashMap<Object, Block> ALL = new ConcurrentHashMap<>();

  private Blocks() {}

  static int hash(MemorySegment.Scope scope) {
    return System.identityHashCode(scope);
  }

  static int hash(long address) {
    return Long.hashCode(address / MemorySource.ALIGNMENT);
  }

  static void add(Block block) {
    ALL.put(block, block);
  }

  /** Returns whether this call removed the block; then the caller frees it. */
  static boolean remove(Block block) {
    return ALL.remove(block) != null;
  }

  static @Nullable Block find(MemorySegment.Scope scope) {
    return ALL.get(new Sought(hash(scope), scope));
  }

  static @Nullable Block find(ByteBuffer bareBuffer, long address) {
    return ALL.get(new Sought(hash(address), bareBuffer));
  }

  static boolean areNone() {
    return ALL.isEmpty();
  }

  static long count(DirectMemory memory) {
    return ALL.values().stream().filter(block -> block.memory == memory).count();
  }

  /** Equals the block of an owner. */
  private record Sought(int hash, Object owner) {
    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Block block && block.refersTo(owner);
    }
  }
}
