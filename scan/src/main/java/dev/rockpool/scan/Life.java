package dev.rockpool.scan;

import dev.rockpool.scan.Finding.Closing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * One arena from its creation on: all paths that control may take, with the arena open or closed.
 *
 * <p>Each instruction is met at most twice: with the arena open, and with it closed. The facts
 * start with those at the creation, where nothing else is the arena; so what is the arena on all
 * paths from there certainly is the arena, whatever the variable held on paths that do not create
 * it.
 */
final class Life {
  final AbstractInsnNode creation;
  final Graph graph;
  final Facts facts;
  private final Program program;

  /** The facts before each instruction; null where the arena does not get to, open or closed. */
  final @Nullable Frame<Fact>[] whileOpen;

  private final @Nullable Frame<Fact>[] onceClosed;

  /** Where control goes from each instruction with the arena open; empty if nowhere. */
  private final Map<Integer, Set<Integer>> followers = new HashMap<>();

  private final Deque<State> next = new ArrayDeque<>();

  /** The calls that close it, for certain or perhaps. */
  private final Set<Integer> closes = new HashSet<>();

  /** Handlers whose exception is added to another one, as a suppressed one. */
  private final Set<LabelNode> suppressed = new HashSet<>();

  /** Whether an exception may come while the arena is there, caught or not. */
  boolean mayThrow;

  private boolean byKotlin;
  private boolean lost;
  private boolean lostByException;

  /** Whether something holds the arena whose code closes it. */
  private boolean held;

  /** Whether code that is not in sight is given the arena. */
  private boolean givenAway;

  /** Whether it is in the field of a variable that the method itself reads again. */
  private boolean inVariable;

  private record State(int index, boolean open, Frame<Fact> before) {}

  /**
   * Follows the arena that an instruction makes.
   *
   * @param creation an instruction of the method; or one that is in no method, and then the arena
   *     is followed from the start of the method
   * @param before what is known there
   * @param program knows methods that close what they are given
   */
  @SuppressWarnings({"unchecked", "rawtypes"})
  Life(AbstractInsnNode creation, Frame<Fact> before, Graph graph, Facts facts, Program program)
      throws AnalyzerException {
    this.creation = creation;
    this.program = program;
    this.graph = graph;
    this.facts = facts;
    this.whileOpen = new Frame[graph.size()];
    this.onceClosed = new Frame[graph.size()];
    Frame<Fact> start = new Frame<>(before);
    int index = graph.index(creation);
    if (index >= 0) {
      forgetEarlierOnes(start);
      start.execute(creation, facts);
    }
    reach(-1, index + 1, true, start);
    while (!next.isEmpty()) {
      step(next.pop());
    }
  }

  /** In a loop variables may hold arenas that were made here before: those are others. */
  private void forgetEarlierOnes(Frame<Fact> frame) {
    for (int i = 0; i < frame.getLocals(); i++) {
      if (may(frame.getLocal(i))) {
        frame.setLocal(i, Fact.Unknown.ONE_SLOT);
      }
    }
    for (int i = 0; i < frame.getStackSize(); i++) {
      if (may(frame.getStack(i))) {
        frame.setStack(i, Fact.Unknown.ONE_SLOT);
      }
    }
  }

  boolean may(@Nullable Fact fact) {
    return fact instanceof Fact.Arena arena && arena.creations().contains(creation);
  }

  private boolean must(@Nullable Fact fact) {
    return fact instanceof Fact.Arena arena && arena.isCertainly(creation);
  }

  /** The instructions that control may get to from another one with the arena open. */
  Set<Integer> followers(int index) {
    return followers.getOrDefault(index, Set.of());
  }

  /** Takes over the frame. */
  private void reach(int from, int index, boolean open, Frame<Fact> frame)
      throws AnalyzerException {
    if (open) {
      followers.computeIfAbsent(from, i -> new HashSet<>()).add(index);
    }
    @Nullable Frame<Fact>[] frames = open ? whileOpen : onceClosed;
    Frame<Fact> known = frames[index];
    if (known == null) {
      frames[index] = frame;
      next.add(new State(index, open, frame));
    } else if (known.merge(frame, facts)) {
      next.add(new State(index, open, known));
    }
  }

  private void step(State state) throws AnalyzerException {
    AbstractInsnNode instruction = graph.instruction(state.index);
    if (instruction.equals(creation)) {
      lost |= state.open; // the variable gets the next one
      return;
    }
    Fact closed = closed(instruction, state.before);
    Closing byHelper =
        closed == null && state.open ? byHelper(instruction, state.before) : Closing.NEVER;
    held |= byHelper == Closing.BY_HOLDER;
    givenAway |= byHelper == Closing.UNKNOWN;
    if (may(closed) || byHelper.isInMethod()) {
      closes.add(state.index);
      leave(state.index, false, state.before);
    }
    if (!must(closed) && (!byHelper.isInMethod() || byHelper == Closing.SOME_PATHS)) {
      leave(state.index, state.open, state.before);
    }
  }

