package dev.rockpool.cli.report.recording;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of a file, in their order: parts that can be read on their own.
 *
 * <p>A header has 68 bytes. At byte 0 it has the magic, at 8 the size of the chunk, at 32 the start
 * (ns since 1970), at 40 the duration (ns), and at 48 the start (ticks).
 *
 * @param whole all that can be read, at least one
 * @param cut why the one behind these can't be; null if the file ends there
 */
record Chunks(Path file, List<Chunk> whole, @Nullable String cut) {
  /** The identity of a chunk, in whichever file: two dumps of a recording have some in common. */
  record Chunk(long startNanos, long durationNanos, long startTicks, long byteSize) {}

  /** A file can't be used; the message says why. */
  static final class Unusable extends Exception {
    private static final long serialVersionUID = 1;

    Unusable(String reason) {
      super(reason);
    }
  }

  private static final int HEADER = 68;
  private static final byte[] MAGIC = "FLR\0".getBytes(StandardCharsets.ISO_8859_1);

  static Chunks of(Path file) throws IOException, Unusable {
    List<Chunk> whole = new ArrayList<>();
    String cut = null;
    try (FileChannel channel = FileChannel.open(file)) {
      long length = channel.size();
      if (length == 0) {
        throw new Unusable("it is empty");
      }
      for (long offset = 0; offset < length && cut == null; ) {
        ByteBuffer header = header(channel, offset);
        long byteSize = header.hasRemaining() ? 0 : header.getLong(8);
        cut = cut(header, byteSize, offset, length);
        if (cut == null) {
          long nanos = Sums.checked(header.getLong(40));
          whole.add(new Chunk(header.getLong(32), nanos, header.getLong(48), byteSize));
        }
        offset += byteSize;
      }
    }
    if (whole.isEmpty()) {
      throw new Unusable(String.valueOf(cut));
    }
    return new Chunks(file, whole, cut);
  }

  private static ByteBuffer header(FileChannel channel, long offset) throws IOException, Unusable {
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
    return header;
  }

  /** Returns why a chunk ends early; null if it is whole. */
  private static @Nullable String cut(ByteBuffer header, long byteSize, long offset, long length)
      throws Unusable {
    if (byteSize > length - offset || header.hasRemaining()) {
      return "it is cut off at byte " + length + ", within the chunk that begins at byte " + offset;
    }
    if (byteSize == 0) {
      return "it is not finished: the chunk at byte "
          + offset
          + " was still being written, or its JVM was killed";
    }
    if (byteSize < HEADER) {
      throw new Unusable("it is damaged: the chunk at byte " + offset + " has no valid header");
    }
    return null;
  }

  /** Copies some of the chunks; the copy is a recording, too. */
  void copy(Set<Chunk> some, Path copy) throws IOException {
    try (FileChannel from = FileChannel.open(file);
        FileChannel to = FileChannel.open(copy, StandardOpenOption.WRITE)) {
      Set<Chunk> missing = new HashSet<>(some);
      long offset = 0;
      for (Chunk chunk : whole) {
        long end = offset + chunk.byteSize;
        if (missing.remove(chunk)) {
          while (offset < end) {
            long more = from.transferTo(offset, end - offset, to);
            if (more <= 0) {
              throw new IOException("it became shorter while it was read");
            }
            offset += more;
          }
        }
        offset = end;
      }
    }
  }
}
