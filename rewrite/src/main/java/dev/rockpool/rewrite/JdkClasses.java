package dev.rockpool.rewrite;

import dev.rockpool.rewrite.ClassBytes.Extended;
import dev.rockpool.rewrite.ClassBytes.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rewrites classes of the JDK, where the callers of a method can't be redirected. */
public final class JdkClasses {
  /** The class with the method that makes the arena for the buffers of a native call. */
  public static final String LINKER = "jdk/internal/foreign/BufferStack";

  /** The class with public methods that allocate and free memory, and free a direct buffer. */
  public static final String UNSAFE = "sun/misc/Unsafe";

  /** The class that binds a handle for a native function to the function's address. */
  public static final String BINDER = "jdk/internal/foreign/abi/AbstractLinker";

  private static final String INNER_UNSAFE = "jdk/internal/misc/Unsafe";
  private static final String HANDLE = "java/lang/invoke/MethodHandle";
  private static final String ARENA = "java/lang/foreign/Arena";

  private JdkClasses() {}

  /**
   * A call of an instance method within a method of a JDK's class. It can be redirected to a static
   * method of ours, which has the receiver as one more parameter.
   *
   * @param within name of the method that has the call
   * @param owner the class that declares the called method, in internal form
   * @param name of the called method
   * @param type of the called method
   */
  private record InnerCall(String within, String owner, String name, String type) {
    /** A call of the JDK's inner Unsafe in the method of that name in the outer one. */
    static InnerCall ofUnsafe(String name, String type) {
      return new InnerCall(name, INNER_UNSAFE, name, type);
    }

    String targetType() {
      return "(L" + owner + ";" + type.substring(1);
    }
  }

  private static final InnerCall CLEAN =
      InnerCall.ofUnsafe("invokeCleaner", "(Ljava/nio/ByteBuffer;)V");

  private static final InnerCall BIND =
      new InnerCall("downcallHandle", HANDLE, "bindTo", "(Ljava/lang/Object;)L" + HANDLE + ";");

  private static final List<InnerCall> MEMORY =
      List.of(
          InnerCall.ofUnsafe("allocateMemory", "(J)J"),
          InnerCall.ofUnsafe("reallocateMemory", "(JJ)J"),
          InnerCall.ofUnsafe("freeMemory", "(J)V"));

  /**
   * Rewrites {@link #UNSAFE}. Programs call its methods by reflection and by method handles, so
   * their calls can't be redirected. Each of these methods calls the method of the same name of the
   * JDK's inner Unsafe: that call is redirected to a static method of ours, which has the inner
   * Unsafe as its first parameter.
   *
   * @param target the class with our methods, in internal form
   * @param cleaner the name of ours for {@code invokeCleaner}
   * @param memory whether {@code allocateMemory} and its kin are redirected, too, as far as they
   *     are there, each to a method of the same name
   * @return null if the class has no {@code invokeCleaner} as expected
   */
  public static byte @Nullable [] redirectUnsafe(
      byte[] classFile, String target, String cleaner, boolean memory) {
    ClassBytes bytes = new ClassBytes(classFile);
    Extended result = bytes.new Extended();
    if (!redirect(bytes, result, CLEAN, target, cleaner)) {
      return null;
    }
    for (InnerCall call : memory ? MEMORY : List.<InnerCall>of()) {
      redirect(bytes, result, call, target, call.name());
    }
    return result.toBytes();
  }

  /**
   * Rewrites {@link #BINDER}, so that ours may wrap the handle of a function.
   *
   * @param target the class with our method, in internal form
   * @param name the method's name
   * @return null if the class does not bind handles as expected
   */
  public static byte @Nullable [] redirectBinder(byte[] classFile, String target, String name) {
    ClassBytes bytes = new ClassBytes(classFile);
    Extended result = bytes.new Extended();
    return redirect(bytes, result, BIND, target, name) ? result.toBytes() : null;
  }

  /** Redirects the first such call; returns false if there is none. */
  private static boolean redirect(
      ClassBytes bytes, Extended result, InnerCall call, String target, String name) {
    for (Method method : bytes.methods()) {
      if (bytes.isNamed(method, call.within())) {
        for (int at = bytes.start(method); at < bytes.end(method); at = bytes.next(method, at)) {
          if (bytes.u1(at) == ClassBytes.INVOKEVIRTUAL
              && bytes.isMethod(
                  bytes.u2(at + 1), ClassBytes.METHOD, call.owner(), call.name(), call.type())) {
            result.redirect(at, method(result, target, name, call.targetType()));
            return true;
          }
        }
      }
    }
    return false;
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
