package dev.rockpool.rewrite;

import dev.rockpool.rewrite.ClassBytes.Extended;
import dev.rockpool.rewrite.ClassBytes.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Rewrites classes of the JDK, where the callers of a method can't be redirected. */
public final class JdkClasses {
  /** The class with the method that makes the arena for the buffers of a native call. */
  public static final String LINKER = "jdk/internal/foreign/BufferStack";

  /** The class with public methods that allocate and free memory, and free a direct buffer. */
  public static final String UNSAFE = "sun/misc/Unsafe";

  /** The class that frees the memory of a direct buffer, whoever frees the buffer. */
  public static final String DEALLOCATOR = "java/nio/DirectByteBuffer$Deallocator";

  /** The class that unmaps the file of a mapped buffer, whoever frees the buffer. */
  public static final String UNMAPPER = "sun/nio/ch/FileChannelImpl$Unmapper";

  /** The class that binds the handle of a native function to the function's address. */
  public static final String BINDER = "jdk/internal/foreign/abi/AbstractLinker";

  /** The class that allocates and frees the buffers that channels put heap buffers in. */
  public static final String TEMPORARY = "sun/nio/ch/Util";

  private static final String INNER = "jdk/internal/misc/Unsafe";
  private static final String HANDLE = "java/lang/invoke/MethodHandle";
  private static final String ARENA = "java/lang/foreign/Arena";

  /**
   * A call in a method of the JDK, which is redirected to a static method of ours, with the
   * receiver as one more parameter.
   */
  public enum Call {
    /** Programs call that method by reflection and by method handles. */
    CLEAN(UNSAFE, "invokeCleaner", INNER, "invokeCleaner", "(Ljava/nio/ByteBuffer;)V", INNER),

    ALLOCATE_MEMORY(UNSAFE, "allocateMemory", INNER, "allocateMemory", "(J)J", INNER),

    REALLOCATE_MEMORY(UNSAFE, "reallocateMemory", INNER, "reallocateMemory", "(JJ)J", INNER),

    FREE_MEMORY(UNSAFE, "freeMemory", INNER, "freeMemory", "(J)V", INNER),

    /** Stands there twice. */
    ALLOCATE_TEMPORARY(
        TEMPORARY, "getTemporaryDirectBuffer", INNER, "allocateMemory", "(J)J", INNER),

    FREE_TEMPORARY(TEMPORARY, "free", INNER, "freeMemory", "(J)V", INNER),

    FREE(DEALLOCATOR, "run", INNER, "freeMemory", "(J)V", INNER),

    UNMAP(UNMAPPER, "run", UNMAPPER, "unmap", "()V", "jdk/internal/access/foreign/UnmapperProxy"),

    BIND(
        BINDER, "downcallHandle", HANDLE, "bindTo", "(Ljava/lang/Object;)L" + HANDLE + ";", HANDLE);

    /** The class with the method that calls, in internal form. */
    public final String in;

    final String within;

    final String owner;
    final String method;
    final String type;

    /** The type by which our method knows the receiver. */
    final String receiver;

    Call(String in, String within, String owner, String method, String type, String receiver) {
      this.in = in;
      this.within = within;
      this.owner = owner;
      this.method = method;
      this.type = type;
      this.receiver = receiver;
    }
  }

  private JdkClasses() {}

  /**
   * Redirects a call to a static method.
   *
   * @param target the class with that method, in internal form
   * @param name the method's name
   * @return null if the class has no such call
   */
  public static byte @Nullable [] redirect(
      byte[] classFile, Call call, String target, String name) {
    ClassBytes bytes = new ClassBytes(classFile);
    for (Method method : bytes.methods()) {
      if (bytes.isNamed(method, call.within)) {
        for (int at = bytes.start(method); at < bytes.end(method); at = bytes.next(method, at)) {
          if (bytes.u1(at) == ClassBytes.INVOKEVIRTUAL
              && bytes.isMethod(
                  bytes.u2(at + 1), ClassBytes.METHOD, call.owner, call.method, call.type)) {
            Extended result = bytes.new Extended();
            String type = "(L" + call.receiver + ";" + call.type.substring(1);
            result.redirect(at, method(result, target, name, type));
            return result.toBytes();
          }
        }
      }
    }
    return null;
  }

