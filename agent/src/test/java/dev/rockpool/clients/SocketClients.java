package dev.rockpool.clients;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/** Sockets on loopback. */
final class SocketClients {
  private static final int CAPACITY = 300_000;

  private SocketClients() {}

  private static SocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  static String channel(Path folder) throws Exception {
    return echo(Thread.ofPlatform());
  }

  static String virtual(Path folder) throws Exception {
    return echo(Thread.ofVirtual());
  }

  /** A thread that sends back what it gets, and one that sends and receives. */
  private static String echo(Thread.Builder threads) throws Exception {
    ByteBuffer sent = Clients.random(CAPACITY);
    ByteBuffer received = Clients.buffer(CAPACITY);
    ByteBuffer between = Clients.buffer(7_000);
    try (ServerSocketChannel server = ServerSocketChannel.open().bind(anyPort())) {
      FutureTask<Long> echo = started(threads, () -> sendBack(server, between));
      FutureTask<Void> sender;
      try (SocketChannel client = SocketChannel.open(server.getLocalAddress())) {
        sender =
            started(
                threads,
                () -> {
                  writeAll(client, sent);
                  client.shutdownOutput();
                  return null;
                });
        readAll(client, received);
        sender.get();
      }
      return echo.get() + " " + received.flip().equals(sent.flip()) + " " + received.hashCode();
    }
  }

  private static long sendBack(ServerSocketChannel server, ByteBuffer buffer) throws Exception {
    long count = 0;
    try (SocketChannel connection = server.accept()) {
      while (connection.read(buffer.clear()) >= 0) {
        count += buffer.flip().remaining();
        writeAll(connection, buffer);
      }
    }
    return count;
  }

  static String asynchronous(Path folder) throws Exception {
    ByteBuffer sent = Clients.random(CAPACITY);
    ByteBuffer received = Clients.buffer(CAPACITY);
    try (AsynchronousServerSocketChannel server =
            AsynchronousServerSocketChannel.open().bind(anyPort());
        AsynchronousSocketChannel client = AsynchronousSocketChannel.open()) {
      Future<AsynchronousSocketChannel> accepted = server.accept();
      client.connect(server.getLocalAddress()).get();
      try (AsynchronousSocketChannel connection = accepted.get()) {
        while (received.hasRemaining()) {
          Future<Integer> writing = sent.hasRemaining() ? client.write(sent) : null;
          connection.read(received).get();
          if (writing != null) {
            writing.get();
          }
        }
      }
    }
    return received.flip().equals(sent.flip()) + " " + received.hashCode();
  }

  static String datagram(Path folder) throws Exception {
    ByteBuffer received = Clients.buffer(9_000);
    StringBuilder sizes = new StringBuilder();
    try (DatagramChannel one = DatagramChannel.open().bind(anyPort());
        DatagramChannel other = DatagramChannel.open().bind(anyPort())) {
      for (int size : new int[] {0, 1, 1472, 8_000}) {
        one.send(Clients.random(size), other.getLocalAddress());
        SocketAddress sender = other.receive(received.clear());
        sizes.append(received.flip().hashCode()).append(' ');
        sizes.append(sender.equals(one.getLocalAddress())).append(' ');
      }
    }
    return sizes.toString();
  }

  static String pipe(Path folder) throws Exception {
    ByteBuffer sent = Clients.random(CAPACITY);
    ByteBuffer received = Clients.buffer(CAPACITY);
    Pipe pipe = Pipe.open();
    FutureTask<Void> writer =
        started(
            Thread.ofPlatform(),
            () -> {
              try (Pipe.SinkChannel sink = pipe.sink()) {
                writeAll(sink, sent);
              }
              return null;
            });
    try (Pipe.SourceChannel source = pipe.source()) {
      readAll(source, received);
    }
    writer.get();
    return received.flip().equals(sent.flip()) + " " + received.hashCode();
  }

  private static <T> FutureTask<T> started(Thread.Builder threads, Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    threads.start(task);
    return task;
  }

  private static void writeAll(WritableByteChannel channel, ByteBuffer buffer) throws Exception {
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  private static void readAll(ReadableByteChannel channel, ByteBuffer buffer) throws Exception {
    while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
      Thread.onSpinWait();
    }
  }
}
