package dev.rockpool.examples.netty;

import dev.rockpool.direct.DirectMemory;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.netty.util.internal.CleanableDirectBuffer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Netty's direct buffers under a limit: each buffer is a chunk of {@link DirectMemory}, whose size
 * is a power of two. {@link DirectMemory#free} stops all threads for a moment, therefore released
 * chunks stay idle for the next buffer of that size, up to half of the limit. Idle chunks make room
 * for other sizes, and {@link #trim} frees all.
 *
 * <p>A buffer that does not fit the limit waits on its event loop, for half a second after memory
 * was last freed, and then throws {@link OutOfMemoryError}. Netty passes the error to {@code
 * exceptionCaught} of that channel; the server goes on.
 */
public final class BudgetedAllocator extends AbstractByteBufAllocator {
  private static final int SMALLEST = 256;
  private static final int LARGEST = 1 << 30;

  private final DirectMemory memory;

  /** Idle chunks by the binary logarithm of their size. */
  private final List<Queue<ByteBuffer>> idle =
      Stream.<Queue<ByteBuffer>>generate(ConcurrentLinkedQueue::new).limit(31).toList();

  private final AtomicLong idleBytes = new AtomicLong();

  /**
   * Makes an allocator.
   *
   * @param memory its limit; other users of it wait for idle chunks until {@link #trim}
   */
  public BudgetedAllocator(DirectMemory memory) {
    super(true);
    this.memory = memory;
  }

  @Override
  public boolean isDirectBufferPooled() {
    return true;
  }

  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    return new UnpooledHeapByteBuf(this, initialCapacity, maxCapacity);
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    Chunk chunk = new Chunk(take(initialCapacity), initialCapacity);
    return toLeakAwareBuffer(new Buffer(chunk, maxCapacity).clear());
  }

  /** Frees the idle chunks, such as after a peak, or for other users of the memory. */
  public void trim() {
    for (Queue<ByteBuffer> chunks : idle) {
      for (ByteBuffer chunk = chunks.poll(); chunk != null; chunk = chunks.poll()) {
        idleBytes.addAndGet(-chunk.capacity());
        memory.free(chunk);
      }
    }
  }

  /** Returns the bytes in idle chunks, which the limit counts as reserved. */
  public long idleBytes() {
    return idleBytes.get();
  }

  private ByteBuffer take(int capacity) {
    int size = capacity > LARGEST ? capacity : sizeFor(capacity);
    ByteBuffer chunk = size > LARGEST ? null : idleOf(size).poll();
    if (chunk != null) {
      idleBytes.addAndGet(-size);
      return chunk;
    }
    if (memory.reserved() + size > memory.limit()) {
      trim();
    }
    return memory.allocate(size);
  }

  private void give(ByteBuffer chunk) {
    int size = chunk.capacity();
    if (size <= LARGEST && idleBytes.addAndGet(size) <= memory.limit() / 2) {
      idleOf(size).add(chunk.clear());
      return;
    }
    if (size <= LARGEST) {
      idleBytes.addAndGet(-size);
    }
    memory.free(chunk);
  }

  private Queue<ByteBuffer> idleOf(int size) {
    return idle.get(Integer.numberOfTrailingZeros(size));
  }

  private static int sizeFor(int capacity) {
    return Math.max(SMALLEST, 1 << -Integer.numberOfLeadingZeros(capacity - 1));
  }

  /**
   * A chunk in use. Netty calls {@link #clean} when a buffer has grown out of it or is released.
   */
  private final class Chunk implements CleanableDirectBuffer {
    private final ByteBuffer whole;
    private final ByteBuffer part;

    Chunk(ByteBuffer whole, int capacity) {
      this.whole = whole;
      this.part = whole.slice(0, capacity);
    }

    @Override
    public ByteBuffer buffer() {
      return part;
    }

    @Override
    public void clean() {
      give(whole);
    }
  }

  private final class Buffer extends UnpooledDirectByteBuf {
    /** The first chunk, which Netty does not free. A subclass can make only the later ones. */
    private @Nullable Chunk first;

    Buffer(Chunk first, int maxCapacity) {
      super(BudgetedAllocator.this, first.buffer(), maxCapacity);
      this.first = first;
    }

    @Override
    public ByteBuf capacity(int newCapacity) {
      boolean moves = newCapacity != capacity();
      super.capacity(newCapacity);
      if (moves) {
        cleanFirst();
      }
      return this;
    }

    @Override
    protected CleanableDirectBuffer allocateDirectBuffer(int capacity) {
      return new Chunk(take(capacity), capacity);
    }

    @Override
    protected void deallocate() {
      super.deallocate();
      cleanFirst();
    }

    private void cleanFirst() {
      Chunk chunk = first;
      first = null;
      if (chunk != null) {
        chunk.clean();
      }
    }
  }
}
