package dev.rockpool.clients;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.file.Path;

/** Buffers made of buffers, and what they refuse. */
final class ViewClients {
  private ViewClients() {}

  static String views(Path folder) {
    ByteBuffer buffer = Clients.buffer(64).order(ByteOrder.LITTLE_ENDIAN);
    buffer.asLongBuffer().put(0x0102030405060708L);
    buffer.asDoubleBuffer().put(1, Math.PI);
    buffer.asFloatBuffer().put(4, 1.5f);
    buffer.asIntBuffer().put(5, -1);
    buffer.asShortBuffer().put(12, (short) 7);
    buffer.asCharBuffer().put(13, 'x');
    return buffer.hashCode()
        + " "
        + buffer.order(ByteOrder.BIG_ENDIAN).getLong(0)
        + " "
        + buffer.asIntBuffer().get(5)
        + " "
        + Clients.buffer(64).mismatch(buffer)
        + " "
        + buffer;
  }

  static String slices(Path folder) {
    ByteBuffer buffer = Clients.random(1000);
    ByteBuffer readOnly = buffer.slice(100, 800).asReadOnlyBuffer();
    ByteBuffer copy = Clients.buffer(800).put(readOnly.duplicate()).flip();
    ByteBuffer compact = buffer.position(990).compact();
    return copy.equals(readOnly)
        + " "
        + copy.compareTo(buffer.clear())
        + " "
        + compact
        + " "
        + compact.alignedSlice(8).capacity() % 8
        + " "
        + refusal(() -> readOnly.put((byte) 1))
        + " "
        + refusal(() -> copy.clear().put(new byte[801]))
        + " "
        + refusal(() -> copy.get(800))
        + " "
        + refusal(() -> copy.limit(801))
        + " "
        + refusal(() -> ByteBuffer.allocateDirect(-1))
        + " "
        + readOnly
        + copy.isDirect()
        + copy.hasArray()
        + readOnly.slice().isDirect();
  }

  private static String refusal(Runnable refused) {
    try {
      refused.run();
      return "accepted";
    } catch (IllegalArgumentException
        | IndexOutOfBoundsException
        | BufferOverflowException
        | ReadOnlyBufferException expected) {
      return expected.toString();
    }
  }

  static String segments(Path folder) {
    ByteBuffer buffer = Clients.random(1000);
    MemorySegment segment = MemorySegment.ofBuffer(buffer.slice(8, 800));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copy = arena.allocate(800).copyFrom(segment);
      segment.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, 42);
      return segment.mismatch(copy)
          + " "
          + segment.byteSize()
          + segment.isNative()
          + segment.isReadOnly()
          + segment.scope().isAlive()
          + segment.isAccessibleBy(new Thread())
          + " "
          + segment.asByteBuffer().hashCode()
          + " "
          + buffer.order(ByteOrder.nativeOrder()).getLong(8);
    }
  }
}
