package dev.rockpool.rewrite;

import java.util.Set;

/**
 * A method of the JDK whose uses in application classes are redirected. The target is a static
 * method of the same name in a class of ours. For a static method, the target has the same type;
 * for an instance method, the target has the receiver as one more parameter, and only calls are
 * redirected, no method references.
 */
public enum RedirectedMethod {
  /** Redirected if arenas are pooled or recorded. */
  OF_CONFINED("ofConfined", "ofConfined"),

  /** Redirected if arenas are recorded, as are the next two. */
  OF_SHARED("ofShared", "ofShared"),

  /** See {@link #OF_SHARED}. */
  OF_AUTO("ofAuto", "ofAuto"),

  /** See {@link #OF_SHARED}. */
  GLOBAL("global", "foreign/Arena"),

  /** Redirected if direct buffers come from our direct memory, or are recorded. */
  ALLOCATE_DIRECT(
      ClassBytes.METHOD,
      "java/nio/ByteBuffer",
      "allocateDirect",
      "(I)Ljava/nio/ByteBuffer;",
      "allocateDirect",
      "ByteBuffer.allocateDirect(int)"),

  /** Redirected if mapped files are recorded, as is the next. */
  MAP_BUFFER(
      ClassBytes.METHOD,
      "java/nio/channels/FileChannel",
      "map",
      "(Ljava/nio/channels/FileChannel$MapMode;JJ)Ljava/nio/MappedByteBuffer;",
      "FileChannel$MapMode",
      "FileChannel.map(MapMode, long, long)"),

  /** See {@link #MAP_BUFFER}. */
  MAP_SEGMENT(
      ClassBytes.METHOD,
      "java/nio/channels/FileChannel",
      "map",
      "(Ljava/nio/channels/FileChannel$MapMode;JJLjava/lang/foreign/Arena;)"
          + "Ljava/lang/foreign/MemorySegment;",
      "FileChannel$MapMode",
      "FileChannel.map(MapMode, long, long, Arena)");

  /** The first version of class files that may call static methods of interfaces. */
  private static final int JAVA_8 = 52;

  /** The class that declares the method, in internal form. */
  public final String owner;

  public final String method;

  /** The type of the method, without its receiver. */
  public final String type;

  /** The method as messages name it. */
  public final String text;

  private final int tag;

  /** A text that each class file with a use has. */
  private final String sought;

  /** Index in that text of its first capital letter, which is rarer than the others. */
  private final int capital;

  RedirectedMethod(String method, String sought) {
    this(
        ClassBytes.INTERFACE_METHOD,
        "java/lang/foreign/Arena",
        method,
        "()Ljava/lang/foreign/Arena;",
        sought,
        "Arena." + method + "()");
  }

  RedirectedMethod(int tag, String owner, String method, String type, String sought, String text) {
    this.owner = owner;
    this.method = method;
    this.type = type;
    this.tag = tag;
    this.sought = sought;
    this.text = text;
    this.capital = capital(sought);
  }

  private static int capital(String name) {
    int at = 0;
    while (name.charAt(at) < 'A' || name.charAt(at) > 'Z') {
      at++;
    }
    return at;
  }

  public boolean isVirtual() {
    return this == MAP_BUFFER || this == MAP_SEGMENT;
  }

  int opcode() {
    return isVirtual() ? ClassBytes.INVOKEVIRTUAL : ClassBytes.INVOKESTATIC;
  }

  public String targetType() {
    return isVirtual() ? "(L" + owner + ";" + type.substring(1) : type;
  }

  /**
   * Whether a constant pool entry names this method. The JVM refuses calls of static interface
   * methods in older class files, so entries there do not count.
   */
  boolean isNamedBy(ClassBytes classFile, int entry) {
    return classFile.isMethod(entry, tag, owner, method, type)
        && (tag == ClassBytes.METHOD || classFile.majorVersion() >= JAVA_8);
  }

  /** Whether a class file may use this method: searches for the name without parsing. */
  public boolean mayBeIn(byte[] classFile) {
    char rare = sought.charAt(capital);
    char before = capital == 0 ? 0 : sought.charAt(capital - 1);
    int last = classFile.length - sought.length() + capital;
    for (int i = ClassBytes.POOL_LENGTH_AT + capital; i <= last; i++) {
      if (classFile[i] == rare
          && (capital == 0 || classFile[i - 1] == before)
          && isSoughtAt(classFile, i - capital)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a class whose constant pool has these texts may use this method. */
  public boolean mayBeIn(Set<String> texts) {
    return texts.contains(owner) && texts.contains(method) && texts.contains(type);
  }

  private boolean isSoughtAt(byte[] classFile, int offset) {
    for (int i = 0; i < sought.length(); i++) {
      if (classFile[offset + i] != sought.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
