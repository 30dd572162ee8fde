package dev.rockpool.clients;

import com.github.luben.zstd.Zstd;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Native code of a library, which gets the addresses of buffers by JNI. */
final class ZstdClient {
  private ZstdClient() {}

  static String compress(Path folder) {
    ByteBuffer text = Clients.text();
    ByteBuffer packed = Clients.buffer((int) Zstd.compressBound(text.remaining()));
    ByteBuffer unpacked = Clients.buffer(text.remaining());
    int size = Zstd.compress(packed, text.duplicate(), 3);
    int back = Zstd.decompress(unpacked, packed.flip());
    return size + " " + back + " " + unpacked.flip().equals(text);
  }
}
