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

  private final Constants constants;
  private final Map<String, Asked> known = new HashMap<>();
  private int depth;

  Callees(Constants constants) {
    this.constants = constants;
  }

  /**
   * What {@code call} asks the arena for.
   *
   * @param arguments what is known of them; numbers and layouts help
   * @param position which of them is the arena
   */
  Asked asked(MethodInsnNode call, List<Fact> arguments, int position) {
    MethodNode method = target(call);
    if (method == null || depth == DEEPEST) {
      return Asked.UNKNOWN;
    }
    String key = call.owner + "." + call.name + call.desc + position + constantsIn(arguments);
    Asked asked = known.get(key);
    if (asked == null) {
      known.put(key, Asked.UNKNOWN); // for a method that calls itself
      depth++;
      asked = asked(call, method, arguments, position);
      depth--;
      known.put(key, asked);
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
    ClassNode owner = call.owner.startsWith("java/") ? null : constants.find(call.owner);
    if (owner == null) {
      return null;
    }
    for (MethodNode method : owner.methods) {
      if (method.name.equals(call.name) && method.desc.equals(call.desc)) {
        int fixed = Opcodes.ACC_FINAL | Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC;
        boolean certain =
            call.getOpcode() == Opcodes.INVOKESPECIAL
                || (method.access & fixed) != 0
                || (owner.access & Opcodes.ACC_FINAL) != 0;
        return certain && method.instructions.size() > 0 ? method : null;
      }
    }
    return null;
  }

  private Asked asked(MethodInsnNode call, MethodNode method, List<Fact> arguments, int position) {
    AbstractInsnNode creation = new InsnNode(Opcodes.NOP); // somewhere else
    Graph graph = new Graph(method);
    Facts facts = new Facts(call.owner, constants);
    try {
      Frame<Fact> start = start(method, arguments, position, creation);
      Life life = Life.from(creation, start, graph, facts);
      Uses uses = new Uses(life, graph, -1, facts, this);
      return new Asked(List.copyOf(uses.requests()), !uses.othersMayAsk());
    } catch (AnalyzerException e) {
      return Asked.UNKNOWN; // where the class is scanned itself it is named
    }
  }

  private static Frame<Fact> start(
      MethodNode method, List<Fact> arguments, int position, AbstractInsnNode creation) {
    Frame<Fact> frame = new Frame<>(method.maxLocals, method.maxStack);
    for (int i = 0; i < method.maxLocals; i++) {
      frame.setLocal(i, Fact.Unknown.ONE_SLOT);
    }
    int local = (method.access & Opcodes.ACC_STATIC) == 0 ? 1 : 0;
    List<Fact> constants = constantsIn(arguments);
    for (int i = 0; i < constants.size(); i++) {
      Fact argument = i == position ? new Fact.Arena(Set.of(creation), true) : constants.get(i);
      frame.setLocal(local, argument);
      local += argument.getSize();
    }
    return frame;
  }
}
