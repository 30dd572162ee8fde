package dev.rockpool.scan;

import dev.rockpool.scan.Finding.Escape;
import dev.rockpool.scan.Finding.Request;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.analysis.Frame;

/** The use that a method makes of an arena while it is open. */
final class Uses {
  final Set<Escape> escapes = EnumSet.noneOf(Escape.class);
  final List<Request> requests = new ArrayList<>();

  /** The creations of other arenas. */
  final Set<AbstractInsnNode> inside = new HashSet<>();

  /** Whether code that is not in sight may ask it for more. */
  boolean othersMayAsk;

  private final Life life;
  private final Program program;

  /** The index of the creation, or -1 if that is in another method. */
  private final int creation;

  /** Collects them; {@code program} knows what other methods do with the arena. */
  Uses(Life life, Program program) {
    this.life = life;
    this.program = program;
    this.creation = life.graph.index(life.creation);
    for (int i = 0; i < life.graph.size(); i++) {
      Frame<Fact> before = life.whileOpen[i];
      if (before != null && i != creation) {
        look(i, life.graph.instruction(i), before);
      }
    }
  }

  private void look(int index, AbstractInsnNode instruction, Frame<Fact> before) {
    switch (instruction) {
      case MethodInsnNode call -> {
        if (Library.arenaKind(call) != null) {
          inside.add(call);
        }
        lookAt(index, call, before);
      }
      case InvokeDynamicInsnNode call -> {
        if (arguments(call.desc, before).stream().anyMatch(life::may)) {
          boolean lambda = call.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory");
          escapes.add(lambda ? Escape.CAPTURED : Escape.PASSED_TO_JDK);
          othersMayAsk |= lambda;
        }
      }
      default -> {
        switch (instruction.getOpcode()) {
          case Opcodes.ARETURN -> escapeIf(Escape.RETURNED, before);
          case Opcodes.PUTFIELD, Opcodes.PUTSTATIC, Opcodes.AASTORE ->
              escapeIf(Escape.STORED, before);
          default -> {}
        }
      }
    }
  }

  private void escapeIf(Escape how, Frame<Fact> before) {
    if (life.may(before.getStack(before.getStackSize() - 1))) {
      escapes.add(how);
      othersMayAsk = true;
    }
  }

  private void lookAt(int index, MethodInsnNode call, Frame<Fact> before) {
    List<Fact> arguments = arguments(call.desc, before);
    if (!isPlumbing(call)) {
      for (int i = 0; i < arguments.size(); i++) {
        if (life.may(arguments.get(i))) {
          pass(index, call, arguments, i);
        }
      }
    }
    if (Library.isRequest(call)
        && life.may(before.getStack(before.getStackSize() - 1 - arguments.size()))) {
      request(index, call, Library.bytes(call, arguments), false);
    }
  }

  private void pass(int index, MethodInsnNode call, List<Fact> arguments, int position) {
    boolean jdk = call.owner.startsWith("java/") || call.owner.startsWith("javax/");
    escapes.add(jdk ? Escape.PASSED_TO_JDK : Escape.PASSED);
    if (!asksForNothing(call)) {
      Program.Asked asked = program.asked(call, arguments, position);
      othersMayAsk |= !asked.all();
      asked.requests().forEach(r -> request(index, call, r.bytes(), r.repeated()));
    }
  }

  private void request(int index, MethodInsnNode call, OptionalLong bytes, boolean repeated) {
    requests.add(
        new Request(
            life.facts.reliable() ? bytes : OptionalLong.empty(),
            repeated || life.graph.isInLoop(index, creation),
            Graph.line(call)));
  }

  /** Calls that compilers add; none of them keeps the arena, or asks it for anything. */
  private static boolean isPlumbing(MethodInsnNode call) {
    return Library.isCloseOfUse(call)
        || Library.isNullCheck(call)
        || Library.isRequireNonNull(call);
  }

  /** Methods of the JDK that tie something to the arena, but allocate nothing in it. */
  private static boolean asksForNothing(MethodInsnNode call) {
    return call.owner.startsWith(Library.FOREIGN) || call.owner.startsWith("java/nio/channels/");
  }

  private static List<Fact> arguments(String descriptor, Frame<Fact> before) {
    List<Fact> arguments = new ArrayList<>();
    for (int i = Type.getArgumentCount(descriptor); i > 0; i--) {
      arguments.add(before.getStack(before.getStackSize() - i));
    }
    return arguments;
  }

  /** All that it is asked for, if that is in sight. */
  OptionalLong bytes() {
    long sum = 0;
    for (Request request : requests) {
      if (request.bytes().isEmpty() || request.repeated()) {
        return OptionalLong.empty();
      }
      sum += request.bytes().getAsLong();
    }
    return othersMayAsk ? OptionalLong.empty() : OptionalLong.of(sum);
  }
}
