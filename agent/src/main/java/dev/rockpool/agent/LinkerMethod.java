package dev.rockpool.agent;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites the one method of the JDK that makes the arena for the buffers of a native call:
 *
 * <pre>
 *   static Arena newBoundedArena(long byteSize) {
 *     try {
 *       Arena pooled = RockpoolCallArenas.open(byteSize);
 *       if (pooled != null) {
 *         return pooled;
 *       }
 *     } catch (LinkageError unusable) {
 *       // falls back to the JDK's code
 *     }
 *     ... the JDK's code
 *   }
 * </pre>
 *
 * <p>A class whose initialization failed, because stack or heap was exhausted at its first use,
 * throws a LinkageError ever after. The program's calls must not fail for it, hence the catch.
 *
 * <p>Our instructions are put before the JDK's, which have no jumps; line numbers are dropped. The
 * JDK's ClassFile API would take 20 ms at the start of each program that makes native calls.
 */
final class LinkerMethod {
  /** The class that declares the method, in internal form. */
  static final String OWNER = "jdk/internal/foreign/abi/SharedUtils";

  private static final String NAME = "newBoundedArena";
  private static final String ARENA = "java/lang/foreign/Arena";
  private static final String TYPE = "(J)L" + ARENA + ";";

  /** Offsets in the new code: the end of the tried part, then the starts of the later parts. */
  private static final int TRIED_END = 4;

  private static final int NONE = 9;
  private static final int UNUSABLE = 13;
  private static final int JDK = 14;

  private LinkerMethod() {}

  /**
   * Makes the method ask the pool first.
   *
   * @return null if the class has no such method, or the method has handlers or jumps
   */
  static byte @Nullable [] rewrite(byte[] classFile) {
    ClassBytes bytes = new ClassBytes(classFile);
    for (int method : bytes.methods().starts()) {
      int code = bytes.codeAt(method);
      if (code != 0
          && Modifier.isStatic(bytes.u2(method))
          && bytes.isText(bytes.u2(method + 2), NAME)
          && bytes.isText(bytes.u2(method + 4), TYPE)) {
        return rewritten(classFile, bytes, code);
      }
    }
    return null;
  }

  private static byte @Nullable [] rewritten(byte[] classFile, ClassBytes bytes, int code) {
    int start = code + 8;
    int length = bytes.length(code + 4);
    int handlers = start + length;
    if (bytes.u2(handlers) != 0 || bytes.attributeAt(handlers + 2, "StackMapTable") != 0) {
      return null;
    }
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream(classFile.length + 256);
      Constants constants = new Constants(bytes.poolLength());
      byte[] attribute = code(classFile, bytes, code, length, constants);
      DataOutputStream data = new DataOutputStream(out);
      data.write(classFile, 0, ClassBytes.POOL_LENGTH_AT);
      data.writeShort(constants.next);
      int pool = ClassBytes.POOL_LENGTH_AT + 2;
      data.write(classFile, pool, bytes.poolEnd() - pool);
      constants.bytes.writeTo(data);
      data.write(classFile, bytes.poolEnd(), code - 4 - bytes.poolEnd());
      data.writeInt(attribute.length);
      data.write(attribute);
      int end = code + bytes.length(code - 4);
      data.write(classFile, end, classFile.length - end);
      return out.toByteArray();
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible); // the streams write to memory
    }
  }

  /** Returns the content of the new Code attribute (JVMS 4.7.3). */
  private static byte[] code(
      byte[] classFile, ClassBytes bytes, int code, int length, Constants constants)
      throws IOException {
    int open = constants.method(PooledClasses.CALL_ARENAS, PooledClasses.OPEN, TYPE);
    int arena = constants.ofClass(ARENA);
    int unusable = constants.ofClass("java/lang/LinkageError");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(out);
    data.writeShort(Math.max(bytes.u2(code), 2)); // stack
    data.writeShort(bytes.u2(code + 2)); // local variables
    data.writeInt(JDK + length);
    data.writeByte(30); // lload_0
    data.writeByte(ClassBytes.INVOKESTATIC);
    data.writeShort(open);
    data.writeByte(89); // dup
    data.writeByte(198); // ifnull
    data.writeShort(NONE - 5);
    data.writeByte(176); // areturn
    data.writeByte(87); // pop
    data.writeByte(167); // goto
    data.writeShort(JDK - 10);
    data.writeByte(87); // pop
    data.write(classFile, code + 8, length);
    data.writeShort(1); // handlers
    data.writeShort(0);
    data.writeShort(TRIED_END);
    data.writeShort(UNUSABLE);
    data.writeShort(unusable);
    data.writeShort(1); // attributes
    data.writeShort(constants.text("StackMapTable"));
    data.writeInt(11);
    data.writeShort(3); // frames, each at a distance from the one before
    writeFrame(data, NONE, arena);
    writeFrame(data, UNUSABLE - NONE - 1, unusable);
    data.writeByte(JDK - UNUSABLE - 1); // a frame with an empty stack
    return out.toByteArray();
  }

  /** Writes a frame with the initial local variables and one object on the stack (JVMS 4.7.4). */
  private static void writeFrame(DataOutputStream data, int distance, int type) throws IOException {
    data.writeByte(64 + distance);
    data.writeByte(7);
    data.writeShort(type);
  }

  /** Entries to append to the constant pool (JVMS 4.4). */
  private static final class Constants {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream data = new DataOutputStream(bytes);
    int next;

    Constants(int next) {
      this.next = next;
    }

    int text(String text) throws IOException {
      data.writeByte(ClassBytes.UTF8);
      data.writeUTF(text);
      return next++;
    }

    int ofClass(String name) throws IOException {
      return pair(ClassBytes.CLASS, text(name), 0);
    }

    int method(String owner, String name, String type) throws IOException {
      int nameAndType = pair(ClassBytes.NAME_AND_TYPE, text(name), text(type));
      return pair(ClassBytes.METHOD, ofClass(owner), nameAndType);
    }

    private int pair(int tag, int first, int second) throws IOException {
      data.writeByte(tag);
      data.writeShort(first);
      if (second != 0) {
        data.writeShort(second);
      }
      return next++;
    }
  }
}
