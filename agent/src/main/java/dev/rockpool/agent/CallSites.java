package dev.rockpool.agent;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ConstantPool;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The uses of {@link RedirectedMethod}s in one class file, calls and method references alike.
 *
 * <p>All of them name the method through an entry of the constant pool: one entry where javac made
 * the class. It is redirected, in place, to the static method of our class; two entries for its
 * name are appended. No other byte of the class file changes: not its code, so stack maps, line
 * numbers and attributes that nobody here knows stay right, and no class hierarchy has to be loaded
 * to compute them anew. {@code java.lang.classfile} reads the class file, finds the entry, and
 * counts its uses; it has no way to write an entry in place, hence the few lines with a buffer.
 */
final class CallSites {
  /** Where a class file states the length of its constant pool; the first entry follows. */
  static final int POOL_LENGTH_AT = 8;

  private static final int MOST_ENTRIES = 0xFFFF;

  /** The count of a class whose code runs, but holds annotations that nothing can read. */
  static final int UNKNOWN = -1;

  private final byte[] classFile;
  private final ClassModel model;

  /** The entries for each method that there are any of. */
  private final Map<RedirectedMethod, List<PoolEntry>> entries =
      new EnumMap<>(RedirectedMethod.class);

  private CallSites(byte[] classFile) {
    this.classFile = classFile;
    this.model = ClassFile.of().parse(classFile);
  }

  /**
   * Looks for them.
   *
   * @param wanted the methods to look for
   * @throws IllegalArgumentException if that is no class file
   */
  static CallSites in(byte[] classFile, Set<RedirectedMethod> wanted) {
    CallSites sites = new CallSites(classFile);
    sites.find(wanted);
    return sites;
  }

  private void find(Set<RedirectedMethod> wanted) {
    for (PoolEntry entry : model.constantPool()) {
      for (RedirectedMethod method : wanted) {
        if (method.isNamedBy(entry)) {
          entries.computeIfAbsent(method, first -> new ArrayList<>()).add(entry);
        }
      }
    }
    if (!entries.isEmpty() && hasSerializableReferences()) {
      entries.keySet().removeIf(this::isReferenced);
    }
    if (model.constantPool().size() + 2 * entries.size() > MOST_ENTRIES) {
      entries.clear();
    }
  }

  /**
   * Whether the class may hold method references that are serializable: their serial form states
   * the owner of the method, so it must stay that which {@code $deserializeLambda$} compares it
   * with, in this JVM or another.
   */
  private boolean hasSerializableReferences() {
    for (MethodModel method : model.methods()) {
      if (method.methodName().equalsString("$deserializeLambda$")) {
        return true;
      }
    }
    return false;
  }

  private boolean isReferenced(RedirectedMethod method) {
    ConstantPool pool = model.constantPool();
    for (PoolEntry entry : pool) {
      if (entry instanceof MethodHandleEntry handle && method.isNamedBy(handle.reference())) {
        return true;
      }
    }
    return false;
  }

  /** The methods that have uses which may be redirected. */
  Set<RedirectedMethod> methods() {
    return entries.keySet();
  }

  /**
   * The class file with them redirected to the static method of the same name and type in another
   * class.
   *
   * @param targets for some or all of {@link #methods}: a class, not an interface, in internal form
   */
  byte[] redirectedTo(Map<RedirectedMethod, String> targets) {
    int added = 0;
    for (String target : targets.values()) {
      added += 3 + target.getBytes(StandardCharsets.UTF_8).length + 3;
    }
    int length = model.constantPool().size();
    int end = offset(length);
    ByteBuffer result = ByteBuffer.allocate(classFile.length + added);
    result.put(classFile, 0, end);
    for (Map.Entry<RedirectedMethod, String> each : targets.entrySet()) {
      byte[] name = each.getValue().getBytes(StandardCharsets.UTF_8);
      result.put((byte) PoolEntry.TAG_UTF8).putShort((short) name.length).put(name);
      result.put((byte) PoolEntry.TAG_CLASS).putShort((short) length);
      for (PoolEntry entry : entries.getOrDefault(each.getKey(), List.of())) {
        int at = offset(entry.index());
        result.put(at, (byte) PoolEntry.TAG_METHODREF).putShort(at + 1, (short) (length + 1));
      }
      length += 2;
    }
    result.put(classFile, end, classFile.length - end);
    result.putShort(POOL_LENGTH_AT, (short) length);
    return result.array();
  }

  /** Where in the class file entry {@code index} of the constant pool starts. */
  private int offset(int index) {
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

  /** How many calls of a method and references to it there are, or {@link #UNKNOWN}. */
  int count(RedirectedMethod method) {
    try {
      int count = 0;
      for (MethodModel each : model.methods()) {
        CodeModel code = each.code().orElse(null);
        if (code != null) {
          for (CodeElement element : code) {
            count += uses(method, element);
          }
        }
      }
      return count;
    } catch (IllegalArgumentException unreadable) {
      // To the JVM, annotations within code are bytes, so obfuscators get away with breaking them.
      return UNKNOWN;
    }
  }

  private static int uses(RedirectedMethod method, CodeElement element) {
    return switch (element) {
      case InvokeInstruction call -> method.isNamedBy(call.method()) ? 1 : 0;
      case InvokeDynamicInstruction call ->
          (int)
              call.invokedynamic().bootstrap().arguments().stream()
                  .filter(argument -> isReference(method, argument))
                  .count();
      case ConstantInstruction.LoadConstantInstruction load ->
          isReference(method, load.constantEntry()) ? 1 : 0;
      default -> 0;
    };
  }

  private static boolean isReference(RedirectedMethod method, LoadableConstantEntry constant) {
    return constant instanceof MethodHandleEntry handle && method.isNamedBy(handle.reference());
  }
}
