package dev.rockpool.cli.report.recording;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;

/**
 * A part of a recording that can be read on its own. Two dumps of one running recording have chunks
 * in common; these are told by when they began, how long they lasted, and their size.
 *
 * <p>bytes of its header: 0 magic 4 version 8 size 16, 24 offsets 32 start (ns since 1970) 40
 * duration (ns) 48 start (ticks) 56 ticks per second 64 state
 */
record Chunk(long offset, long byteSize, Id id) {
  /** The identity of a chunk, in whichever file. */
  record Id(long startNanos, long durationNanos, long startTicks, long byteSize) {}

  private static final int HEADER = 68;
  private static final byte[] MAGIC = "FLR\0".getBytes(StandardCharsets.ISO_8859_1);

  /** The chunk that begins at byte {@code offset} of a file with {@code length} bytes. */
  static Chunk at(FileChannel channel, long offset, long length) throws IOException, Unusable {
    ByteBuffer header = ByteBuffer.allocate(HEADER);
    while (header.hasRemaining() && channel.read(header, offset + header.position()) >= 0) {
      // Reads may be short.
    }
    for (int i = 0; i < MAGIC.length; i++) {
      if (i >= header.position() || header.get(i) != MAGIC[i]) {
        throw new Unusable(
            offset == 0
                ? "it is no recording of JDK Flight Recorder"
                : "it is damaged: there should be another chunk at byte " + offset);
      }
    }
    long byteSize = header.hasRemaining() ? 0 : header.getLong(8);
    if (byteSize > length - offset || header.hasRemaining()) {
      throw new CutOff(
          "it is cut off at byte " + length + ", within the chunk that begins at byte " + offset);
    }
    if (byteSize == 0) {
      throw new CutOff(
          "it is not finished: the chunk at byte "
              + offset
              + " was still being written, or its JVM was killed");
    }
    if (byteSize < HEADER || header.getLong(40) < 0) {
      throw new Unusable("it is damaged: the chunk at byte " + offset + " has no valid header");
    }
    return new Chunk(
        offset,
        byteSize,
        new Id(header.getLong(32), header.getLong(40), header.getLong(48), byteSize));
  }
}
