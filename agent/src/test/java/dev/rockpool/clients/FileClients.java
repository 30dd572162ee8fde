package dev.rockpool.clients;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Files, written from buffers and read into buffers. */
final class FileClients {
  private static final int CAPACITY = 100_000;

  private FileClients() {}

  /** Gathers, scatters, transfers, and reads at positions. */
  static String channel(Path folder) throws Exception {
    ByteBuffer written = Clients.random(CAPACITY);
    ByteBuffer[] parts = {
      written.slice(0, 10), written.slice(10, 990), written.slice(1000, 99_000)
    };
    ByteBuffer[] read = {Clients.buffer(50_000), Clients.buffer(1), Clients.buffer(49_999)};
    Path copy = folder.resolve("copy");
    try (FileChannel file = FileChannel.open(folder.resolve("file"), CREATE, READ, WRITE);
        FileChannel to = FileChannel.open(copy, CREATE, READ, WRITE)) {
      while (parts[2].hasRemaining()) {
        file.write(parts);
      }
      for (long done = 0; done < CAPACITY; ) {
        done += file.transferTo(done, CAPACITY - done, to);
      }
      to.transferFrom(file.position(0), CAPACITY, CAPACITY);
      file.position(0);
      while (read[2].hasRemaining() && file.read(read) >= 0) {
        Thread.onSpinWait();
      }
      ByteBuffer tail = Clients.buffer(20);
      int atPosition = to.read(tail, 2 * CAPACITY - 10);
      return Files.size(copy)
          + " "
          + Files.mismatch(folder.resolve("file"), copy)
          + " "
          + Arrays.hashCode(read(read))
          + " "
          + atPosition
          + " "
          + tail.flip().hashCode();
    }
  }

  private static Object[] read(ByteBuffer[] buffers) {
    return Arrays.stream(buffers).map(ByteBuffer::flip).toArray();
  }

  static String asynchronous(Path folder) throws Exception {
    ByteBuffer written = Clients.random(CAPACITY);
    ByteBuffer read = Clients.buffer(CAPACITY);
    try (AsynchronousFileChannel file =
        AsynchronousFileChannel.open(folder.resolve("asynchronous"), CREATE, READ, WRITE)) {
      while (written.hasRemaining()) {
        file.write(written, written.position()).get();
      }
      while (read.hasRemaining()) {
        file.read(read, read.position()).get();
      }
    }
    return read.flip().equals(written.flip()) + " " + read.hashCode();
  }

  /** Mapped buffers are the JDK's; what is copied out of them may not be. */
  static String mapped(Path folder) throws Exception {
    ByteBuffer copy = Clients.buffer(CAPACITY);
    try (FileChannel file = FileChannel.open(folder.resolve("file"), READ)) {
      ByteBuffer mapped = file.map(FileChannel.MapMode.READ_ONLY, 0, CAPACITY);
      copy.put(mapped).flip();
      boolean same = copy.equals(mapped.flip());
      Cleaning.free(mapped);
      return same + " " + copy.hashCode();
    }
  }
}
