package dev.rockpool.scan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/**
 * The ways that control may take after an instruction. Instructions are known by their index.
 *
 * <p>ASM's analyzer has each instruction of a block go to each handler. Here only instructions that
 * may throw do so, and no handler comes after one that catches everything.
 */
final class Graph {
  final MethodNode method;
  private final InsnList instructions;
  private final List<TryCatchBlockNode> blocks;

  Graph(MethodNode method) {
    this.method = method;
    this.instructions = method.instructions;
    this.blocks = method.tryCatchBlocks;
  }

  AbstractInsnNode instruction(int index) {
    return instructions.get(index);
  }

  /** The index of the instruction, or -1 if it is in no method. */
  int index(AbstractInsnNode instruction) {
    return instructions.indexOf(instruction);
  }

  int size() {
    return instructions.size();
  }

  /** The line that the instruction was made of, or -1 if the class does not tell. */
  static int line(AbstractInsnNode instruction) {
    for (AbstractInsnNode i = instruction; i != null; i = i.getPrevious()) {
      if (i instanceof LineNumberNode number) {
        return number.line;
      }
    }
    return -1;
  }

  /** The next instructions if no exception is thrown: none after a return or throw. */
  List<Integer> successors(int index) {
    return switch (instructions.get(index)) {
      case JumpInsnNode jump ->
          jump.getOpcode() == Opcodes.GOTO
              ? List.of(index(jump.label))
              : List.of(index + 1, index(jump.label));
      case LookupSwitchInsnNode choice -> targets(choice.labels, choice.dflt);
      case TableSwitchInsnNode choice -> targets(choice.labels, choice.dflt);
      case AbstractInsnNode other -> isEnd(other.getOpcode()) ? List.of() : List.of(index + 1);
    };
  }

  private List<Integer> targets(List<LabelNode> labels, LabelNode otherwise) {
    List<Integer> targets = new ArrayList<>();
    labels.forEach(label -> targets.add(index(label)));
    targets.add(index(otherwise));
    return targets;
  }

  private static boolean isEnd(int opcode) {
    return (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) || opcode == Opcodes.ATHROW;
  }

  /** The handlers that an exception thrown by the instruction may reach, in order. */
  List<TryCatchBlockNode> handlers(int index) {
    List<TryCatchBlockNode> handlers = new ArrayList<>();
    for (TryCatchBlockNode block : blocks) {
      if (index(block.start) <= index && index < index(block.end)) {
        handlers.add(block);
        if (catchesAll(block)) {
          break;
        }
      }
    }
    return handlers;
  }

  static boolean catchesAll(TryCatchBlockNode block) {
    return block.type == null || block.type.equals("java/lang/Throwable");
  }

  /**
   * Whether control may come back to the instruction; not by way of instruction {@code without}.
   */
  boolean isInLoop(int index, int without) {
    BitSet seen = new BitSet();
    Deque<Integer> next = new ArrayDeque<>(followers(index));
    while (!next.isEmpty()) {
      int i = next.pop();
      if (i == index) {
        return true;
      }
      if (i != without && !seen.get(i)) {
        seen.set(i);
        next.addAll(followers(i));
      }
    }
    return false;
  }

  private List<Integer> followers(int index) {
    List<Integer> followers = new ArrayList<>(successors(index));
    if (mayThrow(instructions.get(index))) {
      handlers(index).forEach(block -> followers.add(index(block.handler)));
    }
    return followers;
  }

  /**
   * Whether the instruction itself may throw. Errors that may come anywhere do not count, such as
   * those of linking and of class initialisers; and no compiler leaves a monitor that it did not
   * enter.
   */
  static boolean mayThrow(AbstractInsnNode instruction) {
    int opcode = instruction.getOpcode();
    return switch (opcode) {
      case Opcodes.IDIV, Opcodes.LDIV, Opcodes.IREM, Opcodes.LREM -> true;
      case Opcodes.MONITORENTER, Opcodes.MULTIANEWARRAY -> true;
      case Opcodes.GETSTATIC, Opcodes.PUTSTATIC, Opcodes.NEW -> false;
      case Opcodes.INVOKEDYNAMIC -> !Library.isLambda((InvokeDynamicInsnNode) instruction);
      case Opcodes.LDC -> ((LdcInsnNode) instruction).cst instanceof ConstantDynamic;
      default ->
          (opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD)
              || (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE)
              // Fields, calls, arrays, their length, throw, cast.
              || (opcode >= Opcodes.GETFIELD && opcode <= Opcodes.CHECKCAST);
    };
  }
}
