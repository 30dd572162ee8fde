package dev.rockpool.scan;

import dev.rockpool.scan.Fact.Numeric;
import dev.rockpool.scan.Fact.Unknown;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
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
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

/**
 * Interpreter that works out facts from the instructions of one method. One thread may use it.
 *
 * <p>Elements of arrays, and static fields that the method sets, are kept beside the frames. That
 * is right as long as they are set before they are read, as in the arrays of variable arguments and
 * in class initialisers; {@link #reliable} says whether it was so.
 */
final class Facts extends Interpreter<Fact> {
  /** Longer arrays are not worth the memory: no layout has that many members. */
  private static final int LONGEST = 4096;

  /** Facts that the analysis of a method may keep: some 100 MB. */
  private static final long MOST_FACTS = 1 << 24;

  private static final BasicValue ANY = BasicValue.UNINITIALIZED_VALUE;

  /** Knows how many slots the result of an instruction takes. */
  private final BasicInterpreter basic = new BasicInterpreter();

  private final String owner; // an internal name
  private final Program program;
  private final @Nullable Kept kept;

  /**
   * Elements of an array by the instruction that makes it, values of a static field by its name.
   */
  private final Map<Object, @Nullable Fact[]> cells = new HashMap<>();

  private final Set<Object> cellsRead = new HashSet<>();

  /** Whether nothing changed after it had been read. */
  boolean reliable = true;

  /** A field whose value is the arena that is followed, though it was made somewhere else. */
  record Kept(String owner, String field, AbstractInsnNode creation) {
    /** Whether it reads the field, itself or by a method that a compiler added for that. */
    boolean isReadBy(AbstractInsnNode instruction) {
      return switch (instruction) {
        case FieldInsnNode access -> access.owner.equals(owner) && access.name.equals(field);
        case MethodInsnNode call -> call.owner.equals(owner) && isGetter(call);
        default -> false;
      };
    }

    /** Scala calls it like the field, Groovy and Kotlin {@code getField}. */
    private boolean isGetter(MethodInsnNode call) {
      String name = field.replaceFirst("^\\$(?=.)", ""); // of a lazy property of Groovy
      String getter = "get" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
      return call.desc.contains(")L")
          && (call.name.equals(name)
              || call.name.equals(getter)
              || call.name.startsWith("access$" + getter));
    }
  }

  Facts(String owner, Program program) {
    this(owner, program, null);
  }

  Facts(String owner, Program program, @Nullable Kept kept) {
    super(Opcodes.ASM9);
    this.owner = owner;
    this.program = program;
    this.kept = kept;
  }

  private @Nullable Fact kept(AbstractInsnNode instruction) {
    return kept != null && kept.isReadBy(instruction)
        ? new Fact.Arena(Set.of(kept.creation), true)
        : null;
  }

  /** The facts before each instruction, whatever the path to it; null where nothing leads to. */
  Frame<Fact>[] framesOf(MethodNode method) throws AnalyzerException {
    checkSize(method);
    return new Analyzer<>(this).analyze(owner, method);
  }

  /** Fails for methods that no compiler makes: they would take all memory. */
  static void checkSize(MethodNode method) throws AnalyzerException {
    long facts = (long) method.instructions.size() * (method.maxLocals + method.maxStack);
    if (facts > MOST_FACTS) {
      throw new AnalyzerException(
          null,
          "instructions times variables of a method must be at most %d: for %s they are %d"
              .formatted(MOST_FACTS, method.name, facts));
    }
  }

  /** The value that the static field of the owner was set to, or null if it was not. */
  @Nullable Fact staticField(String name) {
    @Nullable Fact[] cell = cells.get(name);
    return cell == null ? null : cell[0];
  }

  /** The elements of an array; null for those never set. */
  @Nullable Fact[] elements(Fact.Array array) {
    cellsRead.add(array.creation());
    return cells.computeIfAbsent(array.creation(), a -> new Fact[array.length()]);
  }

  /** Sets one of {@code length} cells, or each of them if it is not known which one. */
  private void set(Object key, int length, Fact index, Fact value) {
    @Nullable Fact[] all = cells.computeIfAbsent(key, k -> new Fact[length]);
    for (int i = 0; i < all.length; i++) {
      if (!(index instanceof Numeric number) || number.value() == i) {
        Fact before = all[i];
        Fact after = before == null ? value : Fact.either(before, value);
        reliable &= after.equals(before) || !cellsRead.contains(key);
        all[i] = after;
      }
    }
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
    if (opcode >= Opcodes.ICONST_M1 && opcode <= Opcodes.ICONST_5) {
      return ofInt(opcode - Opcodes.ICONST_0);
    }
    Fact known =
        switch (opcode) {
          case Opcodes.GETSTATIC -> get((FieldInsnNode) instruction);
          case Opcodes.BIPUSH, Opcodes.SIPUSH -> ofInt(((IntInsnNode) instruction).operand);
          case Opcodes.LCONST_0, Opcodes.LCONST_1 -> new Numeric(opcode - Opcodes.LCONST_0, 2);
          case Opcodes.LDC -> Fact.Constant.of(((LdcInsnNode) instruction).cst);
          default -> null;
        };
    return known == null ? unknown(basic.newOperation(instruction)) : known;
  }