  /** The closing of the arena by code or by an object that the instruction gives the arena to. */
  private Closing byHelper(AbstractInsnNode instruction, Frame<Fact> before) {
    return switch (instruction) {
      case MethodInsnNode call when !Library.isOfTheJdk(call) && !Library.isPlumbing(call) ->
          byMethod(call, arguments(call.desc, before));
      case InvokeDynamicInsnNode call -> byClosure(call, arguments(call.desc, before));
      case FieldInsnNode field when isPut(field) && may(top(before, 0)) -> {
        inVariable |= Library.isVariable(field);
        yield Library.isVariable(field)
            ? Closing.UNKNOWN
            : program.closesField(field, graph.method) ? Closing.BY_HOLDER : Closing.NEVER;
      }
      default -> Closing.NEVER;
    };
  }

  /** The closing by the method that is called with it; the best one if it is given it twice. */
  private Closing byMethod(MethodInsnNode call, List<Fact> arguments) {
    Closing closing = Closing.NEVER;
    for (int i = 0; i < arguments.size(); i++) {
      if (may(arguments.get(i))) {
        Closing one = program.effect(call, arguments, i).closing();
        if (one.isInMethod() && !must(arguments.get(i))) {
          one = Closing.SOME_PATHS;
        }
        closing = one.compareTo(closing) < 0 ? one : closing;
      }
    }
    return closing;
  }

  /** The closing by a lambda, or by the method that a method reference means. */
  private Closing byClosure(InvokeDynamicInsnNode closure, List<Fact> captured) {
    if (captured.stream().noneMatch(this::may)
        || closure.bsm.getOwner().startsWith("java/lang/runtime/")
        || closure.bsm.getOwner().endsWith("StringConcatFactory")) {
      return Closing.NEVER;
    }
    if (!Library.isLambda(closure) || !(closure.bsmArgs[1] instanceof Handle handle)) {
      return Closing.UNKNOWN;
    }
    List<Fact> arguments = new ArrayList<>(captured);
    int opcode =
        switch (handle.getTag()) {
          case Opcodes.H_INVOKESTATIC -> Opcodes.INVOKESTATIC;
          case Opcodes.H_INVOKESPECIAL, Opcodes.H_NEWINVOKESPECIAL -> Opcodes.INVOKESPECIAL;
          default -> Opcodes.INVOKEVIRTUAL;
        };
    boolean onArena = false;
    if (opcode != Opcodes.INVOKESTATIC && handle.getTag() != Opcodes.H_NEWINVOKESPECIAL) {
      onArena = may(arguments.removeFirst());
    }
    if (onArena) {
      return handle.getName().equals("close") ? Closing.BY_HOLDER : Closing.NEVER;
    }
    Type[] types = Type.getArgumentTypes(handle.getDesc());
    for (int i = arguments.size(); i < types.length; i++) {
      arguments.add(Fact.Unknown.ofSize(types[i].getSize()));
    }
    MethodInsnNode call =
        new MethodInsnNode(
            opcode, handle.getOwner(), handle.getName(), handle.getDesc(), handle.isInterface());
    Closing closing = Library.isOfTheJdk(call) ? Closing.NEVER : byMethod(call, arguments);
    return closing.isInMethod() ? Closing.BY_HOLDER : closing;
  }

  static List<Fact> arguments(String descriptor, Frame<Fact> before) {
    List<Fact> arguments = new ArrayList<>();
    for (int i = Type.getArgumentCount(descriptor); i > 0; i--) {
      arguments.add(before.getStack(before.getStackSize() - i));
    }
    return arguments;
  }

  /** The value that the instruction closes, be it this arena or something else; or null. */
  private @Nullable Fact closed(AbstractInsnNode instruction, Frame<Fact> before) {
    if (!(instruction instanceof MethodInsnNode call)) {
      return null;
    }
    if (call.name.equals("close") && call.desc.equals("()V")) {
      return call.getOpcode() == Opcodes.INVOKESTATIC ? null : top(before, 0);
    }
    if (Library.isCloseOfUse(call)) {
      byKotlin |= may(top(before, 1));
      return top(before, 1);
    }
    return null;
  }

  static boolean isPut(FieldInsnNode field) {
    return field.getOpcode() == Opcodes.PUTFIELD || field.getOpcode() == Opcodes.PUTSTATIC;
  }