  private static int method(Extended result, String owner, String name, String type) {
    int nameAndType = result.entry(ClassBytes.NAME_AND_TYPE, result.text(name), result.text(type));
    return result.entry(ClassBytes.METHOD, result.ofClass(owner), nameAndType);
  }

  /**
   * Rewrites {@link #LINKER}, so that its method asks ours first:
   *
   * <pre>
   *   Arena pushFrame(long byteSize, long byteAlignment) {
   *     Arena pooled = TARGET.open(byteSize);
   *     if (pooled != null) {
   *       return pooled;
   *     }
   *     ... the JDK's code
   *   }
   * </pre>
   *
   * <p>The method is behind {@code SharedUtils.newBoundedArena}, which the linker calls; {@code
   * CaptureStateUtil}, the JDK's adapter for handles that report errno, calls it, too. SharedUtils
   * is not rewritten: each program with an arena loads it, and the JVM verifies rewritten classes,
   * for which it would load fourteen others.
   *
   * <p>Our instructions are put before the JDK's, which have no jumps; line numbers are dropped.
   *
   * @param target the class with our method, in internal form
   * @param open its name
   * @return null if the class has no such method, or the method has handlers or jumps
   */
  public static byte @Nullable [] poolLinkerBuffers(byte[] classFile, String target, String open) {
    ClassBytes bytes = new ClassBytes(classFile);
    for (Method method : bytes.methods()) {
      if (method.code() != 0
          && !Modifier.isStatic(bytes.u2(method.at()))
          && bytes.isNamed(method, "pushFrame")
          && bytes.isTyped(method, "(JJ)L" + ARENA + ";")) {
        int handlers = bytes.end(method);
        return bytes.u2(handlers) == 0 && bytes.attributeAt(handlers + 2, "StackMapTable") == 0
            ? withOursFirst(classFile, bytes, method, target, open)
            : null;
      }
    }
    return null;
  }

  private static byte[] withOursFirst(
      byte[] classFile, ClassBytes bytes, Method method, String target, String open) {
    Extended result = bytes.new Extended();
    int ours = method(result, target, open, "(J)L" + ARENA + ";");
    byte[] first = {
      31, // lload_1
      (byte) ClassBytes.INVOKESTATIC,
      (byte) (ours >> 8),
      (byte) ours,
      89, // dup
      (byte) 198, // ifnull, to the pop
      0,
      4,
      (byte) 176, // areturn
      87 // pop
    };
    int code = method.code();
    int length = bytes.end(method) - bytes.start(method);
    ByteBuffer made = ByteBuffer.allocate(first.length + length + 64); // JVMS 4.7.3
    made.putShort((short) Math.max(bytes.u2(code), 2)); // stack
    made.putShort((short) bytes.u2(code + 2)); // local variables
    made.putInt(first.length + length);
    made.put(first);
    made.put(classFile, bytes.start(method), length);
    made.putShort((short) 0); // handlers
    made.putShort((short) 1); // attributes
    made.putShort((short) result.text("StackMapTable"));
    made.putInt(6);
    made.putShort((short) 1); // frames: one with an arena on the stack, at the pop (JVMS 4.7.4)
    made.put((byte) (64 + first.length - 1));
    made.put((byte) 7);
    made.putShort((short) result.ofClass(ARENA));
    byte[] attribute = Arrays.copyOf(made.array(), made.position());
    int lengthAt = code - 4;
    byte[] withLength =
        ByteBuffer.allocate(4 + attribute.length).putInt(attribute.length).put(attribute).array();
    return result.replacing(lengthAt, code + bytes.length(lengthAt), withLength);
  }
}
