package dev.rockpool.agent;

import java.lang.classfile.constantpool.InterfaceMethodRefEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.MethodRefEntry;
import java.lang.classfile.constantpool.PoolEntry;

/**
 * A static method of the JDK whose uses in application classes are redirected: to a static method
 * of the same name and type in a class of ours.
 */
enum RedirectedMethod {
  /** Where arenas are pooled or recorded. */
  OF_CONFINED(
      "java/lang/foreign/Arena",
      "ofConfined",
      "()Ljava/lang/foreign/Arena;",
      InterfaceMethodRefEntry.class,
      "Arena.ofConfined()"),

  /** Where direct buffers come from our direct memory. */
  ALLOCATE_DIRECT(
      "java/nio/ByteBuffer",
      "allocateDirect",
      "(I)Ljava/nio/ByteBuffer;",
      MethodRefEntry.class,
      "ByteBuffer.allocateDirect(int)");

  private final String owner;
  private final String method;
  private final String type;
  private final Class<? extends MemberRefEntry> kind;
  private final String text;

  /** Where in the name its one capital letter is: rarer than the others. */
  private final int capital;

  RedirectedMethod(
      String owner, String method, String type, Class<? extends MemberRefEntry> kind, String text) {
    this.owner = owner;
    this.method = method;
    this.type = type;
    this.kind = kind;
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

  /** As messages name it. */
  String text() {
    return text;
  }

  /** Whether an entry of a constant pool stands for it. */
  boolean isNamedBy(PoolEntry entry) {
    return kind.isInstance(entry)
        && entry instanceof MemberRefEntry member
        && member.name().equalsString(method)
        && member.type().equalsString(type)
        && member.owner().name().equalsString(owner);
  }

  /** Whether a class file can have any use of it: a quick look that reads no structure. */
  boolean mayBeIn(byte[] classFile) {
    char rare = method.charAt(capital);
    char before = method.charAt(capital - 1);
    int last = classFile.length - method.length() + capital;
    for (int i = CallSites.POOL_LENGTH_AT + capital; i <= last; i++) {
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
