package dev.rockpool.scan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Code that no compiler we know of makes, but that a class file may have. */
class GraphTest {
  private final MethodNode method =
      new MethodNode(Opcodes.ACC_STATIC, "run", "()V", null, new String[0]);
  private final Label handler = new Label();
  private final Label start = new Label();
  private final Label end = new Label();

  /** The handler comes before the block, so that an exception alone leads back. */
  private void call(Label handler) {
    method.visitTryCatchBlock(start, end, handler, null);
    method.visitJumpInsn(Opcodes.GOTO, start);
    method.visitLabel(this.handler);
    method.visitInsn(Opcodes.POP);
    method.visitLabel(start);
    method.visitMethodInsn(Opcodes.INVOKESTATIC, "Other", "run", "()V", false);
    method.visitLabel(end);
    method.visitInsn(Opcodes.RETURN);
  }

  private boolean isInLoop() {
    for (AbstractInsnNode instruction : method.instructions) {
      if (instruction instanceof MethodInsnNode) {
        return new Graph(method).isInLoop(method.instructions.indexOf(instruction), -1);
      }
    }
    throw new AssertionError("no call");
  }

  @Test
  void anExceptionMayLeadBack() {
    call(handler);

    assertThat(isInLoop()).isTrue();
  }

  @Test
  void anExceptionMayLeadOn() {
    call(end); // where nobody pops it: that does not matter here

    assertThat(isInLoop()).isFalse();
  }
}
