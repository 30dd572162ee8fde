package dev.rockpool.cli.scan.flow;

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
   * Not from labels and lines to what handles their exceptions: an instruction with the same facts
   * follows within the same block.
   */
  @Override
  protected boolean newControlFlowExceptionEdge(int index, TryCatchBlockNode block) {
    return instructions.get(index).getOpcode() >= 0;
  }
}
