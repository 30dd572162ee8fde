package dev.rockpool.scan;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * A zip file, read by its central directory. {@link java.util.zip.ZipFile} refuses the whole file
 * for one entry that is encrypted or has a name in another encoding, and reads no zip within a zip.
 * Any thread may use it.
 */
final class Zip implements Closeable {
  private static final int LOCAL_MAGIC = 0x04034b50;
  private static final int ENTRY_MAGIC = 0x02014b50;
  private static final int END_MAGIC = 0x06054b50;
  private static final int LOCATOR_MAGIC = 0x07064b50;
  private static final int END64_MAGIC = 0x06064b50;
  private static final int LOCAL_LENGTH = 30;
  private static final int ENTRY_LENGTH = 46;
  private static final int END_LENGTH = 22;
  private static final int LOCATOR_LENGTH = 20;
  private static final int END64_LENGTH = 56;
  private static final int ZIP64_EXTRA = 1;
  private static final int STORED = 0;
  private static final int DEFLATED = 8;
  private static final long ELSEWHERE = 0xFFFF_FFFFL; // in 64 bits

  /** Bytes of a zip file that are read at once. */
  private static final int STEP = 8 << 10;

  /**
   * An entry, as the central directory describes it.
   *
   * @param size bytes, unpacked
   * @param packed bytes in the zip file
   * @param at place of its local header
   */
  record Entry(String name, boolean encrypted, int method, long size, long packed, long at) {}

  /** Reads bytes at any place, as {@link FileChannel#read(ByteBuffer, long)}. */
  private interface Source {
    int read(ByteBuffer into, long at) throws IOException;
  }

  private final Source source;
  private final long size;
  private final Closeable resource;
  final List<Entry> entries = new ArrayList<>();

  /** Whether the directory was readable to its end. */
  boolean complete = true;

  private Zip(Source source, long size, Closeable resource) throws IOException {
    this.source = source;
    this.size = size;
    this.resource = resource;
    readDirectory();
  }

  static Zip of(Path file) throws IOException {
    FileChannel channel = FileChannel.open(file);
    try {
      return new Zip(channel::read, channel.size(), channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  static Zip of(byte[] bytes) throws IOException {
    Source source =
        (into, at) -> {
          int length = (int) Math.min(into.remaining(), bytes.length - at);
          into.put(bytes, (int) at, length);
          return length;
        };
    return new Zip(source, bytes.length, () -> {});
  }

  @Override
  public void close() throws IOException {
    resource.close();
  }

  private ByteBuffer read(long at, int length) throws IOException {
    if (at < 0 || length < 0 || at > size - length) {
      throw new ZipException("a jar must be whole: parts that it refers to are not there");
    }
    ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining()) {
      if (source.read(bytes, at + bytes.position()) <= 0) {
        throw new EOFException("a jar must not change during the scan: it became shorter");
      }
    }
    return bytes.flip();
  }

  private static int unsignedShort(ByteBuffer bytes, int at) {
    return Short.toUnsignedInt(bytes.getShort(at));
  }

  private static long unsignedInt(ByteBuffer bytes, int at) {
    return Integer.toUnsignedLong(bytes.getInt(at));
  }

  private void readDirectory() throws IOException {
    int tailLength = (int) Math.min(size, END_LENGTH + 0xFFFF);
    ByteBuffer tail = read(size - tailLength, tailLength);
    int at = tailLength - END_LENGTH;
    while (at >= 0
        && (tail.getInt(at) != END_MAGIC
            || at + END_LENGTH + unsignedShort(tail, at + 20) > tailLength)) {
      at--;
    }
    if (at < 0) {
      throw new ZipException("a jar ends with the directory of its entries: this file does not");
    }
    long end = size - tailLength + at;
    long length = unsignedInt(tail, at + 12);
    long offset = unsignedInt(tail, at + 16);
    if (unsignedShort(tail, at + 10) == 0xFFFF || length == ELSEWHERE || offset == ELSEWHERE) {
      ByteBuffer end64 = end64(end);
      if (end64 != null) {
        end -= LOCATOR_LENGTH + END64_LENGTH;
        length = end64.getLong(40);
        offset = end64.getLong(48);
      }
    }
    if (length < 0 || length > end || length > Integer.MAX_VALUE - 8) {
      throw new ZipException("the directory of a jar must be within the jar: it is not");
    }
    // Bytes before the first entry, such as a script, count for no offset.
    addEntries(read(end - length, (int) length), end - length - offset);
  }

  /** The end of a directory with more entries or bytes than 16 and 32 bits can tell, or null. */
  private @Nullable ByteBuffer end64(long end) throws IOException {
    long at = end - LOCATOR_LENGTH - END64_LENGTH;
    if (at < 0) {
      return null;
    }
    ByteBuffer both = read(at, END64_LENGTH + LOCATOR_LENGTH);
    return both.getInt(0) == END64_MAGIC && both.getInt(END64_LENGTH) == LOCATOR_MAGIC
        ? both
        : null;
  }

  private void addEntries(ByteBuffer directory, long prefix) {
    int next;
    for (int at = 0; complete && at < directory.limit(); at = next) {
      next = at + ENTRY_LENGTH;
      complete = next <= directory.limit() && directory.getInt(at) == ENTRY_MAGIC;
      if (complete) {
        int nameLength = unsignedShort(directory, at + 28);
        int extraLength = unsignedShort(directory, at + 30);
        next += nameLength + extraLength + unsignedShort(directory, at + 32);
        complete = next <= directory.limit();
        if (complete) {
          entries.add(entry(directory, at, nameLength, extraLength, prefix));
        }
      }
    }
  }

  private static Entry entry(
      ByteBuffer directory, int at, int nameLength, int extraLength, long prefix) {
    int nameAt = at + ENTRY_LENGTH;
    // Size, packed size and offset; those that do not fit are in the extra field, in this order.
    long[] figures = {
      unsignedInt(directory, at + 24),
      unsignedInt(directory, at + 20),
      unsignedInt(directory, at + 42)
    };
    int extraAt = nameAt + nameLength;
    int extraEnd = extraAt + extraLength;
    while (extraAt + 4 <= extraEnd) {
      int end = Math.min(extraEnd, extraAt + 4 + unsignedShort(directory, extraAt + 2));
      int from = extraAt + 4;
      for (int i = 0; i < 3 && unsignedShort(directory, extraAt) == ZIP64_EXTRA; i++) {
        if (figures[i] == ELSEWHERE && from + Long.BYTES <= end) {
          figures[i] = directory.getLong(from);
          from += Long.BYTES;
        }
      }
      extraAt = end;
    }
    return new Entry(
        name(directory.slice(nameAt, nameLength)),
        (directory.getShort(at + 8) & 1) != 0,
        unsignedShort(directory, at + 10),
        figures[0] < 0 ? Long.MAX_VALUE : figures[0],
        figures[1],
        figures[2] + prefix);
  }

  /** UTF-8 if it can be, as it must be in a jar; else Latin-1, which any bytes can be. */
  private static String name(ByteBuffer bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.duplicate()).toString();
    } catch (CharacterCodingException notUtf8) {
      return StandardCharsets.ISO_8859_1.decode(bytes).toString();
    }
  }

