package dev.rockpool.pool;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a jar. Replacing an entry changes no other byte except offsets and lengths, because
 * tools compare jars byte by byte: entries keep their order, times, extra fields and compressed
 * data. A start script before the first entry stays, too. ZIP64 is refused.
 *
 * <p>Field offsets are those of the ZIP file format: local header (LOC), central directory header
 * (CEN), end of central directory (END).
 */
final class Zip {
  private static final int LOC = 0x04034b50;
  private static final int LOC_LENGTH = 30;
  private static final int CEN = 0x02014b50;
  private static final int CEN_LENGTH = 46;
  private static final int END = 0x06054b50;
  private static final int END_LENGTH = 22;
  private static final int ZIP64_LOCATOR = 0x07064b50;
  private static final int ZIP64_LOCATOR_LENGTH = 20;
  private static final int STORED = 0;
  private static final int DEFLATED = 8;
  private static final int ENCRYPTED = 1;

  /** Flag: lengths and checksum follow the data. */
  private static final int TRAILING_LENGTHS = 8;

  /**
   * An entry.
   *
   * @param cen offset of the header in the central directory
   * @param loc offset of the local header
   * @param data offset of the compressed data
   */
  record Entry(String name, int cen, int loc, int data) {}

  private final byte[] bytes;
  private final ByteBuffer buffer;
  private final List<Entry> entries = new ArrayList<>();
  private final int end;
  private final int directory;

  /** Offset of the first byte that offsets count from: not 0 behind some start scripts. */
  private final int start;

  /**
   * Reads the directory of a jar.
   *
   * @throws ZipException if the bytes are no jar
   */
  Zip(byte[] bytes) throws ZipException {
    this.bytes = bytes;
    this.buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    this.end = end();
    if (end >= ZIP64_LOCATOR_LENGTH && u4(end - ZIP64_LOCATOR_LENGTH) == ZIP64_LOCATOR) {
      throw new ZipException("it has a directory in format ZIP64, which is not supported");
    }
    try {
      this.directory = Math.toIntExact(end - u4(end + 12));
      this.start = Math.toIntExact(directory - u4(end + 16));
      readEntries();
    } catch (IndexOutOfBoundsException | ArithmeticException e) {
      throw new ZipException("its directory is damaged");
    }
  }

  /** Finds the record at the end, whose comment ends the file. */
  private int end() throws ZipException {
    for (int at = bytes.length - END_LENGTH; at >= Math.max(0, bytes.length - 0x10015); at--) {
      if (u4(at) == END && at + END_LENGTH + u2(at + 20) == bytes.length) {
        return at;
      }
    }
    throw new ZipException("it does not end as jars do");
  }

  private void readEntries() throws ZipException {
    int at = directory;
    for (int left = u2(end + 10); left > 0; left--) {
      int loc = Math.toIntExact(start + u4(at + 42));
      if (u4(at) != CEN || u4(loc) != LOC) {
        throw new ZipException("its directory is damaged");
      }
      int data = loc + LOC_LENGTH + u2(loc + 26) + u2(loc + 28);
      String name = new String(bytes, at + CEN_LENGTH, u2(at + 28), StandardCharsets.UTF_8);
      entries.add(new Entry(name, at, loc, data));
      at += cenLength(at);
    }
    if (at != end) {
      throw new ZipException("its directory is damaged");
    }
    int from = 0;
    for (Entry entry : byOffset()) {
      if (entry.loc < from) {
        throw new ZipException("its entries overlap");
      }
      from = Math.toIntExact(entry.data + u4(entry.cen + 20));
    }
    if (from > directory) {
      throw new ZipException("its entries overlap");
    }
  }

  private int cenLength(int at) {
    return CEN_LENGTH + u2(at + 28) + u2(at + 30) + u2(at + 32);
  }

  private List<Entry> byOffset() {
    return entries.stream().sorted(Comparator.comparingInt(Entry::loc)).toList();
  }

  private int u2(int at) {
    return Short.toUnsignedInt(buffer.getShort(at));
  }

  private long u4(int at) {
    return Integer.toUnsignedLong(buffer.getInt(at));
  }

  List<Entry> entries() {
    return entries;
  }

