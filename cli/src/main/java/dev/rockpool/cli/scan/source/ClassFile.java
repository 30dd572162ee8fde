package dev.rockpool.cli.scan.source;

import java.nio.ByteBuffer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A class file that names a type of {@code java.lang.foreign}.
 *
 * @param entry its path in the jar or folder, with slashes
 * @param bytes all of it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ClassFile(String entry, byte[] bytes) {
  private static final Pattern PREFIXES =
      Pattern.compile("^(?:WEB-INF/classes/|BOOT-INF/classes/)?(?:META-INF/versions/(\\d+)/)?");
  private static final String SUFFIX = ".class";
  private static final Needle FOREIGN = new Needle("java/lang/foreign/");

  /** The type of the methods that hand out arenas: who calls one, or refers to one, names it. */
  private static final Needle FACTORY = new Needle("()Ljava/lang/foreign/Arena;");

  private static final int MAGIC = 0xCAFEBABE;

  static boolean isNamedLikeOne(String entry) {
    return entry.endsWith(SUFFIX);
  }

  /** Whether the first {@code length} bytes, all of the constant pool among them, name a type. */
  static boolean isForeign(byte[] bytes, int length) {
    return FOREIGN.isIn(bytes, length);
  }

  static boolean hasMagic(byte[] bytes) {
    return bytes.length >= Integer.BYTES && ByteBuffer.wrap(bytes).getInt() == MAGIC;
  }

  /** Whether it may create arenas. */
  public boolean mayCreateArenas() {
    return FACTORY.isIn(bytes, bytes.length);
  }

  /** The first release of Java that uses it, in a jar for several; 0 if all do. */
  public int release() {
    Matcher prefixes = PREFIXES.matcher(entry);
    return prefixes.find() && prefixes.group(1) != null ? Integer.parseInt(prefixes.group(1)) : 0;
  }

  /** The internal name that a class at this place must have. */
  public String internalName() {
    String name = PREFIXES.matcher(entry).replaceFirst("");
    return name.substring(0, name.length() - SUFFIX.length());
  }
}