  private Fact get(FieldInsnNode field) {
    Fact arena = kept(field);
    if (arena != null) {
      return arena;
    }
    Fact own = field.owner.equals(owner) ? staticField(field.name) : null;
    if (own != null) {
      cellsRead.add(field.name);
      return own;
    }
    return program.constants.field(field.owner, field.name, Type.getType(field.desc).getSize());
  }

  @Override
  public Fact copyOperation(AbstractInsnNode instruction, Fact value) {
    return value;
  }

  @Override
  public @Nullable Fact unaryOperation(AbstractInsnNode instruction, Fact value)
      throws AnalyzerException {
    int opcode = instruction.getOpcode();
    if (opcode == Opcodes.CHECKCAST) {
      return value;
    }
    if (opcode == Opcodes.PUTSTATIC && ((FieldInsnNode) instruction).owner.equals(owner)) {
      set(((FieldInsnNode) instruction).name, 1, ofInt(0), value);
    }
    if (opcode == Opcodes.ARRAYLENGTH && value instanceof Fact.Array array) {
      return ofInt(array.length());
    }
    Fact result =
        opcode == Opcodes.GETFIELD
            ? kept(instruction)
            : value instanceof Numeric number ? unary(instruction, number.value()) : null;
    return result == null ? unknown(basic.unaryOperation(instruction, ANY)) : result;
  }

  /** The arithmetic of the JVM on a known number; null if the result is not known. */
  private static @Nullable Fact unary(AbstractInsnNode instruction, long value) {
    return switch (instruction.getOpcode()) {
      case Opcodes.INEG -> ofInt(-value);
      case Opcodes.LNEG -> new Numeric(-value, 2);
      case Opcodes.I2L -> new Numeric(value, 2);
      case Opcodes.L2I -> ofInt(value);
      case Opcodes.I2B -> ofInt((byte) value);
      case Opcodes.I2S -> ofInt((short) value);
      case Opcodes.I2C -> ofInt((char) value);
      case Opcodes.IINC -> ofInt(value + ((IincInsnNode) instruction).incr);
      case Opcodes.NEWARRAY, Opcodes.ANEWARRAY ->
          value >= 0 && value <= LONGEST ? new Fact.Array(instruction, (int) value) : null;
      default -> null;
    };
  }

  private static Numeric ofInt(long value) {
    return new Numeric((int) value, 1);
  }

  @Override
  public @Nullable Fact binaryOperation(AbstractInsnNode instruction, Fact left, Fact right)
      throws AnalyzerException {
    Fact result =
        left instanceof Numeric a && right instanceof Numeric b
            ? binary(instruction.getOpcode(), a, b.value())
            : null;
    return result == null ? unknown(basic.binaryOperation(instruction, ANY, ANY)) : result;
  }

  /** The arithmetic of the JVM on known numbers; null if the result is not known. */
  private static @Nullable Fact binary(int opcode, Numeric left, long b) {
    boolean wide = left.slots() == 2;
    long a = left.value();
    long shift = wide ? b : b & 31;
    Long result =
        switch (wide ? opcode - 1 : opcode) { // each for ints is followed by that for longs
          case Opcodes.IADD -> a + b;
          case Opcodes.ISUB -> a - b;
          case Opcodes.IMUL -> a * b;
          case Opcodes.IDIV -> b == 0 ? null : a / b;
          case Opcodes.IREM -> b == 0 ? null : a % b;
          case Opcodes.ISHL -> a << shift;
          case Opcodes.ISHR -> a >> shift;
          case Opcodes.IUSHR -> (wide ? a : a & 0xFFFF_FFFFL) >>> shift;
          case Opcodes.IAND -> a & b;
          case Opcodes.IOR -> a | b;
          default -> null;
        };
    return result == null ? null : wide ? new Numeric(result, 2) : ofInt(result);
  }

  @Override
  public @Nullable Fact ternaryOperation(
      AbstractInsnNode instruction, Fact array, Fact index, Fact value) {
    if (array instanceof Fact.Array known) {
      set(known.creation(), known.length(), index, value);
    }
    return null;
  }

  @Override
  public @Nullable Fact naryOperation(AbstractInsnNode instruction, List<? extends Fact> values)
      throws AnalyzerException {
    if (instruction instanceof MethodInsnNode call) {
      if (Library.arenaKind(call) != null) {
        return new Fact.Arena(Set.of(instruction), true);
      }
      Fact result = result(call, values);
      if (result != null) {
        return result;
      }
    }
    return unknown(basic.naryOperation(instruction, List.of()));
  }

  private @Nullable Fact result(MethodInsnNode call, List<? extends Fact> values) {
    Fact result = Library.result(call, values, this);
    if (result == null) {
      result = kept(call);
    }
    if (result == null && call.getOpcode() == Opcodes.INVOKESTATIC && values.isEmpty()) {
      result = program.constants.call(call.owner, call.name, call.desc);
    }
    int receiver = call.getOpcode() == Opcodes.INVOKESTATIC ? 0 : 1;
    for (int i = receiver; result == null && i < values.size(); i++) {
      List<? extends Fact> arguments = values.subList(receiver, values.size());
      if (values.get(i) instanceof Fact.Arena
          && call.desc.endsWith(";")
          && program.effect(call, arguments, i - receiver).returned()) {
        result = values.get(i);
      }
    }
    return result;
  }

  @Override
  public void returnOperation(AbstractInsnNode instruction, Fact value, Fact expected) {}

  @Override
  public Fact merge(Fact a, Fact b) {
    return Fact.either(a, b);
  }
}
