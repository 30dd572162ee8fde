package dev.rockpool.rewrite;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a class file (JVMS 4): the entries of its constant pool, and the instructions of its
 * methods. Appends entries to the pool.
 *
 * <p>Reads by plain loops, not by the JDK's ClassFile API, for two reasons. At the start of each
 * program under the agent, that API would take 20 ms. Attributes must be skipped, as the JVM does:
 * unknown ones, and ones nested so deep that reading them would throw a StackOverflowError.
 *
 * <p>All methods throw an {@link IllegalArgumentException} or an {@link IndexOutOfBoundsException}
 * for bytes that are no class file, or a truncated one.
 */
public final class ClassBytes {
  /** Offset of the length of the constant pool; the first entry follows. */
  static final int POOL_LENGTH_AT = 8;

  static final int UTF8 = 1;
  static final int CLASS = 7;
  static final int METHOD = 10;
  static final int INTERFACE_METHOD = 11;
  static final int NAME_AND_TYPE = 12;
  static final int METHOD_HANDLE = 15;

  /** The kind of a method handle that calls a static method (JVMS 4.4.8). */
  static final int INVOKES_STATIC = 6;

  static final int INVOKEVIRTUAL = 182;
  static final int INVOKESTATIC = 184;
  static final int INVOKEINTERFACE = 185;

  private static final int MAGIC = 0xCAFEBABE;
  private static final int MAJOR_VERSION_AT = 6;
  private static final int MAX_ENTRIES = 0xFFFF;
  private static final int LONG = 5;
  private static final int DOUBLE = 6;
  static final int TABLESWITCH = 170;
  static final int LOOKUPSWITCH = 171;
  private static final int WIDE = 196;
  private static final int IINC = 132;

  /** Length in bytes of each instruction, by opcode (JVMS 6.5); 0 if the length varies. */
  private static final String INSTRUCTION_LENGTHS =
      "1111111111111111232332222211111111111111111111111111112222211111111111111111"
          + "1111111111111111111111111111111111111111111111111111111131111111111111111111"
          + "13333333333333333200111111333333355323113311043355";

  private final byte[] bytes;

  /** Offset of each entry, which starts with its tag; 0 for an index without an entry. */
  private final int[] entries;

  private final int poolEnd;

  public ClassBytes(byte[] classFile) {
    this.bytes = classFile;
    if (u4(0) != MAGIC) {
      throw new IllegalArgumentException("it does not start as class files do");
    }
    this.entries = new int[u2(POOL_LENGTH_AT)];
    int at = POOL_LENGTH_AT + 2;
    for (int i = 1; i < entries.length; i++) {
      entries[i] = at;
      int tag = u1(at);
      if ((tag == LONG || tag == DOUBLE) && ++i == entries.length) { // takes two indices
        throw new IllegalArgumentException("its constant pool ends within an entry");
      }
      at += 1 + entryLength(tag, at + 1);
    }
    this.poolEnd = at;
  }

  /** Returns the length of an entry after its tag, in bytes (JVMS 4.4). */
  private int entryLength(int tag, int at) {
    return switch (tag) {
      case UTF8 -> 2 + u2(at);
      case LONG, DOUBLE -> 8;
      case 3, 4, 9, METHOD, INTERFACE_METHOD, NAME_AND_TYPE, 17, 18 -> 4;
      case METHOD_HANDLE -> 3;
      case CLASS, 8, 16, 19, 20 -> 2;
      default -> throw new IllegalArgumentException("its constant pool has an entry of tag " + tag);
    };
  }

  /** Returns the name of the class, in internal form. */
  public String name() {
    int thisClass = u2(poolEnd + 2);
    return text(isEntry(thisClass, CLASS) ? firstIn(thisClass) : 0);
  }

  /** Returns a name; the JVM's UTF-8 is another one for chars beyond the first 65,536 only. */
  String text(int entry) {
    if (!isEntry(entry, UTF8)) {
      throw new IllegalArgumentException("it has no name");
    }
    return new String(bytes, entries[entry] + 3, firstIn(entry), StandardCharsets.UTF_8);
  }

  int majorVersion() {
    return u2(MAJOR_VERSION_AT);
  }

  /** Returns the last index of the constant pool plus one. */
  int poolLength() {
    return entries.length;
  }

  boolean hasRoomFor(int added) {
    return entries.length + added <= MAX_ENTRIES;
  }

  /** Returns the offset of a constant pool entry, which starts with its tag. */
  int entryAt(int index) {
    return entries[index];
  }

  boolean isEntry(int index, int tag) {
    return index < entries.length && entries[index] != 0 && u1(entries[index]) == tag;
  }

