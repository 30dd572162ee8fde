package dev.rockpool.scan;

import dev.rockpool.scan.Scan.Skipped;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;

/**
 * A class file that may matter.
 *
 * @param entry its path in the jar or folder, with slashes
 * @param internalName the class, as the file itself says
 * @param mayCreateArenas whether it names the type of the methods that hand out arenas, as all do
 *     that call or refer to one
 * @param content all of it, which may have to be read from disk again
 */
record ClassFile(
    String entry, String internalName, boolean mayCreateArenas, Supplier<byte[]> content) {
  /** Start of the reason for which a class is skipped. */
  static final String DAMAGED = "a class file must be whole and valid: ";

  private static final Pattern RELEASE =
      Pattern.compile("^(?:WEB-INF/classes/|BOOT-INF/classes/|classes/)?META-INF/versions/(\\d+)/");
  private static final String SUFFIX = ".class";

  /** End of the descriptors of methods to which an arena may be given that they close. */
  private static final String CLOSER = "Ljava/lang/AutoCloseable;)V";

  private static final int MAGIC = 0xCAFEBABE;

  static boolean isNamedLikeOne(String entry) {
    return entry.endsWith(SUFFIX);
  }

  /**
   * Whether the first {@code length} bytes, all of the constant pool among them, name a type of
   * {@code java.lang.foreign}, or a method that may close an arena without naming its type.
   */
  static boolean mayMatter(byte[] bytes, int length) {
    String text = text(bytes, length);
    return text.contains(Library.FOREIGN) || text.contains(CLOSER);
  }

  /** The bytes as text, because the JVM searches text by vector instructions. */
  private static String text(byte[] bytes, int length) {
    return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
  }

  static boolean hasMagic(byte[] bytes) {
    return bytes.length >= Integer.BYTES && ByteBuffer.wrap(bytes).getInt() == MAGIC;
  }

  /** Keeps a class file; fails if its constant pool is damaged, or newer than we know. */
  static ClassFile of(String entry, byte[] bytes, Store store) throws IOException {
    return new ClassFile(
        entry,
        new ClassReader(bytes).getClassName(),
        text(bytes, bytes.length).contains(Library.ARENA_FACTORY),
        store.keep(bytes));
  }

  /** The reason why a class was not understood. */
  static Skipped unreadable(String name, Throwable failure) {
    String message = Objects.requireNonNullElse(failure.getMessage(), "ASM can't read it");
    return message.startsWith("Unsupported class file")
        ? new Skipped(name, "a class file must be of a version that is known: " + message)
        : new Skipped(name, DAMAGED + message + " (" + failure.getClass().getSimpleName() + ")");
  }

  /** The first release of Java that uses it, in a jar for several; 0 if all do. */
  int release() {
    Matcher release = RELEASE.matcher(entry);
    return release.find() ? Integer.parseInt(release.group(1)) : 0;
  }

  /**
   * The constant pool of a class file that is still being read. Names of other classes are all in
   * there, so what follows need not be unpacked if none of them matters.
   */
  static final class ConstantPool {
    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int METHOD_HANDLE = 15;

    /** The place of the number of entries plus one; the first entry follows. */
    private static final int COUNT_AT = 8;

    private int at = COUNT_AT + 2;
    private int index = 1;

    /**
     * Goes on to the end of what was read.
     *
     * @param bytes the start of a class file
     * @param length how many bytes of it were read; more than the last time
     * @return whether the constant pool ends within these
     */
    boolean endsWithin(byte[] bytes, int length) {
      if (length < COUNT_AT + 2) {
        return false;
      }
      int count = unsignedShort(bytes, COUNT_AT);
      while (index < count) {
        if (at + 3 > length) {
          return false;
        }
        int tag = bytes[at];
        at += 1 + bytesBehind(tag, bytes);
        index += tag == LONG || tag == DOUBLE ? 2 : 1; // they take two indices
      }
      return at <= length;
    }

    /** Bytes behind the tag of the entry (JVMS 4.4). */
    private int bytesBehind(int tag, byte[] bytes) {
      return switch (tag) {
        case UTF8 -> 2 + unsignedShort(bytes, at + 1);
        case LONG, DOUBLE -> 8;
        case METHOD_HANDLE -> 3;
        case 7, 8, 16, 19, 20 -> 2; // class, string, method type, module, package
        default -> 4;
      };
    }

    private static int unsignedShort(byte[] bytes, int at) {
      return (bytes[at] & 0xFF) << 8 | (bytes[at + 1] & 0xFF);
    }
  }

  /**
   * Class files until the scan is over: in memory as long as there is room, then in a temporary
   * file. Any thread may use it.
   */
  static final class Store implements Closeable {
    private static final long LARGEST_FILE = 8L << 30;

    private long room;
    private @Nullable FileChannel file;

    /** Takes that many bytes of memory at most. */
    Store(long room) {
      this.room = room;
    }

    /** Takes over the bytes, and returns where to get them. */
    synchronized Supplier<byte[]> keep(byte[] bytes) throws IOException {
      if (bytes.length <= room) {
        room -= bytes.length;
        return () -> bytes;
      }
      if (file == null) {
        file =
            FileChannel.open(
                Files.createTempFile("rockpool-scan", ".tmp"),
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
      }
      FileChannel channel = file;
      long at = channel.size();
      if (bytes.length > LARGEST_FILE - at) {
        throw new IOException(
            "class files that name java.lang.foreign must have at most 8 GB: they have more");
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
}
