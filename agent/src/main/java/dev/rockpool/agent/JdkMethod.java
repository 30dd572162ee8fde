package dev.rockpool.agent;

import dev.rockpool.agent.AgentOptions.Option;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A method of the JDK that the agent rewrites, because its call sites can't be redirected. */
enum JdkMethod {
  /** Makes the arena for the buffers of a native call. */
  LINKER(
      LinkerMethod.OWNER,
      "the linker's buffers for structs by value are pooled",
      "buffers of native calls can't be pooled on this JDK, which goes on with its own"),

  /** Frees a direct buffer by hand. */
  CLEANER(
      CleanerMethod.OWNER,
      "Unsafe.invokeCleaner frees direct buffers of ours, too",
      "Unsafe.invokeCleaner can't free direct buffers of ours on this JDK, and leaves them to the"
          + " collector");

  /** The class that declares the method, in internal form. */
  final String owner;

  /** The message for a rewritten method. */
  final String done;

  /** The message for a method that can't be rewritten. */
  final String without;

  JdkMethod(String owner, String done, String without) {
    this.owner = owner;
    this.done = done;
    this.without = without;
  }

  /** Returns the methods that the options have rewritten. */
  static List<JdkMethod> of(AgentOptions options) {
    List<JdkMethod> methods = new ArrayList<>();
    if (options.has(Option.LINKER)) {
      methods.add(LINKER);
    }
    if (options.has(Option.DIRECT)) {
      methods.add(CLEANER);
    }
    return methods;
  }

  /** Returns the class file with the method rewritten, or null if it has no such method. */
  byte @Nullable [] rewrite(byte[] classFile) {
    return this == LINKER ? LinkerMethod.rewrite(classFile) : CleanerMethod.rewrite(classFile);
  }

  /** Defines the classes that the rewritten method calls. */
  void define(LibraryInJavaBase library) throws IOException, ReflectiveOperationException {
    if (this == LINKER) {
      library.defineStart();
    } else {
      library.defineDirect();
    }
  }

  /**
   * Rewrites the one method of the JDK that makes the arena for the buffers of a native call:
   *
   * <pre>
   *   Arena pushFrame(long byteSize, long byteAlignment) {
   *     try {
   *       Arena pooled = RockpoolStart.open(byteSize);
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
   * <p>The method is behind {@code SharedUtils.newBoundedArena}, which the linker calls; {@code
   * CaptureStateUtil}, the JDK's adapter for handles that report errno, calls it, too. SharedUtils
   * is not rewritten: each program with an arena loads it, and the JVM verifies rewritten classes,
   * for which it would load fourteen others.
   *
   * <p>Our instructions are put before the JDK's, which have no jumps; line numbers are dropped.
   * The JDK's ClassFile API would take 20 ms at the start of each program that makes native calls.
   */
  static final class LinkerMethod {
    static final String OWNER = "jdk/internal/foreign/BufferStack";

    private static final String NAME = "pushFrame";
    private static final String ARENA = "java/lang/foreign/Arena";
    private static final String TYPE = "(JJ)L" + ARENA + ";";
    private static final String TYPE_OF_OPEN = "(J)L" + ARENA + ";";

    /** Offsets in {@link #ours}: the end of the tried part, and the starts of parts. */
    private static final int TRIED_END = 4;

    private static final int NONE = 9;
    private static final int UNUSABLE = 13;
    private static final int JDK = 14;

    /** Bytes enough for what is added to the code. */
    private static final int ROOM = 128;

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
            && !Modifier.isStatic(bytes.u2(method))
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
      ClassBytes.Added constants = new ClassBytes.Added(bytes);
      byte[] attribute = code(classFile, bytes, code, length, constants);
      byte[] added = constants.bytes.toByteArray();
      int pool = ClassBytes.POOL_LENGTH_AT + 2;
      int end = code + bytes.length(code - 4);
      return ByteBuffer.allocate(classFile.length + added.length + attribute.length - (end - code))
          .put(classFile, 0, ClassBytes.POOL_LENGTH_AT)
          .putShort((short) constants.next)
          .put(classFile, pool, bytes.poolEnd - pool)
          .put(added)
          .put(classFile, bytes.poolEnd, code - 4 - bytes.poolEnd)
          .putInt(attribute.length)
          .put(attribute)
          .put(classFile, end, classFile.length - end)
          .array();
    }

