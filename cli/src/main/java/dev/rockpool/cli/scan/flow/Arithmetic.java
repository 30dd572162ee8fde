package dev.rockpool.cli.scan.flow;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;

/** The arithmetic of the JVM on known numbers. Null where an operand is not known. */
final class Arithmetic {
  private Arithmetic() {}

  static Fact increment(Fact value, int by) {
    return value instanceof Fact.Numeric number
        ? ofInt((int) number.value() + by)
        : Fact.Unknown.ONE_SLOT;
  }

  static @Nullable Fact unary(int opcode, Fact operand) {
    if (!(operand instanceof Fact.Numeric number)) {
      return null;
    }
    long value = number.value();
    return switch (opcode) {
      case Opcodes.INEG -> ofInt((int) -value);
      case Opcodes.LNEG -> ofLong(-value);
      case Opcodes.I2L -> ofLong(value);
      case Opcodes.L2I -> ofInt((int) value);
      case Opcodes.I2B -> ofInt((byte) value);
      case Opcodes.I2S -> ofInt((short) value);
      case Opcodes.I2C -> ofInt((char) value);
      default -> null;
    };
  }

  static @Nullable Fact binary(int opcode, Fact left, Fact right) {
    if (!(left instanceof Fact.Numeric first) || !(right instanceof Fact.Numeric second)) {
      return null;
    }
    long a = first.value();
    long b = second.value();
    return switch (opcode) {
      case Opcodes.IADD -> ofInt((int) (a + b));
      case Opcodes.ISUB -> ofInt((int) (a - b));
      case Opcodes.IMUL -> ofInt((int) (a * b));
      case Opcodes.IDIV -> b == 0 ? null : ofInt((int) (a / b));
      case Opcodes.IREM -> b == 0 ? null : ofInt((int) (a % b));
      case Opcodes.ISHL -> ofInt((int) a << b);
      case Opcodes.ISHR -> ofInt((int) a >> b);
      case Opcodes.IUSHR -> ofInt((int) a >>> b);
      case Opcodes.IAND -> ofInt((int) (a & b));
      case Opcodes.IOR -> ofInt((int) (a | b));
      case Opcodes.LADD -> ofLong(a + b);
      case Opcodes.LSUB -> ofLong(a - b);
      case Opcodes.LMUL -> ofLong(a * b);
      case Opcodes.LDIV -> b == 0 ? null : ofLong(a / b);
      case Opcodes.LREM -> b == 0 ? null : ofLong(a % b);
      case Opcodes.LSHL -> ofLong(a << b);
      case Opcodes.LSHR -> ofLong(a >> b);
      case Opcodes.LUSHR -> ofLong(a >>> b);
      case Opcodes.LAND -> ofLong(a & b);
      case Opcodes.LOR -> ofLong(a | b);
      default -> null;
    };
  }

  private static Fact ofInt(int value) {
    return new Fact.Numeric(value, 1);
  }

  private static Fact ofLong(long value) {
    return new Fact.Numeric(value, 2);
  }
}
