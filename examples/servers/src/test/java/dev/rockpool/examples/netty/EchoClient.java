package dev.rockpool.examples.netty;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Random;

/** A client that knows neither Netty nor Rockpool. */
final class EchoClient implements AutoCloseable {
  private static final byte[] ZEROES = new byte[1 << 16];

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;

  EchoClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(60_000);
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(socket.getOutputStream());
  }

  /** Sends a frame of random bytes. Returns whether the same came back. */
  boolean echoes(Random random, int length) throws IOException {
    byte[] sent = new byte[length];
    random.nextBytes(sent);
    out.writeInt(length);
    out.write(sent);
    out.flush();
    return in.readInt() == length && Arrays.equals(in.readNBytes(length), sent);
  }

  /** Sends a frame of zeroes. Returns whether the server closed the connection instead. */
  boolean isRefused(int length) {
    try {
      begin(length, length);
      return in.read() < 0;
    } catch (IOException reset) {
      return true;
    }
  }

  /** Sends the first bytes of a frame, about so many, which the server collects. */
  void begin(int length, int first) throws IOException {
    out.writeInt(length);
    for (int sent = 0; sent < first; sent += ZEROES.length) {
      out.write(ZEROES);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
