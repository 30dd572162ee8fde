package dev.rockpool.cli.scan.flow;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

/** Works out the facts before each instruction of a method, whatever the path to it. */
final class Frames extends Analyzer<Fact> {
  private final InsnList instructions;

  private Frames(Facts facts, MethodNode method) {
    super(facts);
    this.instructions = method.instructions;
  }

  /** The frames, by index; null where nothing leads to. */
  static Frame<Fact>[] of(String owner, MethodNode method, Facts facts) throws AnalyzerException {
    return new Frames(facts, method).analyze(owner, method);
  }

  /**
   * Whether what handles an exception of the instruction can learn from it: variables, which are
   * all that is left there, may have changed since the instruction before, or another path, which
   * needs a label, has come in.
   */
  @Override
  protected boolean newControlFlowExceptionEdge(int index, TryCatchBlockNode block) {
    AbstractInsnNode instruction = instructions.get(index);
    AbstractInsnNode before = instruction.getPrevious();
    return instruction.getOpcode() >= 0 && (before == null || mayChangeVariables(before));
  }

  private static boolean mayChangeVariables(AbstractInsnNode instruction) {
    int opcode = instruction.getOpcode();
    return opcode < 0 // a label, or behind one
        || (opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE)
        || opcode == Opcodes.IINC
        || opcode == Opcodes.JSR;
  }
}
