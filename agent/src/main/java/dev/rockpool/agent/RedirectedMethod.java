package dev.rockpool.agent;

/**
 * A method of the JDK whose uses in application classes are redirected. The target is a static
 * method of the same name in a class of ours. For a static method, the target has the same type;
 * for an instance method, the target has the receiver as one more parameter, and only calls are
 * redirected, no method references.
 */
enum RedirectedMethod {
  /** Redirected if arenas are pooled or recorded. */
  OF_CONFINED(ClassBytes.INTERFACE_METHOD, "Arena", "ofConfined"),

  /** Redirected if arenas are recorded, as are the next two. */
  OF_SHARED(ClassBytes.INTERFACE_METHOD, "Arena", "ofShared"),
  OF_AUTO(ClassBytes.INTERFACE_METHOD, "Arena", "ofAuto"),
  GLOBAL(ClassBytes.INTERFACE_METHOD, "Arena", "global"),

  /** Redirected if direct buffers come from our direct memory, or are recorded. */
  ALLOCATE_DIRECT(
      "java/nio/ByteBuffer",
      "allocateDirect",
      "(I)Ljava/nio/ByteBuffer;",
      ClassBytes.METHOD,
      "allocateDirect",
      "ByteBuffer.allocateDirect(int)"),

  /** Redirected if mapped files are recorded, as is the next. */
  MAP_BUFFER("JJ)Ljava/nio/MappedByteBuffer;", "FileChannel.map(MapMode, long, long)"),
  MAP_SEGMENT(
      "JJLjava/lang/foreign/Arena;)Ljava/lang/foreign/MemorySegment;",
      "FileChannel.map(MapMode, long, long, Arena)");

  /** The first version of class files that may call static methods of interfaces. */
  private static final int JAVA_8 = 52;

  /** The class that declares the method, in internal form. */
  final String owner;

  final String method;

  /** The type of the method, without its receiver. */
  final String type;

  /** The method as messages name it. */
  final String text;

  private final int tag;

  /** A text that each class file with a use has. */
  private final String sought;

  /** Index in that text of its first capital letter, which is rarer than the others. */
  private final int capital;

  RedirectedMethod(int tag, String owner, String method) {
    this(
        "java/lang/foreign/" + owner,
        method,
        "()Ljava/lang/foreign/Arena;",
        tag,
        method.equals("global") ? "foreign/Arena" : method,
        owner + "." + method + "()");
  }

  RedirectedMethod(String type, String text) { // the type after its first parameter
    this(
        "java/nio/channels/FileChannel",
        "map",
        "(Ljava/nio/channels/FileChannel$MapMode;" + type,
        ClassBytes.METHOD,
        "FileChannel$MapMode",
        text);
  }

  RedirectedMethod(String owner, String method, String type, int tag, String sought, String text) {
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

  /** Whether the method has a receiver. */
  boolean isVirtual() {
    return this == MAP_BUFFER || this == MAP_SEGMENT;
  }

  /** Returns the instruction that calls the method. */
  int opcode() {
    return isVirtual() ? ClassBytes.INVOKEVIRTUAL : ClassBytes.INVOKESTATIC;
  }

  /** Returns the type of the target. */
  String targetType() {
    return isVirtual() ? "(L" + owner + ";" + type.substring(1) : type;
  }

  /**
   * Whether a constant pool entry names this method. The JVM refuses calls of static interface
   * methods in older class files, so entries there do not count.
   */
  boolean isNamedBy(ClassBytes classFile, int entry) {
    if (!classFile.isEntry(entry, tag)
        || (tag == ClassBytes.INTERFACE_METHOD && classFile.majorVersion() < JAVA_8)) {
      return false;
    }
    int ownerEntry = classFile.firstIn(entry);
    int nameAndType = classFile.secondIn(entry);
    return classFile.isEntry(nameAndType, ClassBytes.NAME_AND_TYPE)
        && classFile.isText(classFile.firstIn(nameAndType), method)
        && classFile.isText(classFile.secondIn(nameAndType), type)
        && classFile.isEntry(ownerEntry, ClassBytes.CLASS)
        && classFile.isText(classFile.firstIn(ownerEntry), owner);
  }

  /** Whether a class file may use this method: searches for the name without parsing. */
  boolean mayBeIn(byte[] classFile) {
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

  private boolean isSoughtAt(byte[] classFile, int offset) {
    for (int i = 0; i < sought.length(); i++) {
      if (classFile[offset + i] != sought.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