  /** Whether an index has an entry with that text, which must be ASCII. */
  boolean isText(int index, String text) {
    if (!isEntry(index, UTF8) || firstIn(index) != text.length()) {
      return false;
    }
    int start = entries[index] + 3;
    for (int i = 0; i < text.length(); i++) {
      if (bytes[start + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  boolean isMethod(int index, int tag, String owner, String name, String type) {
    if (!isEntry(index, tag)) {
      return false;
    }
    int ownerEntry = firstIn(index);
    int nameAndType = secondIn(index);
    return isEntry(nameAndType, NAME_AND_TYPE)
        && isText(firstIn(nameAndType), name)
        && isText(secondIn(nameAndType), type)
        && isEntry(ownerEntry, CLASS)
        && isText(firstIn(ownerEntry), owner);
  }

  /** Returns the first index in an entry; for a method handle use {@link #handleMethod}. */
  int firstIn(int index) {
    return u2(entries[index] + 1);
  }

  int secondIn(int index) {
    return u2(entries[index] + 3);
  }

  /** Returns the kind of a method handle (JVMS 4.4.8). */
  int handleKind(int index) {
    return u1(entries[index] + 1);
  }

  int handleMethod(int index) {
    return u2(entries[index] + 2);
  }

  int u1(int at) {
    return bytes[at] & 0xFF;
  }

  int u2(int at) {
    return u1(at) << 8 | u1(at + 1);
  }

  int u4(int at) {
    return u2(at) << 16 | u2(at + 2);
  }

  /**
   * A method.
   *
   * @param at its offset: flags, name and type, two bytes each
   * @param code offset of the content of its Code attribute (JVMS 4.7.3); 0 if it has none
   */
  record Method(int at, int code) {}

  List<Method> methods() {
    List<Method> methods = new ArrayList<>();
    int at = poolEnd + 6; // access flags, this class, superclass
    at += 2 + 2 * u2(at); // interfaces
    at += 2;
    for (int left = u2(at - 2); left > 0; left--) { // fields
      at = attributesEnd(at + 6);
    }
    at += 2;
    for (int left = u2(at - 2); left > 0; left--) {
      methods.add(new Method(at, attributeAt(at + 6, "Code")));
      at = attributesEnd(at + 6);
    }
    return methods;
  }

  boolean isNamed(Method method, String name) {
    return isText(u2(method.at + 2), name);
  }

  boolean isTyped(Method method, String type) {
    return isText(u2(method.at + 4), type);
  }

  String name(Method method) {
    return text(u2(method.at + 2));
  }

  String type(Method method) {
    return text(u2(method.at + 4));
  }

  /** Returns the number of a method's parameters, without its receiver. */
  int parameters(Method method) {
    String type = type(method);
    int count = 0;
    for (int at = 1; type.charAt(at) != ')'; at++, count++) {
      while (type.charAt(at) == '[') {
        at++;
      }
      at = type.charAt(at) == 'L' ? type.indexOf(';', at) : at;
    }
    return count;
  }

  /** Returns the offsets of the fields: flags, name and type, two bytes each. */
  List<Integer> fields() {
    List<Integer> fields = new ArrayList<>();
    int at = poolEnd + 6; // access flags, this class, superclass
    at += 2 + 2 * u2(at); // interfaces
    at += 2;
    for (int left = u2(at - 2); left > 0; left--) {
      fields.add(at);
      at = attributesEnd(at + 6);
    }
    return fields;
  }

  int flags() {
    return u2(poolEnd);
  }

  /** Whether the constant pool has that text, which must be ASCII. */
  boolean hasText(String text) {
    for (int i = 1; i < entries.length; i++) {
      if (isText(i, text)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the offset of the length of a method's Code attribute, which follows. */
  int codeLengthAt(Method method) {
    return method.code - 4;
  }

  int codeEnd(Method method) {
    return method.code + length(method.code - 4);
  }

  int start(Method method) {
    return method.code + 8;
  }

  int end(Method method) {
    return method.code == 0 ? start(method) : start(method) + length(method.code + 4);
  }

  /** Returns the line of the instruction at an offset; 0 if the class file does not tell. */
  int line(Method method, int at) {
    int handlers = end(method);
    int table = attributeAt(handlers + 2 + 8 * u2(handlers), "LineNumberTable"); // JVMS 4.7.12
    int line = 0;
    int nearest = -1;
    for (int entry = table == 0 ? 0 : u2(table); entry > 0; entry--) {
      int start = u2(table - 2 + 4 * entry);
      if (start <= at - start(method) && start > nearest) {
        nearest = start;
        line = u2(table + 4 * entry);
      }
    }
    return ownLine(line);
  }

  /**
   * Returns the line that calls, for one beyond the end of the source: Kotlin gives such numbers to
   * code that it has inlined, and says in a second part of the attribute where it did (JSR 45).
   */
  private int ownLine(int line) {
    int attribute = attributeAt(attributesEnd(methods().getLast().at + 6), "SourceDebugExtension");
    if (attribute == 0) {
      return line;
    }
    String[] parts =
        new String(bytes, attribute, length(attribute - 4), StandardCharsets.UTF_8)
            .split("\\*S KotlinDebug", 2);
    Matcher inlined =
        Pattern.compile("(\\d{1,9})#\\d+(?:,\\d{1,9})?:(\\d{1,9})(?:,(\\d{1,9}))?")
            .matcher(parts[parts.length - 1]);
    while (parts.length == 2 && inlined.find()) {
      int first = Integer.parseInt(inlined.group(2));
      int lines = inlined.group(3) == null ? 1 : Integer.parseInt(inlined.group(3));
      if (line >= first && line - first < lines) {
        return Integer.parseInt(inlined.group(1));
      }
    }
    return line;
  }

  /** Returns the offset of the content of the first attribute of that name, or 0. */
  int attributeAt(int at, String name) {
    int start = at + 2;
    for (int attributes = u2(at); attributes > 0; attributes--) {
      if (isText(u2(start), name)) {
        return start + 6;
      }
      start += 6 + length(start + 2);
    }
    return 0;
  }

  private int attributesEnd(int at) {
    int start = at + 2;
    for (int attributes = u2(at); attributes > 0; attributes--) {
      start += 6 + length(start + 2);
    }
    return start;
  }

  /** Reads a length of four bytes; refuses one that exceeds the file, so that offsets increase. */
  int length(int at) {
    int length = u4(at);
    if (length < 0 || length > bytes.length) {
      throw new IllegalArgumentException("it has a length of " + Integer.toUnsignedString(length));
    }
    return length;
  }

  int next(Method method, int at) {
    int opcode = u1(at);
    int length =
        opcode < INSTRUCTION_LENGTHS.length() ? INSTRUCTION_LENGTHS.charAt(opcode) - '0' : 0;
    return at + (length > 0 ? length : variableLength(method, at, opcode));
  }

  private int variableLength(Method method, int at, int opcode) {
    int padding = 3 - (at - start(method)) % 4;
    int operands = at + 1 + padding;
    return switch (opcode) {
      case WIDE -> u1(at + 1) == IINC ? 6 : 4;
      case TABLESWITCH ->
          1 + padding + 12 + 4 * cases(u4(operands + 8) - (long) u4(operands + 4) + 1);
      case LOOKUPSWITCH -> 1 + padding + 8 + 8 * cases(u4(operands + 4));
      default -> throw new IllegalArgumentException("it has an instruction of code " + opcode);
    };
  }

  private int cases(long count) {
    if (count < 0 || count > bytes.length) {
      throw new IllegalArgumentException("it has a switch of " + count + " cases");
    }
    return (int) count;
  }

  /** A copy of the class file, with constants appended. */
  final class Extended {
    private final ByteArrayOutputStream added = new ByteArrayOutputStream();
    private int next = entries.length;

    /** To be changed in place: offsets are those of the original. */
    final ByteBuffer changed = ByteBuffer.wrap(bytes.clone());

    int text(String text) {
      byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
      added.write(UTF8);
      writeShort(encoded.length);
      added.writeBytes(encoded);
      return next++;
    }

    int ofClass(String name) {
      return entry(CLASS, text(name));
    }

    int entry(int tag, int... indices) {
      added.write(tag);
      for (int index : indices) {
        writeShort(index);
      }
      return next++;
    }

    /** Makes the call at an offset one of a static method. */
    void redirect(int call, int method) {
      changed.put(call, (byte) INVOKESTATIC).putShort(call + 1, (short) method);
    }

    private void writeShort(int value) {
      added.write(value >> 8);
      added.write(value);
    }

    /** Returns the copy with {@code other} in place of the bytes between two offsets. */
    byte[] replacing(int from, int to, byte[] other) {
      return ByteBuffer.allocate(bytes.length + added.size() + other.length - (to - from))
          .put(changed.array(), 0, poolEnd)
          .put(added.toByteArray())
          .put(changed.array(), poolEnd, from - poolEnd)
          .put(other)
          .put(changed.array(), to, bytes.length - to)
          .putShort(POOL_LENGTH_AT, (short) next)
          .array();
    }

    byte[] toBytes() {
      return replacing(poolEnd, poolEnd, new byte[0]);
    }
  }
}
