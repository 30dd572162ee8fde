package dev.rockpool.cli.scan.source;

/**
 * Finds out where the constant pool of a class file ends, while the file is still being read: names
 * of other classes are all in there, and what follows need not be unpacked if none of them matters.
 */
final class ConstantPool {
  private static final int UTF8 = 1;
  private static final int LONG = 5;
  private static final int DOUBLE = 6;
  private static final int METHOD_HANDLE = 15;

  /** Where a class file states the number of entries plus one; the first entry follows. */
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
