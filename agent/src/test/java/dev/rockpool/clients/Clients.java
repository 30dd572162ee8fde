package dev.rockpool.clients;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Runs all clients of the JDK's own buffers, one after the other.
 *
 * <p>Each takes its buffers from here, and leaves them to be freed here, by hand. In between it is
 * told to standard error how many are Rockpool's.
 */
final class Clients {
  private static final List<ByteBuffer> LIVE = new ArrayList<>();

  private Clients() {}

  /** One use of buffers, and what came of it. */
  interface Client {
    String run(Path folder) throws Exception;
  }

  /**
   * @param args a folder for files, and whether Rockpool's agent is expected
   */
  public static void main(String[] args) throws Exception {
    ByteBuffer first = ByteBuffer.allocateDirect(1);
    RockpoolDirect ours = args[1].equals("direct") ? RockpoolDirect.await() : null;
    Cleaning.free(first);
    Path folder = Path.of(args[0]);
    run("file channel", FileClients::channel, folder, ours);
    run("asynchronous file channel", FileClients::asynchronous, folder, ours);
    run("mapped file", FileClients::mapped, folder, ours);
    run("socket channel", SocketClients::channel, folder, ours);
    run("socket channel, virtual threads", SocketClients::virtual, folder, ours);
    run("asynchronous socket channel", SocketClients::asynchronous, folder, ours);
    run("datagram channel", SocketClients::datagram, folder, ours);
    run("pipe", SocketClients::pipe, folder, ours);
    run("deflater and inflater", ZipClients::deflate, folder, ours);
    run("gzip", ZipClients::gzip, folder, ours);
    run("checksums", ZipClients::checksums, folder, ours);
    run("charsets", ZipClients::charsets, folder, ours);
    run("views", ViewClients::views, folder, ours);
    run("slices", ViewClients::slices, folder, ours);
    run("segments", ViewClients::segments, folder, ours);
    run("cleaning", Cleaning::ways, folder, ours);
    run("zstd through JNI", ZstdClient::compress, folder, ours);
  }

  private static void run(String name, Client client, Path folder, RockpoolDirect ours)
      throws Exception {
    System.out.println(name + ": " + client.run(folder));
    long live = ours == null ? 0 : ours.buffers();
    LIVE.forEach(Cleaning::free);
    LIVE.clear();
    if (ours != null) {
      System.err.println(name + ": " + live + " live, " + ours.buffers() + " left");
    }
  }

  /** A direct buffer that is freed after the client is done. */
  static ByteBuffer buffer(int capacity) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(capacity);
    LIVE.add(buffer);
    return buffer;
  }

  /** The same bytes each time. */
  static ByteBuffer random(int capacity) {
    byte[] bytes = new byte[capacity];
    new Random(42).nextBytes(bytes);
    return buffer(capacity).put(bytes).flip();
  }

  /** The same text each time. */
  static ByteBuffer text() {
    byte[] bytes =
        "All work and no play makes a dull pool. ".repeat(2500).getBytes(StandardCharsets.UTF_8);
    return buffer(bytes.length).put(bytes).flip();
  }
}
