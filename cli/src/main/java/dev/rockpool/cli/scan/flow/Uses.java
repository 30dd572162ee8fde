package dev.rockpool.cli.scan.flow;

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

/** What a method does with an arena while it is open. */
final class Uses {
  private final Life life;
  private final Graph graph;
  private final int creation;
  private final boolean reliable;
  private final Callees callees;
  private final Set<Escape> escapes = EnumSet.noneOf(Escape.class);
  private final List<Request> requests = new ArrayList<>();
  private final Set<AbstractInsnNode> inside = new HashSet<>();
  private boolean othersMayAsk;

  /**
   * Collects them.
   *
   * @param creation the index of the instruction that makes the arena
   * @param facts of the method
   * @param callees what other methods do with it
   */
  Uses(Life life, Graph graph, int creation, Facts facts, Callees callees) {
    this.life = life;
    this.graph = graph;
    this.creation = creation;
    this.reliable = facts.reliable();
    this.callees = callees;
    for (int i = 0; i < graph.size(); i++) {
      Frame<Fact> before = life.whileOpen(i);
      if (before != null && i != creation) {
        look(i, graph.instruction(i), before);
      }
    }
  }

  private void look(int index, AbstractInsnNode instruction, Frame<Fact> before) {
    switch (instruction) {
      case MethodInsnNode call -> {
        if (Factory.of(call) != null) {
          inside.add(call);
        }
        lookAt(index, call, before);
      }
      case InvokeDynamicInsnNode call -> {
        if (arguments(call.desc, before).stream().anyMatch(life::may)) {
          boolean lambda = call.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory");
          escape(lambda ? Escape.CAPTURED : Escape.PASSED_TO_JDK);
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

  private void lookAt(int index, MethodInsnNode call, Frame<Fact> before) {
    List<Fact> arguments = arguments(call.desc, before);
    if (!isPlumbing(call)) {
      for (int i = 0; i < arguments.size(); i++) {
        if (life.may(arguments.get(i))) {
          pass(index, call, arguments, i);
        }
      }
    }
    if (call.getOpcode() != Opcodes.INVOKESTATIC && Requests.isRequest(call)) {
      Fact receiver = before.getStack(before.getStackSize() - 1 - arguments.size());
      if (life.may(receiver)) {
        OptionalLong bytes = Requests.bytes(call, arguments);
        requests.add(
            new Request(
                reliable ? bytes : OptionalLong.empty(),
                graph.isInLoop(index, creation),
                Lines.of(call)));
      }
    }
  }

  private void pass(int index, MethodInsnNode call, List<Fact> arguments, int position) {
    boolean jdk = call.owner.startsWith("java/") || call.owner.startsWith("javax/");
    escape(jdk ? Escape.PASSED_TO_JDK : Escape.PASSED);
    if (asksForNothing(call)) {
      return;
    }
    Callees.Asked asked = callees.asked(call, arguments, position);
    othersMayAsk |= !asked.all();
    boolean again = graph.isInLoop(index, creation);
    for (Request request : asked.requests()) {
      OptionalLong bytes = reliable ? request.bytes() : OptionalLong.empty();
      requests.add(new Request(bytes, request.repeated() || again, Lines.of(call)));
    }
  }

  /** Calls that compilers add; none of them keeps the arena, or asks it for anything. */
  private static boolean isPlumbing(MethodInsnNode call) {
    return Kotlin.isCloseOfUse(call)
        || Kotlin.isNullCheck(call)
        || (call.owner.equals("java/util/Objects") && call.name.equals("requireNonNull"));
  }

  /** Methods of the JDK that tie something to the arena, but allocate nothing in it. */
  private static boolean asksForNothing(MethodInsnNode call) {
    return call.owner.startsWith("java/lang/foreign/")
        || call.owner.startsWith("java/nio/channels/");
  }

  private void escapeIf(Escape how, Frame<Fact> before) {
    if (life.may(before.getStack(before.getStackSize() - 1))) {
      escape(how);
      othersMayAsk = true;
    }
  }

  private void escape(Escape how) {
    escapes.add(how);
  }

  private static List<Fact> arguments(String descriptor, Frame<Fact> before) {
    int count = Type.getArgumentTypes(descriptor).length;
    List<Fact> arguments = new ArrayList<>();
    for (int i = count; i > 0; i--) {
      arguments.add(before.getStack(before.getStackSize() - i));
    }
    return arguments;
  }

  Set<Escape> escapes() {
    return escapes;
  }

  List<Request> requests() {
    return requests;
  }

  /** The creations of other arenas. */
  Set<AbstractInsnNode> inside() {
    return inside;
  }

  /** Whether code that is not in sight may ask it for more. */
  boolean othersMayAsk() {
    return othersMayAsk;
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
