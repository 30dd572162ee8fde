package dev.rockpool.scan;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Class files until the scan is over: in memory as long as there is room, then in a temporary file.
 * Any thread may use it.
 */
final class ClassStore implements Closeable {
  private static final long LARGEST_FILE = 8L << 30;

  private long room;
  private long fileSize;
  private @Nullable FileChannel file;

  /** Takes that many bytes of memory at most. */
  ClassStore(long room) {
    this.room = room;
  }

  /** Takes over the bytes, and returns where to get them. */
  Supplier<byte[]> keep(byte[] bytes) throws IOException {
    FileChannel channel;
    long at;
    synchronized (this) {
      if (bytes.length <= room) {
        room -= bytes.length;
        return () -> bytes;
      }
      if (bytes.length > LARGEST_FILE - fileSize) {
        throw new IOException(
            "class files that name java.lang.foreign must have at most 8 GB: they have more");
      }
      if (file == null) {
        Path path = Files.createTempFile("rockpool-scan", ".tmp");
        file =
            FileChannel.open(
                path,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
      }
      channel = file;
      at = fileSize;
      fileSize += bytes.length;
    }
    ByteBuffer all = ByteBuffer.wrap(bytes);
    while (all.hasRemaining()) {
      channel.write(all, at + all.position());
    }
    int length = bytes.length;
    return () -> read(channel, at, length);
  }

  private static byte[] read(FileChannel channel, long at, int length) {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    try {
      while (bytes.hasRemaining()) {
        if (channel.read(bytes, at + bytes.position()) <= 0) {
          throw new IOException("the temporary file of the scan became shorter");
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.array();
  }

  @Override
  public synchronized void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
