package dev.rockpool.agent;

/**
 * A static method of the JDK whose uses in application classes are redirected. The target is a
 * static method of the same name and type in a class of ours.
 */
enum RedirectedMethod {
  /** Redirected if arenas are pooled or recorded. */
  OF_CONFINED(
      "java/lang/foreign/Arena",
      "ofConfined",
      "()Ljava/lang/foreign/Arena;",
      ClassBytes.INTERFACE_METHOD,
      "Arena.ofConfined()"),

  /** Redirected if direct buffers come from our direct memory. */
  ALLOCATE_DIRECT(
      "java/nio/ByteBuffer",
      "allocateDirect",
      "(I)Ljava/nio/ByteBuffer;",
      ClassBytes.METHOD,
      "ByteBuffer.allocateDirect(int)");

  /** The first version of class files that may call static methods of interfaces. */
  private static final int JAVA_8 = 52;

  private final String owner;
  private final String method;
  private final String type;
  private final int tag;
  private final String text;

  /** Index in the name of its one capital letter, which is rarer than the others. */
  private final int capital;

  RedirectedMethod(String owner, String method, String type, int tag, String text) {
    this.owner = owner;
    this.method = method;
    this.type = type;
    this.tag = tag;
    this.text = text;
    this.capital = capital(method);
  }

  private static int capital(String name) {
    int at = 0;
    while (name.charAt(at) >= 'a') {
      at++;
    }
    return at;
  }

  /** Returns the method as messages name it. */
  String text() {
    return text;
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
    char rare = method.charAt(capital);
    char before = method.charAt(capital - 1);
    int last = classFile.length - method.length() + capital;
    for (int i = ClassBytes.POOL_LENGTH_AT + capital; i <= last; i++) {
      if (classFile[i] == rare && classFile[i - 1] == before && isNameAt(classFile, i - capital)) {
        return true;
      }
    }
    return false;
  }

  private boolean isNameAt(byte[] classFile, int offset) {
    for (int i = 0; i < method.length(); i++) {
      if (classFile[offset + i] != method.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
