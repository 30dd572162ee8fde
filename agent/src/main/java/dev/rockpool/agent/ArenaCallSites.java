package dev.rockpool.agent;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ConstantPool;
import java.lang.classfile.constantpool.InterfaceMethodRefEntry;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites {@code Arena.ofConfined()} in one class file, calls and method references alike.
 *
 * <p>All of them name the method through an entry of the constant pool, an interface method of
 * {@code Arena}: one entry where javac made the class. It is redirected, in place, to the static
 * method of our class; two entries for its name are appended. No other byte of the class file
 * changes: not its code, so stack maps, line numbers and attributes that nobody here knows stay
 * right, and no class hierarchy has to be loaded to compute them anew. {@code java.lang.classfile}
 * reads the class file, finds the entry, and counts its uses; it has no way to write an entry in
 * place, hence the few lines with a buffer.
 */
final class ArenaCallSites {
  private static final String ARENA = "java/lang/foreign/Arena";
  private static final String METHOD = "ofConfined";
  private static final String TYPE = "()Ljava/lang/foreign/Arena;";
  private static final byte[] METHOD_BYTES = METHOD.getBytes(StandardCharsets.US_ASCII);

  /** Where a class file states the length of its constant pool; the first entry follows. */
  private static final int POOL_LENGTH_AT = 8;

  private static final int MOST_ENTRIES = 0xFFFF;

  /** The count of a class whose code runs, but holds annotations that nothing can read. */
  static final int UNKNOWN = -1;

  /**
   * A class with its arenas redirected.
   *
   * @param bytes the new class file
   * @param count how many calls and method references there are, or {@link #UNKNOWN}
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Rewritten(byte[] bytes, int count) {}

  private ArenaCallSites() {}

  /** Whether the class file can have any: a quick look that reads no structure. */
  static boolean mayBeIn(byte[] classFile) {
    int last = classFile.length - METHOD_BYTES.length;
    for (int i = POOL_LENGTH_AT; i <= last; i++) {
      // 'f' is rarer than 'o', and two steps ahead of nothing else in the name.
      if (classFile[i + 1] == 'f' && classFile[i + 2] == 'C' && isNameAt(classFile, i)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isNameAt(byte[] classFile, int offset) {
    for (int i = 0; i < METHOD_BYTES.length; i++) {
      if (classFile[offset + i] != METHOD_BYTES[i]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Redirects them to the static method of the same name and type in {@code target}.
   *
   * @param target a class, not an interface, in internal form
   * @return null if there are none, or they have to stay as they are
   */
  static @Nullable Rewritten rewrite(byte[] classFile, String target) {
    ClassModel model = ClassFile.of().parse(classFile);
    List<InterfaceMethodRefEntry> arenas = find(model.constantPool());
    if (arenas.isEmpty()
        || model.constantPool().size() + 2 > MOST_ENTRIES
        || hasSerializableReference(model)) {
      return null;
    }
    return new Rewritten(redirect(classFile, model, arenas, target), countUses(model));
  }

  private static List<InterfaceMethodRefEntry> find(ConstantPool pool) {
    List<InterfaceMethodRefEntry> found = new ArrayList<>();
    for (PoolEntry entry : pool) {
      if (entry instanceof InterfaceMethodRefEntry method && isArenas(method)) {
        found.add(method);
      }
    }
    return found;
  }

  /**
   * Whether the class may hold a method reference that is serializable: its serial form states the
   * owner of the method, so it must stay that which {@code $deserializeLambda$} compares it with,
   * in this JVM or another.
   */
  private static boolean hasSerializableReference(ClassModel model) {
    for (MethodModel method : model.methods()) {
      if (method.methodName().equalsString("$deserializeLambda$")) {
        return hasReference(model.constantPool());
      }
    }
    return false;
  }

  private static boolean hasReference(ConstantPool pool) {
    for (PoolEntry entry : pool) {
      if (entry instanceof MethodHandleEntry handle && isReference(handle)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isArenas(InterfaceMethodRefEntry method) {
    return method.name().equalsString(METHOD)
        && method.type().equalsString(TYPE)
        && method.owner().name().equalsString(ARENA);
  }

  private static byte[] redirect(
      byte[] classFile, ClassModel model, List<InterfaceMethodRefEntry> arenas, String target) {
    byte[] name = target.getBytes(StandardCharsets.UTF_8);
    int entries = model.constantPool().size();
    int end = offset(classFile, entries);
    ByteBuffer result = ByteBuffer.allocate(classFile.length + 3 + name.length + 3);
    result.put(classFile, 0, end);
    result.put((byte) PoolEntry.TAG_UTF8).putShort((short) name.length).put(name);
    result.put((byte) PoolEntry.TAG_CLASS).putShort((short) entries);
    result.put(classFile, end, classFile.length - end);
    result.putShort(POOL_LENGTH_AT, (short) (entries + 2));
    for (InterfaceMethodRefEntry method : arenas) {
      int entry = offset(classFile, method.index());
      result.put(entry, (byte) PoolEntry.TAG_METHODREF).putShort(entry + 1, (short) (entries + 1));
    }
    return result.array();
  }

  /** Where in the class file entry {@code index} of the constant pool starts. */
  private static int offset(byte[] classFile, int index) {
    ByteBuffer bytes = ByteBuffer.wrap(classFile);
    int at = POOL_LENGTH_AT + 2;
    for (int i = 1; i < index; i++) {
      int tag = bytes.get(at);
      if (tag == PoolEntry.TAG_LONG || tag == PoolEntry.TAG_DOUBLE) {
        i++; // takes two indices
      }
      at += 1 + length(tag, bytes, at + 1);
    }
    return at;
  }

  /** Bytes behind the tag of an entry (JVMS 4.4). */
  private static int length(int tag, ByteBuffer bytes, int at) {
    return switch (tag) {
      case PoolEntry.TAG_UTF8 -> 2 + Short.toUnsignedInt(bytes.getShort(at));
      case PoolEntry.TAG_LONG, PoolEntry.TAG_DOUBLE -> 8;
      case PoolEntry.TAG_METHOD_HANDLE -> 3;
      case PoolEntry.TAG_CLASS,
          PoolEntry.TAG_STRING,
          PoolEntry.TAG_METHOD_TYPE,
          PoolEntry.TAG_MODULE,
          PoolEntry.TAG_PACKAGE ->
          2;
      default -> 4;
    };
  }

  private static int countUses(ClassModel model) {
    try {
      return count(model);
    } catch (IllegalArgumentException unreadable) {
      // To the JVM, annotations within code are bytes, so obfuscators get away with breaking them.
      return UNKNOWN;
    }
  }

  private static int count(ClassModel model) {
    int count = 0;
    for (MethodModel method : model.methods()) {
      CodeModel code = method.code().orElse(null);
      if (code != null) {
        for (CodeElement element : code) {
          count += uses(element);
        }
      }
    }
    return count;
  }

  private static int uses(CodeElement element) {
    return switch (element) {
      case InvokeInstruction call ->
          call.method() instanceof InterfaceMethodRefEntry method && isArenas(method) ? 1 : 0;
      case InvokeDynamicInstruction call ->
          (int)
              call.invokedynamic().bootstrap().arguments().stream()
                  .filter(ArenaCallSites::isReference)
                  .count();
      case ConstantInstruction.LoadConstantInstruction load ->
          isReference(load.constantEntry()) ? 1 : 0;
      default -> 0;
    };
  }

  private static boolean isReference(LoadableConstantEntry constant) {
    return constant instanceof MethodHandleEntry handle
        && handle.reference() instanceof InterfaceMethodRefEntry method
        && isArenas(method);
  }
}
