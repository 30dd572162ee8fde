package dev.rockpool.direct;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.PhantomReference;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A piece of native memory that is handed out, with as many bytes of its budget.
 *
 * <p>A block is a phantom reference to its owner, the object that every buffer, slice, duplicate,
 * view and segment of the memory keeps reachable: a scope, or a bare buffer, which has no scope.
 * Phantom, because a finalizer may still use what is weakly unreachable.
 *
 * <p>A block is in {@link Blocks} from its making until a thread removes it, and that thread frees
 * it. So each block is freed once, whoever asks for it: the program, the end of a scope, or the
 * {@link Reclaimer}.
 */
final class Block extends PhantomReference<Object> {
  /** Blocks whose addresses differ by less than this number of bytes share a bin. */
  private static final int NEIGHBOURHOOD = 16 << 10;

  final Holder holder;
  final long address;
  final long byteSize;

  /**
   * The arena that ends the owner; null if the program can't free the block by a segment. Weak,
   * because the arena keeps its scope reachable; cleared if only finalizers can reach the owner.
   */
  final @Nullable WeakReference<Arena> lifetime;

  /** The bin that has the block. */
  final Blocks.Bin bin;

  /** Guarded by the bin. */
  @Nullable Block previous;

  /** Guarded by the bin; this block itself once it was removed. */
  @Nullable Block next;

  private Block(
      Holder holder,
      long address,
      long byteSize,
      @Nullable Object owner,
      @Nullable Arena lifetime) {
    super(owner, owner == null ? null : Reclaimer.QUEUE);
    this.holder = holder;
    this.address = address;
    this.byteSize = byteSize;
    this.lifetime = lifetime == null ? null : new WeakReference<>(lifetime);
    this.bin = lifetime == null ? bin(address) : bin(lifetime.scope());
  }

  /** The bin of the block that a scope owns. */
  static Blocks.Bin bin(MemorySegment.Scope scope) {
    return Blocks.bin(System.identityHashCode(scope));
  }

  /**
   * The bin of the block at an address. The first identity hash of a buffer would cost as much as
   * all else.
   */
  static Blocks.Bin bin(long address) {
    return Blocks.bin(address / NEIGHBOURHOOD);
  }

  private Block add() {
    bin.add(this);
    Reclaimer.ensureRunning();
    return this;
  }

  /**
   * Makes a block that ends with a scope; returns the cleanup action of that scope.
   *
   * @param lifetime a shared arena that only {@code DirectMemory.free} closes; null for an
   *     automatic arena: the JDK's cleaner ends it and keeps the action reachable until then, so
   *     there is no owner to watch
   */
  static Consumer<MemorySegment> ofScope(
      Holder holder, long address, long byteSize, @Nullable Arena lifetime) {
    Object owner = lifetime == null ? null : lifetime.scope();
    return new Cleanup(new Block(holder, address, byteSize, owner, lifetime).add(), lifetime);
  }

  /** Makes the block of a buffer without a scope. */
  static void ofBareBuffer(Holder holder, long address, long byteSize, ByteBuffer buffer) {
    new Block(holder, address, byteSize, buffer, null).add();
  }

  /** The cleanup action of a scope. It alone keeps the arena reachable. */
  private record Cleanup(Block block, @Nullable Arena arena) implements Consumer<MemorySegment> {
    @Override
    public void accept(MemorySegment ended) {
      block.free();
    }
  }

  /** Frees the memory, unless another thread does or has done so. */
  void free() {
    if (bin.remove(this)) {
      holder.memory.release(List.of(this));
    }
  }
}
