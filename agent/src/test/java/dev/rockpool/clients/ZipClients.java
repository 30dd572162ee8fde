package dev.rockpool.clients;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;

/** Native code of the JDK that works on the memory of buffers. */
final class ZipClients {
  private ZipClients() {}

  static String deflate(Path folder) throws Exception {
    ByteBuffer text = Clients.text();
    ByteBuffer packed = Clients.buffer(text.remaining());
    ByteBuffer unpacked = Clients.buffer(text.remaining());
    try (Deflater deflater = new Deflater();
        Inflater inflater = new Inflater()) {
      deflater.setInput(text.duplicate());
      deflater.finish();
      deflater.deflate(packed);
      inflater.setInput(packed.flip());
      inflater.inflate(unpacked);
      return packed.limit() + " " + unpacked.flip().equals(text) + " " + inflater.finished();
    }
  }

  /** From buffers into a stream of GZIP, and from one back without its header of ten bytes. */
  static String gzip(Path folder) throws Exception {
    ByteBuffer text = Clients.text();
    byte[] bytes = new byte[text.remaining()];
    text.get(0, bytes);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    byte[] back = new GZIPInputStream(new ByteArrayInputStream(out.toByteArray())).readAllBytes();
    ByteBuffer packed = Clients.buffer(out.size()).put(out.toByteArray()).position(10);
    ByteBuffer unpacked = Clients.buffer(text.capacity());
    try (Inflater inflater = new Inflater(true)) {
      inflater.setInput(packed);
      inflater.inflate(unpacked);
      return unpacked.flip().equals(text) + " " + text.equals(ByteBuffer.wrap(back));
    }
  }

  static String checksums(Path folder) {
    ByteBuffer bytes = Clients.random(70_001);
    StringBuilder values = new StringBuilder();
    for (Checksum sum : new Checksum[] {new CRC32(), new CRC32C(), new Adler32()}) {
      sum.update(bytes.slice(1, 70_000));
      values.append(sum.getValue()).append(' ');
    }
    return values.toString();
  }

  static String charsets(Path folder) throws Exception {
    ByteBuffer encoded = Clients.buffer(100_000);
    CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
    CharBuffer text = CharBuffer.wrap("L\u00e4nge \u6c34 \ud83d\udca7 pool ".repeat(900));
    encoder.encode(text, encoded, true);
    CharBuffer decoded = StandardCharsets.UTF_8.decode(encoded.flip());
    return decoded.equals(text.flip()) + " " + encoded.limit() + " " + decoded.hashCode();
  }
}
