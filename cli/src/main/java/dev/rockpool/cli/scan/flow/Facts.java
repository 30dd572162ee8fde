package dev.rockpool.cli.scan.flow;

import dev.rockpool.cli.scan.flow.Fact.Unknown;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

/**
 * What one method's instructions make of facts. For one thread, and one method.
 *
 * <p>Elements of arrays, and static fields that the method sets, are kept beside the frames. That
 * is right as long as they are set before they are read, as in the arrays of variable arguments and
 * in class initialisers; {@link #reliable} says whether it was so.
 */
final class Facts extends Interpreter<Fact> {
  /** Longer arrays are not worth the memory: no layout has that many members. */
  private static final int LONGEST = 4096;

  private final BasicInterpreter basic = new BasicInterpreter();
  private final String owner;
  private final Constants constants;
  private final Map<AbstractInsnNode, @Nullable Fact[]> elements = new HashMap<>();
  private final Set<AbstractInsnNode> arraysRead = new HashSet<>();
  private final Map<String, Fact> statics = new HashMap<>();
  private final Set<String> staticsRead = new HashSet<>();
  private boolean reliable = true;

  /** For a method of class {@code owner}, an internal name. */
  Facts(String owner, Constants constants) {
    super(Opcodes.ASM9);
    this.owner = owner;
    this.constants = constants;
  }

  /** Whether nothing changed after it had been read. */
  boolean reliable() {
    return reliable;
  }

  /** What the static field of the owner was set to, or null if it was not. */
  @Nullable Fact staticField(String name) {
    return statics.get(name);
  }

  /** The elements of an array; null for those never set. */
  @Nullable Fact[] elements(Fact.Array array) {
    arraysRead.add(array.creation());
    return elements.computeIfAbsent(array.creation(), a -> new Fact[array.length()]);
  }

  private static @Nullable Fact unknown(@Nullable BasicValue value) {
    return value == null ? null : Unknown.ofSize(value.getSize());
  }

  @Override
  public @Nullable Fact newValue(@Nullable Type type) {
    return unknown(basic.newValue(type));
  }

  @Override
  public Fact newExceptionValue(TryCatchBlockNode block, Frame<Fact> frame, Type type) {
    return new Fact.Caught(Set.of(block.handler));
  }

  @Override
  public @Nullable Fact newOperation(AbstractInsnNode instruction) throws AnalyzerException {
    int opcode = instruction.getOpcode();
    return switch (opcode) {
      case Opcodes.GETSTATIC -> staticField((FieldInsnNode) instruction);
      case Opcodes.BIPUSH, Opcodes.SIPUSH ->
          new Fact.Numeric(((IntInsnNode) instruction).operand, 1);
      case Opcodes.LCONST_0, Opcodes.LCONST_1 -> new Fact.Numeric(opcode - Opcodes.LCONST_0, 2);
      case Opcodes.LDC -> loaded((LdcInsnNode) instruction);
      default ->
          opcode >= Opcodes.ICONST_M1 && opcode <= Opcodes.ICONST_5
              ? new Fact.Numeric(opcode - Opcodes.ICONST_0, 1)
              : unknown(basic.newOperation(instruction));
    };
  }

  private @Nullable Fact loaded(LdcInsnNode load) throws AnalyzerException {
    return switch (load.cst) {
      case Integer value -> new Fact.Numeric(value, 1);
      case Long value -> new Fact.Numeric(value, 2);
      case String value -> new Fact.Text(value);
      default -> unknown(basic.newOperation(load));
    };
  }

  private Fact staticField(FieldInsnNode field) {
    Fact own = field.owner.equals(owner) ? statics.get(field.name) : null;
    if (own != null) {
      staticsRead.add(field.name);
      return own;
    }
    return constants.field(field.owner, field.name, Type.getType(field.desc).getSize());
  }

  @Override
  public Fact copyOperation(AbstractInsnNode instruction, Fact value) {
    return value;
  }

  @Override
  public @Nullable Fact unaryOperation(AbstractInsnNode instruction, Fact value)
      throws AnalyzerException {
    switch (instruction.getOpcode()) {
      case Opcodes.CHECKCAST -> {
        return value;
      }
      case Opcodes.NEWARRAY, Opcodes.ANEWARRAY -> {
        if (value instanceof Fact.Numeric length
            && length.value() >= 0
            && length.value() <= LONGEST) {
          return new Fact.Array(instruction, (int) length.value());
        }
      }
      case Opcodes.ARRAYLENGTH -> {
        if (value instanceof Fact.Array array) {
          return new Fact.Numeric(array.length(), 1);
        }
      }
      case Opcodes.PUTSTATIC -> put((FieldInsnNode) instruction, value);
      case Opcodes.IINC -> {
        return Arithmetic.increment(value, ((IincInsnNode) instruction).incr);
      }
      default -> {
        Fact result = Arithmetic.unary(instruction.getOpcode(), value);
        if (result != null) {
          return result;
        }
      }
    }
    return unknown(basic.unaryOperation(instruction, BasicValue.UNINITIALIZED_VALUE));
  }

  private void put(FieldInsnNode field, Fact value) {
    if (field.owner.equals(owner)) {
      Fact before = statics.get(field.name);
      Fact after = before == null ? value : Fact.either(before, value);
      if (!after.equals(before) && staticsRead.contains(field.name)) {
        reliable = false;
      }
      statics.put(field.name, after);
    }
  }

  @Override
  public @Nullable Fact binaryOperation(AbstractInsnNode instruction, Fact left, Fact right)
      throws AnalyzerException {
    Fact result = Arithmetic.binary(instruction.getOpcode(), left, right);
    BasicValue any = BasicValue.UNINITIALIZED_VALUE;
    return result != null ? result : unknown(basic.binaryOperation(instruction, any, any));
  }

  @Override
  public @Nullable Fact ternaryOperation(
      AbstractInsnNode instruction, Fact array, Fact index, Fact value) {
    if (array instanceof Fact.Array known) {
      store(known, index, value);
    }
    return null;
  }

  private void store(Fact.Array array, Fact index, Fact value) {
    @Nullable Fact[] slots =
        elements.computeIfAbsent(array.creation(), a -> new Fact[array.length()]);
    boolean changed = false;
    for (int i = 0; i < slots.length; i++) {
      if (!(index instanceof Fact.Numeric number) || number.value() == i) {
        Fact before = slots[i];
        Fact after = before == null ? value : Fact.either(before, value);
        changed |= !after.equals(before);
        slots[i] = after;
      }
    }
    if (changed && arraysRead.contains(array.creation())) {
      reliable = false;
    }
  }

  @Override
  public @Nullable Fact naryOperation(AbstractInsnNode instruction, List<? extends Fact> values)
      throws AnalyzerException {
    if (instruction instanceof MethodInsnNode call) {
      if (Factory.of(call) != null) {
        return new Fact.Arena(Set.of(instruction), true);
      }
      Fact result = Calls.result(call, values, this);
      if (result == null && call.getOpcode() == Opcodes.INVOKESTATIC && values.isEmpty()) {
        result = constants.call(call.owner, call.name, call.desc);
      }
      if (result != null) {
        return result;
      }
    }
    return unknown(basic.naryOperation(instruction, List.of()));
  }

  @Override
  public void returnOperation(AbstractInsnNode instruction, Fact value, Fact expected) {}

  @Override
  public Fact merge(Fact a, Fact b) {
    return Fact.either(a, b);
  }
}
