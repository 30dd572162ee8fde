package dev.rockpool.direct;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Channels take our buffers. */
class RealClientsTest {
  private static final int CAPACITY = 100_000;

  private final CheckingMemory checked = new CheckingMemory();
  private final DirectMemory memory = checked.ofLimit(10 * CAPACITY);

  @TempDir Path folder;

  @AfterEach
  void allIsFreedAndNothingWasViolated() {
    assertThat(memory.reserved()).isZero();
    assertThat(checked.violations()).isEmpty();
  }

  private ByteBuffer random() {
    byte[] bytes = new byte[CAPACITY];
    new Random(42).nextBytes(bytes);
    return memory.allocate(CAPACITY).put(bytes).flip();
  }

  private void free(ByteBuffer... buffers) {
    for (ByteBuffer buffer : buffers) {
      memory.free(buffer);
    }
  }

  @Test
  void fileChannel() throws IOException {
    ByteBuffer written = random();
    ByteBuffer read = memory.allocate(CAPACITY);
    Path file = folder.resolve("file");
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
      writeAll(channel, written.slice(0, 10), written.slice(10, 1000), written.slice(1010, 98_990));
      channel.position(0);
      while (read.hasRemaining()) {
        assertThat(channel.read(read)).isPositive();
      }
    }
    assertThat(read.flip()).isEqualTo(written);
    free(written, read);
  }

  private static void writeAll(GatheringByteChannel channel, ByteBuffer... buffers)
      throws IOException {
    while (buffers[buffers.length - 1].hasRemaining()) {
      channel.write(buffers);
    }
  }

  /** On Windows this channel refuses each buffer of a shared arena. */
  @Test
  @DisabledOnOs(
      value = OS.WINDOWS,
      disabledReason = "the JDK's channel refuses such buffers on Windows")
  void asynchronousFileChannel() throws Exception {
    ByteBuffer written = random();
    ByteBuffer read = memory.allocate(CAPACITY);
    try (AsynchronousFileChannel channel =
        AsynchronousFileChannel.open(
            folder.resolve("file"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.READ)) {
      while (written.hasRemaining()) {
        channel.write(written, written.position()).get();
      }
      while (read.hasRemaining()) {
        assertThat(channel.read(read, read.position()).get()).isPositive();
      }
    }
    assertThat(read.flip()).isEqualTo(written.flip());
    free(written, read);
  }

  @Test
  void socketChannelOnPlatformAndVirtualThreads() throws Exception {
    for (Thread.Builder builder : new Thread.Builder[] {Thread.ofPlatform(), Thread.ofVirtual()}) {
      ByteBuffer sent = random();
      ByteBuffer received = memory.allocate(CAPACITY);
      try (ServerSocketChannel server = ServerSocketChannel.open()) {
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        FutureTask<ByteBuffer> echo = new FutureTask<>(() -> echo(server));
        builder.start(echo);
        Callable<ByteBuffer> exchange =
            () -> {
              try (SocketChannel client = SocketChannel.open(server.getLocalAddress())) {
                while (sent.hasRemaining()) {
                  client.write(sent);
                }
                client.shutdownOutput();
                while (received.hasRemaining() && client.read(received) >= 0) {
                  assertThat(received.position()).isPositive();
                }
              }
              return received;
            };
        exchange.call();
        free(echo.get());
      }
      assertThat(received.flip()).isEqualTo(sent.flip());
      free(sent, received);
    }
  }

  private ByteBuffer echo(ServerSocketChannel server) throws IOException {
    ByteBuffer buffer = memory.allocate(CAPACITY);
    try (SocketChannel connection = server.accept()) {
      while (buffer.hasRemaining() && connection.read(buffer) >= 0) {
        assertThat(buffer.position()).isPositive();
      }
      buffer.flip();
      while (buffer.hasRemaining()) {
        connection.write(buffer);
      }
    }
    return buffer;
  }
}
