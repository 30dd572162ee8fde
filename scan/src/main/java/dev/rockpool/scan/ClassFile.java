package dev.rockpool.scan;

import dev.rockpool.scan.Scan.Skipped;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;

/**
 * A class file that may matter.
 *
 * @param entry its path in the jar or folder, with slashes
 * @param internalName the class, as the file itself says
 * @param mayCreateArenas whether it names the type of the methods that hand out arenas, as all do
 *     that call or refer to one
 * @param content all of it
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record ClassFile(String entry, String internalName, boolean mayCreateArenas, byte[] content) {
  /** Start of the reason for which a class is skipped. */
  static final String DAMAGED = "a class file must be whole and valid: ";

  private static final Pattern RELEASE =
      Pattern.compile("^(?:WEB-INF/classes/|BOOT-INF/classes/|classes/)?META-INF/versions/(\\d+)/");
  private static final String SUFFIX = ".class";

  /** The type of parameters and fields by which code may close an arena, whatever it names. */
  private static final String CLOSEABLE = "Ljava/lang/AutoCloseable;";

  private static final int MAGIC = 0xCAFEBABE;

  /** The place of the number of constants plus one; the first constant follows. */
  private static final int COUNT_AT = 8;

  static boolean isNamedLikeOne(String entry) {
    return entry.endsWith(SUFFIX);
  }

  /**
   * Whether the constant pool, which ends there, names a type of {@code java.lang.foreign}, or has
   * a parameter or field by which it may close an arena without naming its type.
   */
  static boolean mayMatter(byte[] bytes, int poolEnd) {
    String text = text(bytes, poolEnd);
    return text.contains(Library.FOREIGN) || text.contains(CLOSEABLE);
  }

  /** The bytes as text, because the JVM searches text by vector instructions. */
  private static String text(byte[] bytes, int length) {
    return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
  }

  static boolean hasMagic(byte[] bytes) {
    return bytes.length >= Integer.BYTES && ByteBuffer.wrap(bytes).getInt() == MAGIC;
  }

  /** The end of the constant pool (JVMS 4.4), or -1 if it breaks off. */
  static int poolEnd(byte[] bytes) {
    ByteBuffer all = ByteBuffer.wrap(bytes);
    int at = COUNT_AT + 2;
    int left = at > bytes.length ? 1 : all.getShort(COUNT_AT) & 0xFFFF;
    while (--left > 0 && at + 2 < bytes.length) {
      int tag = all.get(at);
      left -= tag == 5 || tag == 6 ? 1 : 0; // long and double count twice
      at +=
          switch (tag) {
            case 1 -> 3 + (all.getShort(at + 1) & 0xFFFF); // text
            case 5, 6 -> 9;
            case 15 -> 4; // method handle
            case 7, 8, 16, 19, 20 -> 3; // class, string, method type, module, package
            default -> 5;
          };
    }
    return left <= 0 && at <= bytes.length ? at : -1;
  }

  /** Fails if its constant pool is damaged, or newer than we know. */
  static ClassFile of(String entry, byte[] bytes) {
    return new ClassFile(
        entry,
        new ClassReader(bytes).getClassName(),
        text(bytes, bytes.length).contains(Library.ARENA_FACTORY),
        bytes);
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
}