  /**
   * Returns the content of an entry.
   *
   * @throws ZipException if the entry is damaged, encrypted, or compressed by another method
   */
  byte[] content(Entry entry) throws ZipException {
    int length = (int) u4(entry.cen + 20);
    int method = u2(entry.cen + 10);
    if ((u2(entry.cen + 8) & ENCRYPTED) != 0) {
      throw new ZipException("it is encrypted");
    }
    byte[] content =
        switch (method) {
          case STORED -> Arrays.copyOfRange(bytes, entry.data, entry.data + length);
          case DEFLATED -> inflated(entry.data, length, size(entry));
          default -> throw new ZipException("it is compressed by method " + method);
        };
    if (content.length != size(entry) || crc(content) != u4(entry.cen + 16)) {
      throw new ZipException("its length or checksum is wrong");
    }
    return content;
  }

  /** Returns the size of an entry's content, as the jar says. */
  long size(Entry entry) {
    return u4(entry.cen + 24);
  }

  private byte[] inflated(int at, int length, long size) throws ZipException {
    Inflater inflater = new Inflater(true);
    try {
      return new InflaterInputStream(new ByteArrayInputStream(bytes, at, length), inflater)
          .readNBytes(Math.toIntExact(Math.min(size, Integer.MAX_VALUE - 16)));
    } catch (IOException damaged) {
      throw new ZipException("its compressed data is damaged");
    } finally {
      inflater.end();
    }
  }

  private static long crc(byte[] content) {
    CRC32 crc = new CRC32();
    crc.update(content);
    return crc.getValue();
  }

  /**
   * Returns the jar with other contents of some entries.
   *
   * @param removed entries to leave out
   */
  byte[] with(Map<Entry, byte[]> replaced, Set<Entry> removed) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length + 1024);
    Map<Entry, byte[]> headers = new HashMap<>();
    List<Entry> inOrder = byOffset();
    out.write(bytes, 0, inOrder.isEmpty() ? directory : inOrder.getFirst().loc);
    for (int i = 0; i < inOrder.size(); i++) {
      Entry entry = inOrder.get(i);
      if (!removed.contains(entry)) {
        int next = i + 1 < inOrder.size() ? inOrder.get(i + 1).loc : directory;
        headers.put(entry, write(entry, next, replaced.get(entry), out));
      }
    }
    int newDirectory = out.size();
    for (Entry entry : entries) {
      byte[] header = headers.get(entry);
      if (header != null) {
        out.writeBytes(header);
      }
    }
    byte[] tail = Arrays.copyOfRange(bytes, end, bytes.length);
    little(tail)
        .putShort(8, (short) headers.size())
        .putShort(10, (short) headers.size())
        .putInt(12, out.size() - newDirectory)
        .putInt(16, newDirectory - start);
    out.writeBytes(tail);
    return out.toByteArray();
  }

  /** Writes an entry, which ends before {@code next}, and returns its directory header. */
  private byte[] write(
      Entry entry, int next, byte @Nullable [] content, ByteArrayOutputStream out) {
    byte[] header = Arrays.copyOfRange(bytes, entry.cen, entry.cen + cenLength(entry.cen));
    little(header).putInt(42, out.size() - start);
    if (content == null) {
      out.write(bytes, entry.loc, next - entry.loc);
      return header;
    }
    byte[] data = u2(entry.cen + 10) == STORED ? content : deflated(content);
    byte[] local = Arrays.copyOfRange(bytes, entry.loc, entry.data);
    putLengths(little(local), 6, content, data);
    putLengths(little(header), 8, content, data);
    out.writeBytes(local);
    out.writeBytes(data);
    return header;
  }

  /** Both headers have these fields in the same order; the flags come first. */
  private static void putLengths(ByteBuffer header, int flagsAt, byte[] content, byte[] data) {
    header
        .putShort(flagsAt, (short) (header.getShort(flagsAt) & ~TRAILING_LENGTHS))
        .putInt(flagsAt + 8, (int) crc(content))
        .putInt(flagsAt + 12, data.length)
        .putInt(flagsAt + 16, content.length);
  }

  private static byte[] deflated(byte[] content) {
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    try {
      deflater.setInput(content);
      deflater.finish();
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      byte[] part = new byte[8192];
      while (!deflater.finished()) {
        out.write(part, 0, deflater.deflate(part));
      }
      return out.toByteArray();
    } finally {
      deflater.end();
    }
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
