package dev.rockpool.cli.scan.flow;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * What methods of the artifact ask an arena for that they are given: those that a call certainly
 * leads to, because nothing can override them. For one thread.
 */
final class Callees {
  /** A call in a call in a call, and so on: what helpers of helpers come to. */
  private static final int DEEPEST = 8;

  /**
   * What a method asks for.
   *
   * @param requests with the lines of the method
   * @param all whether there is nothing else
   */
  record Asked(List<Request> requests, boolean all) {
    static final Asked UNKNOWN = new Asked(List.of(), false);
  }

  /**
   * What matters of a call.
   *
   * @param opcode a call of {@code super} certainly leads to the method, another one may not
   * @param arguments numbers and layouts among them, else unknown
   * @param position which of them is the arena
   */
  private record Question(
      int opcode,
      String owner,
      String method,
      String descriptor,
      List<Fact> arguments,
      int position) {}

  private final Classes classes;
  private final Constants constants;
  private final Map<Question, Asked> known = new HashMap<>();
  private int depth;

  Callees(Classes classes, Constants constants) {
    this.classes = classes;
    this.constants = constants;
  }

  /**
   * What {@code call} asks the arena for.
   *
   * @param arguments what is known of them; numbers and layouts help
   * @param position which of them is the arena
   */
  Asked asked(MethodInsnNode call, List<Fact> arguments, int position) {
    if (depth == DEEPEST) {
      return Asked.UNKNOWN;
    }
    Question question =
        new Question(
            call.getOpcode(), call.owner, call.name, call.desc, constantsIn(arguments), position);
    Asked asked = known.get(question);
    if (asked == null) {
      known.put(question, Asked.UNKNOWN); // for a method that calls itself
      MethodNode method = target(call);
      if (method == null) {
        return Asked.UNKNOWN;
      }
      depth++;
      asked = asked(question, method);
      depth--;
      known.put(question, asked);
    }
    return asked;
  }

  private static List<Fact> constantsIn(List<Fact> arguments) {
    return arguments.stream()
        .map(fact -> Constants.isConstant(fact) ? fact : Fact.Unknown.ofSize(fact.getSize()))
        .toList();
  }

  /** The method that runs, if that is certain. */
  private @Nullable MethodNode target(MethodInsnNode call) {
    ClassNode owner =
        call.owner.startsWith("java/") ? null : classes.find(call.owner, call.name, call.desc);
    if (owner == null || owner.methods.isEmpty()) {
      return null;
    }
    MethodNode method = owner.methods.getFirst();
    int fixed = Opcodes.ACC_FINAL | Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC;
    boolean certain =
        call.getOpcode() == Opcodes.INVOKESPECIAL
            || (method.access & fixed) != 0
            || (owner.access & Opcodes.ACC_FINAL) != 0;
    return certain && method.instructions.size() > 0 ? method : null;
  }

  private Asked asked(Question question, MethodNode method) {
    AbstractInsnNode creation = new InsnNode(Opcodes.NOP); // somewhere else
    Graph graph = new Graph(method);
    Facts facts = new Facts(question.owner(), constants);
    try {
      Frame<Fact> start = start(method, question, creation);
      Life life = Life.from(creation, start, graph, facts);
      Uses uses = new Uses(life, graph, -1, facts, this);
      return new Asked(List.copyOf(uses.requests()), !uses.othersMayAsk());
    } catch (AnalyzerException e) {
      return Asked.UNKNOWN; // where the class is scanned itself it is named
    }
  }

  private static Frame<Fact> start(
      MethodNode method, Question question, AbstractInsnNode creation) {
    Frame<Fact> frame = new Frame<>(method.maxLocals, method.maxStack);
    for (int i = 0; i < method.maxLocals; i++) {
      frame.setLocal(i, Fact.Unknown.ONE_SLOT);
    }
    int local = (method.access & Opcodes.ACC_STATIC) == 0 ? 1 : 0;
    List<Fact> arguments = question.arguments();
    for (int i = 0; i < arguments.size(); i++) {
      Fact argument =
          i == question.position() ? new Fact.Arena(Set.of(creation), true) : arguments.get(i);
      frame.setLocal(local, argument);
      local += argument.getSize();
    }
    return frame;
  }
}