    /** Returns the content of the new Code attribute (JVMS 4.7.3). */
    private static byte[] code(
        byte[] classFile, ClassBytes bytes, int code, int length, ClassBytes.Added constants) {
      int owner = constants.ofClass(LibraryInJavaBase.START);
      int name = constants.text(LibraryInJavaBase.OPEN);
      int type = constants.entry(ClassBytes.NAME_AND_TYPE, name, constants.text(TYPE_OF_OPEN));
      int open = constants.entry(ClassBytes.METHOD, owner, type);
      int arena = constants.ofClass(ARENA);
      int unusable = constants.ofClass("java/lang/LinkageError");
      ByteBuffer data = ByteBuffer.allocate(length + ROOM);
      data.putShort((short) Math.max(bytes.u2(code), 2)); // stack
      data.putShort((short) bytes.u2(code + 2)); // local variables
      data.putInt(JDK + length);
      data.put(ours(open));
      data.put(classFile, code + 8, length);
      data.putShort((short) 1); // handlers
      data.putShort((short) 0);
      data.putShort((short) TRIED_END);
      data.putShort((short) UNUSABLE);
      data.putShort((short) unusable);
      data.putShort((short) 1); // attributes
      data.putShort((short) constants.text("StackMapTable"));
      data.putInt(11);
      data.putShort((short) 3); // frames, each at a distance from the one before
      writeFrame(data, NONE, arena);
      writeFrame(data, UNUSABLE - NONE - 1, unusable);
      data.put((byte) (JDK - UNUSABLE - 1)); // a frame with an empty stack
      return Arrays.copyOf(data.array(), data.position());
    }

    /** Returns the instructions before the JDK's (JVMS 6.5). */
    private static byte[] ours(int open) {
      return new byte[] {
        31, // lload_1
        (byte) ClassBytes.INVOKESTATIC,
        (byte) (open >> 8),
        (byte) open,
        89, // dup
        (byte) 198,
        0,
        4, // ifnull NONE
        (byte) 176, // areturn
        87, // NONE: pop
        (byte) 167,
        0,
        4, // goto JDK
        87 // UNUSABLE: pop
      };
    }

    /** Writes a frame with the initial local variables and one object on the stack (JVMS 4.7.4). */
    private static void writeFrame(ByteBuffer data, int distance, int type) {
      data.put((byte) (64 + distance)); // same_locals_1_stack_item_frame
      data.put((byte) 7); // an object
      data.putShort((short) type);
    }
  }

  /**
   * Rewrites the one public method of the JDK that frees a direct buffer by hand. Programs call the
   * method by reflection and by method handles, so its call sites can't be redirected. Rewritten:
   *
   * <pre>
   *   public void invokeCleaner(ByteBuffer directBuffer) {
   *     ... the JDK's code, which refuses slices and duplicates, and frees nothing of our buffers
   *     try {
   *       RockpoolBuffers.invokeCleaner(directBuffer);
   *     } catch (LinkageError unusable) {
   *       // the garbage collector frees the buffer
   *     }
   *   }
   * </pre>
   */
  static final class CleanerMethod {
    static final String OWNER = "sun/misc/Unsafe";

    private static final String NAME = "invokeCleaner";
    private static final MethodTypeDesc TYPE =
        MethodTypeDesc.of(
            ConstantDescs.CD_void, ByteBuffer.class.describeConstable().orElseThrow());
    private static final ClassDesc BUFFERS = ClassDesc.ofInternalName(LibraryInJavaBase.BUFFERS);
    private static final ClassDesc UNUSABLE = LinkageError.class.describeConstable().orElseThrow();

    private CleanerMethod() {}

    /**
     * Makes the method free our buffers, too.
     *
     * @return null if the class has no such method
     */
    static byte @Nullable [] rewrite(byte[] classFile) {
      ClassFile tool = ClassFile.of();
      ClassModel model = tool.parse(classFile);
      if (model.methods().stream().noneMatch(CleanerMethod::isExpected)) {
        return null;
      }
      return tool.transformClass(
          model, ClassTransform.transformingMethodBodies(CleanerMethod::isExpected, oursLast()));
    }

    private static boolean isExpected(MethodModel method) {
      return method.methodName().equalsString(NAME)
          && method.methodTypeSymbol().equals(TYPE)
          && !method.flags().has(AccessFlag.STATIC)
          && method.code().isPresent();
    }

    private static CodeTransform oursLast() {
      return (code, element) -> {
        if (element instanceof ReturnInstruction) {
          freeOurs(code);
        }
        code.with(element);
      };
    }

    private static void freeOurs(CodeBuilder code) {
      Label tried = code.newLabel();
      Label end = code.newLabel();
      Label unusable = code.newLabel();
      Label done = code.newLabel();
      code.labelBinding(tried)
          .aload(code.parameterSlot(0))
          .invokestatic(BUFFERS, NAME, TYPE)
          .labelBinding(end)
          .goto_(done)
          .labelBinding(unusable)
          .pop()
          .labelBinding(done)
          .exceptionCatch(tried, end, unusable, UNUSABLE);
    }
  }
}
