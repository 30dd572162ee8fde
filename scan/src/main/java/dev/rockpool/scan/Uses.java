package dev.rockpool.scan;

import dev.rockpool.scan.Finding.Escape;
import dev.rockpool.scan.Finding.Request;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.analysis.Frame;

/** The use that a method makes of an arena while it is open. */
final class Uses {
  final Set<Escape> escapes = EnumSet.noneOf(Escape.class);
  final List<Request> requests = new ArrayList<>();

  final Set<AbstractInsnNode> inside = new HashSet<>();

  /** Whether code that is not in sight may ask it for more. */
  private boolean othersMayAsk;

  /** The bytes that calls ask for, by index; only for calls whose requests are all known. */
  private final Map<Integer, Long> known = new HashMap<>();

  private final Life life;
  private final Program program;

  /** The index of the creation, or -1 if that is in another method. */
  private final int creation;

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
        if (Life.arguments(call.desc, before).stream().anyMatch(life::may)) {
          boolean lambda = Library.isLambda(call);
          escapes.add(lambda ? Escape.CAPTURED : Escape.PASSED_TO_JDK);
          othersMayAsk |= lambda;
        }
      }
      case FieldInsnNode field when Life.isPut(field) -> {
        if (life.may(Life.top(before, 0))) {
          othersMayAsk = true;
          if (!Library.isVariable(field)) {
            escapes.add(Escape.STORED);
          }
        }
      }
      default -> {
        int opcode = instruction.getOpcode();
        if ((opcode == Opcodes.ARETURN || opcode == Opcodes.AASTORE)
            && life.may(Life.top(before, 0))) {
          othersMayAsk = true;
          escapes.add(opcode == Opcodes.ARETURN ? Escape.RETURNED : Escape.STORED);
        }
      }
    }
  }

  private void lookAt(int index, MethodInsnNode call, Frame<Fact> before) {
    List<Fact> arguments = Life.arguments(call.desc, before);
    if (!Library.isPlumbing(call)) {
      for (int i = 0; i < arguments.size(); i++) {
        if (life.may(arguments.get(i))) {
          pass(index, call, arguments, i);
        }
      }
    }
    if (Library.isRequest(call) && life.may(Life.top(before, arguments.size()))) {
      OptionalLong bytes = Library.bytes(call, arguments);
      request(index, call, bytes, false);
      add(index, bytes);
    }
  }

  private void pass(int index, MethodInsnNode call, List<Fact> arguments, int position) {
    escapes.add(
        Library.keepsArguments(call)
            ? Escape.STORED
            : Library.isOfTheJdk(call) ? Escape.PASSED_TO_JDK : Escape.PASSED);
    if (!asksForNothing(call)) {
      Program.Effect effect = program.effect(call, arguments, position);
      effect.requests().forEach(r -> request(index, call, r.bytes(), r.repeated()));
      add(index, effect.bytes());
    }
  }

  private void add(int index, OptionalLong bytes) {
    if (bytes.isPresent()) {
      known.merge(index, bytes.getAsLong(), Uses::sum);
    } else {
      othersMayAsk = true;
    }
  }

  /** The sum of what is not negative, or as much as a long can tell. */
  private static long sum(long a, long b) {
    return a + b < 0 ? Long.MAX_VALUE : a + b;
  }

  private void request(int index, MethodInsnNode call, OptionalLong bytes, boolean repeated) {
    requests.add(
        new Request(
            life.facts.reliable ? bytes : OptionalLong.empty(),
            repeated || life.graph.isInLoop(index, creation),
            Graph.line(call)));
  }

  /** Methods of the JDK that tie something to the arena, but allocate nothing in it. */
  private static boolean asksForNothing(MethodInsnNode call) {
    return call.owner.startsWith(Library.FOREIGN) || call.owner.startsWith("java/nio/channels/");
  }

  /** The most that it is asked for on any path, if all is in sight. */
  OptionalLong bytes() {
    if (othersMayAsk || requests.stream().anyMatch(r -> r.repeated() || r.bytes().isEmpty())) {
      return OptionalLong.empty();
    }
    long most = known.isEmpty() ? 0 : mostOnAPath();
    return most == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(most);
  }

  /** Comes to an end, because no call that asks for memory is in a loop. */
  private long mostOnAPath() {
    long[] most = new long[life.graph.size()]; // up to and with each instruction
    Deque<Integer> next = new ArrayDeque<>();
    for (int index : known.keySet()) {
      most[index] = known.getOrDefault(index, 0L);
      next.add(index);
    }
    long highest = 0;
    while (!next.isEmpty()) {
      int index = next.remove();
      highest = Math.max(highest, most[index]);
      for (int successor : life.followers(index)) {
        long sum = sum(most[index], known.getOrDefault(successor, 0L));
        if (sum > most[successor]) {
          most[successor] = sum;
          next.add(successor);
        }
      }
    }
    return highest;
  }
}
