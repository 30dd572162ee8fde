package dev.rockpool.cli.scan.flow;

import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.LineNumberNode;

/** Lines of the source. */
final class Lines {
  private Lines() {}

  /** The line that the instruction was made of, or -1 if the class does not tell. */
  static int of(AbstractInsnNode instruction) {
    for (AbstractInsnNode i = instruction; i != null; i = i.getPrevious()) {
      if (i instanceof LineNumberNode number) {
        return number.line;
      }
    }
    return -1;
  }
}
