package dev.rockpool.agent;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.Arena;
import java.lang.reflect.AccessFlag;
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
 *       // the JDK's way, then
 *     }
 *     ... what the JDK does
 *   }
 * </pre>
 *
 * <p>A class that failed to initialize, because the stack or the heap was at its end when it was
 * first used, fails with that error ever after; the calls of the program must not.
 */
final class LinkerMethod {
  /** The class that has it, in internal form. */
  static final String OWNER = "jdk/internal/foreign/abi/SharedUtils";

  private static final String NAME = "newBoundedArena";
  private static final ClassDesc ARENA = Arena.class.describeConstable().orElseThrow();
  private static final MethodTypeDesc TYPE = MethodTypeDesc.of(ARENA, ConstantDescs.CD_long);
  private static final ClassDesc POOL = ClassDesc.ofInternalName(PooledClasses.CALL_ARENAS);
  private static final ClassDesc UNUSABLE = LinkageError.class.describeConstable().orElseThrow();

  private LinkerMethod() {}

  /**
   * Has the method ask the pool first.
   *
   * @return null if the class has no such method
   */
  static byte @Nullable [] rewrite(byte[] classFile) {
    ClassFile tool = ClassFile.of();
    ClassModel model = tool.parse(classFile);
    if (model.methods().stream().noneMatch(LinkerMethod::isExpected)) {
      return null;
    }
    return tool.transformClass(
        model, ClassTransform.transformingMethodBodies(LinkerMethod::isExpected, new PoolFirst()));
  }

  private static boolean isExpected(MethodModel method) {
    return method.methodName().equalsString(NAME)
        && method.methodTypeSymbol().equals(TYPE)
        && method.flags().has(AccessFlag.STATIC)
        && method.code().isPresent();
  }

  private static final class PoolFirst implements CodeTransform {
    @Override
    public void atStart(CodeBuilder code) {
      Label tried = code.newLabel();
      Label end = code.newLabel();
      Label none = code.newLabel();
      Label unusable = code.newLabel();
      Label jdk = code.newLabel();
      code.labelBinding(tried)
          .lload(code.parameterSlot(0))
          .invokestatic(POOL, PooledClasses.OPEN, TYPE)
          .labelBinding(end)
          .dup()
          .ifnull(none)
          .areturn()
          .labelBinding(none)
          .pop()
          .goto_(jdk)
          .labelBinding(unusable)
          .pop()
          .labelBinding(jdk)
          .exceptionCatch(tried, end, unusable, UNUSABLE);
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      code.with(element);
    }
  }
}
