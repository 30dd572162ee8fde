package dev.rockpool.agent;

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
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

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
final class CleanerMethod {
  /** The class that declares the method, in internal form. */
  static final String OWNER = "sun/misc/Unsafe";

  private static final String NAME = "invokeCleaner";
  private static final MethodTypeDesc TYPE =
      MethodTypeDesc.of(ConstantDescs.CD_void, ByteBuffer.class.describeConstable().orElseThrow());
  private static final ClassDesc BUFFERS = ClassDesc.ofInternalName(PooledClasses.BUFFERS);
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