  /** The place of the content of an entry that can be read. */
  private long contentOf(Entry entry) throws IOException {
    if (entry.encrypted) {
      throw new ZipException("an entry of a jar must not be encrypted: it is");
    }
    if (entry.method != STORED && entry.method != DEFLATED) {
      throw new ZipException(
          "an entry of a jar must be stored or deflated: its method is " + entry.method);
    }
    ByteBuffer header = read(entry.at, LOCAL_LENGTH);
    if (header.getInt(0) != LOCAL_MAGIC) {
      throw new ZipException("an entry must be where the directory of the jar says: it is not");
    }
    return entry.at + LOCAL_LENGTH + unsignedShort(header, 26) + unsignedShort(header, 28);
  }

  /** Whether the entry is a zip file that can be read where it is. */
  static boolean isStored(Entry entry) {
    return entry.method == STORED && !entry.encrypted;
  }

  /** The zip file that is stored as an entry. */
  Zip stored(Entry entry) throws IOException {
    long content = contentOf(entry);
    Source part =
        (into, at) ->
            source.read(
                into.limit((int) Math.min(into.limit(), into.position() + entry.packed - at)),
                content + at);
    return new Zip(part, entry.packed, () -> {});
  }

  /** The bytes of an entry as they are in the zip file. */
  private final class Packed extends InputStream {
    private long at;
    private long left;

    Packed(Entry entry) throws IOException {
      at = contentOf(entry);
      left = entry.packed;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      int most = (int) Math.min(length, left);
      int some = at > size ? -1 : source.read(ByteBuffer.wrap(into, from, most), at);
      at += some;
      left = some <= 0 ? 0 : left - some;
      return some <= 0 ? -1 : some;
    }
  }

  /** Unpacks one entry after the other. One thread uses it. */
  final class Reader implements Closeable {
    private final Inflater inflater = new Inflater(true);
    private InputStream content = InputStream.nullInputStream();

    /** Goes to the start of an entry. */
    void open(Entry entry) throws IOException {
      Packed packed = new Packed(entry);
      inflater.reset();
      content = entry.method == STORED ? packed : new InflaterInputStream(packed, inflater, STEP);
    }

    /** Reads bytes, fewer only at the end of the entry, and returns how many. */
    int read(byte[] into, int from, int length) throws IOException {
      try {
        return content.readNBytes(into, from, length);
      } catch (ZipException damaged) {
        throw new ZipException(
            "an entry of a jar must be deflated rightly: " + damaged.getMessage());
      } catch (EOFException cut) {
        throw new EOFException("an entry of a jar must be whole: it breaks off");
      }
    }

    /** All of an entry, whose size the directory must tell rightly. */
    byte[] readAll(Entry entry) throws IOException {
      open(entry);
      byte[] bytes = new byte[Math.toIntExact(entry.size)];
      if (read(bytes, 0, bytes.length) != bytes.length || read(new byte[1], 0, 1) != 0) {
        throw new ZipException("its length must be as the jar says: " + entry.size + " bytes");
      }
      return bytes;
    }

    @Override
    public void close() {
      inflater.end();
    }
  }
}