  static Fact top(Frame<Fact> frame, int below) {
    return frame.getStack(frame.getStackSize() - 1 - below);
  }

  private void leave(int index, boolean open, Frame<Fact> before) throws AnalyzerException {
    AbstractInsnNode instruction = graph.instruction(index);
    Fact.Caught added = suppressed(instruction, before);
    if (added != null) {
      suppressed.addAll(added.handlers());
    }
    if (Graph.mayThrow(instruction) && !isHarmless(instruction, before)) {
      mayThrow = true;
      leaveByException(index, open, before);
    }
    List<Integer> successors = successors(index, before);
    if (successors.isEmpty()) {
      lost |= open && instruction.getOpcode() != Opcodes.ATHROW;
      return;
    }
    for (int successor : successors) {
      Frame<Fact> after = new Frame<>(before);
      if (instruction.getOpcode() >= 0) { // else a label or a line
        after.execute(instruction, facts);
      }
      reach(index, successor, open, after);
    }
  }

  private void leaveByException(int index, boolean open, Frame<Fact> before)
      throws AnalyzerException {
    boolean caught = false;
    for (TryCatchBlockNode block : graph.handlers(index)) {
      Frame<Fact> atHandler = new Frame<>(before);
      atHandler.clearStack();
      atHandler.push(new Fact.Caught(Set.of(block.handler)));
      reach(index, graph.index(block.handler), open, atHandler);
      caught |= Graph.catchesAll(block);
    }
    lostByException |= open && !caught;
  }

  /**
   * Whether it can't throw here: the arena is not null, and is what it is cast to; and {@code
   * addSuppressed} takes what was caught.
   */
  private boolean isHarmless(AbstractInsnNode instruction, Frame<Fact> before) {
    if (!(instruction instanceof MethodInsnNode call)) {
      return instruction.getOpcode() == Opcodes.CHECKCAST && must(top(before, 0));
    }
    if (Library.isMark(call) || suppressed(call, before) != null) {
      return true;
    }
    List<Fact> arguments = arguments(call.desc, before);
    return IntStream.range(0, arguments.size())
        .filter(i -> must(arguments.get(i)))
        .anyMatch(i -> Library.isNullCheck(call) || program.effect(call, arguments, i).harmless());
  }

  private List<Integer> successors(int index, Frame<Fact> before) {
    List<Integer> successors = graph.successors(index);
    return switch (graph.instruction(index).getOpcode()) {
      case Opcodes.IFNULL -> must(top(before, 0)) ? successors.subList(0, 1) : successors;
      case Opcodes.IFNONNULL -> must(top(before, 0)) ? successors.subList(1, 2) : successors;
      default -> successors;
    };
  }

  /** The caught exception that the instruction adds to another one, or null if it does not. */
  private static Fact.@Nullable Caught suppressed(
      AbstractInsnNode instruction, Frame<Fact> before) {
    return instruction instanceof MethodInsnNode call
            && call.name.equals("addSuppressed")
            && call.desc.equals("(Ljava/lang/Throwable;)V")
            && top(before, 0) instanceof Fact.Caught caught
        ? caught
        : null;
  }

  Closing closing() {
    if (closes.isEmpty() || lost || lostByException) {
      if (held) {
        return Closing.BY_HOLDER;
      }
      // Code that closes the arena only on failure has given it away on success.
      if (givenAway && (closes.isEmpty() || inVariable || !lostByException)) {
        return Closing.UNKNOWN;
      }
      return closes.isEmpty() ? Closing.NEVER : Closing.SOME_PATHS;
    }
    if (byKotlin) {
      return Closing.KOTLIN_USE;
    }
    // An exception of close is added to that of the body: only for this statement do compilers
    // (or people who write what they would) do so.
    boolean suppresses = closes.stream().anyMatch(this::isSuppressed);
    return suppresses ? Closing.TRY_WITH_RESOURCES : Closing.ALL_PATHS;
  }

  /** Whether what the instruction throws is, where it is caught first, added to something else. */
  private boolean isSuppressed(int index) {
    List<TryCatchBlockNode> handlers = graph.handlers(index);
    return !handlers.isEmpty() && suppressed.contains(handlers.getFirst().handler);
  }

  /** Whether all that the method returns, if it returns, is the arena. */
  boolean isAlwaysReturned() {
    boolean returned = false;
    for (int i = 0; i < graph.size(); i++) {
      for (Frame<Fact> before : Arrays.asList(whileOpen[i], onceClosed[i])) {
        if (before != null && graph.instruction(i).getOpcode() == Opcodes.ARETURN) {
          returned = true;
          if (!must(top(before, 0))) {
            return false;
          }
        }
      }
    }
    return returned;
  }
}
