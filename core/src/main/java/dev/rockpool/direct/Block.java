package dev.rockpool.direct;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.PhantomReference;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A piece of native memory that is handed out, with as many bytes of its budget.
 *
 * <p>A block is a phantom reference to its owner, the object that every buffer, slice, duplicate,
 * view and segment of the memory keeps reachable: a scope, or a bare buffer, which has no scope.
 * Phantom, because a finalizer may still use what is weakly unreachable.
 *
 * <p>A block is in {@link Blocks} from the instant that it has memory until a thread removes it,
 * and that thread frees it. So each block is freed once, whoever asks for it: the program, the end
 * of a scope, or the {@link Reclaimer}.
 */
final class Block extends PhantomReference<Object> {
  /** Blocks whose addresses differ by less than this number of bytes share a bin. */
  private static final int NEIGHBOURHOOD = 16 << 10;

  final DirectMemory memory;
  long address;
  long byteSize;

  /**
   * The arena that ends the owner; null if the program can't free the block by a segment. Weak,
   * because the arena keeps its scope reachable; cleared if only finalizers can reach the owner.
   */
  final @Nullable WeakReference<Arena> lifetime;

  /** The bin that has the block. */
  final Blocks.Bin bin;

  /** Guarded by the bin. */
  @Nullable Block previous;

  /** Guarded by the bin; this block itself once it was removed, or before it was added. */
  @Nullable Block next = this;

  private Block(
      DirectMemory memory, Object owner, @Nullable WeakReference<Arena> lifetime, Blocks.Bin bin) {
    super(owner, Reclaimer.QUEUE);
    this.memory = memory;
    this.lifetime = lifetime;
    this.bin = bin;
  }

  /** Makes the block of a scope that only {@code DirectMemory.free} ends, yet without memory. */
  static Block ofScope(DirectMemory memory, Arena lifetime) {
    MemorySegment.Scope scope = lifetime.scope();
    return new Block(memory, scope, new WeakReference<>(lifetime), bin(scope));
  }

  /** Makes the block of a buffer without a scope, and hands out its memory. */
  static void ofBareBuffer(DirectMemory memory, long address, long byteSize, ByteBuffer buffer) {
    new Block(memory, buffer, null, bin(address)).takeMemory(address, byteSize);
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

  /** Takes memory that the caller has acquired. Nothing before the last step can fail. */
  void takeMemory(long acquired, long size) {
    address = acquired;
    byteSize = size;
    bin.add(this);
    Reclaimer.ensureRunning();
  }

  /** Returns a segment of the memory, whose end frees the block. */
  @SuppressWarnings("restricted")
  MemorySegment segment(long size, long byteAlignment, Arena arena) {
    long start = (address + byteAlignment - 1) & -byteAlignment;
    return MemorySegment.ofAddress(start).reinterpret(size, arena, new Cleanup(this, arena));
  }

  /** The cleanup action of a scope. It alone keeps the arena reachable. */
  private record Cleanup(Block block, Arena arena) implements Consumer<MemorySegment> {
    @Override
    public void accept(MemorySegment ended) {
      block.free();
    }
  }

  /** Frees the memory, unless another thread does or has done so. */
  void free() {
    if (bin.remove(this)) {
      memory.release(address, byteSize);
    }
  }
}
