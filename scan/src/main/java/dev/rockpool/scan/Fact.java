package dev.rockpool.scan;

import java.nio.charset.Charset;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.analysis.Value;

/**
 * A piece of knowledge of a value on the operand stack or in a local variable. Facts never change.
 */
sealed interface Fact extends Value {
  @Override
  default int getSize() {
    return 1;
  }

  /** A value of which nothing is known. */
  enum Unknown implements Fact {
    ONE_SLOT,
    TWO_SLOTS;

    static Unknown ofSize(int slots) {
      return slots == 2 ? TWO_SLOTS : ONE_SLOT;
    }

    @Override
    public int getSize() {
      return this == ONE_SLOT ? 1 : 2;
    }
  }

  /**
   * An arena.
   *
   * @param creations the instructions one of which made it
   * @param certain whether it can't be anything else
   */
  record Arena(Set<AbstractInsnNode> creations, boolean certain) implements Fact {
    boolean isCertainly(AbstractInsnNode creation) {
      return certain && creations.size() == 1 && creations.contains(creation);
    }
  }

  /** An array of that many elements, which {@link Facts} knows by the instruction. */
  record Array(AbstractInsnNode creation, int length) implements Fact {}

  /** An exception that was caught, by one of the handlers that start there. */
  record Caught(Set<LabelNode> handlers) implements Fact {}

  /** A fact that means the same in other methods. */
  sealed interface Constant extends Fact {
    /** The value of a constant in a class file, or null if it is not of use here. */
    static @Nullable Constant of(@Nullable Object value) {
      return switch (value) {
        case Integer number -> new Numeric(number, 1);
        case Long number -> new Numeric(number, 2);
        case String text -> new Text(text);
        case null, default -> null;
      };
    }
  }

  /** An int, or smaller, if it takes one slot; a long if it takes two. */
  record Numeric(long value, int slots) implements Constant {
    @Override
    public int getSize() {
      return slots;
    }
  }

  record Text(String value) implements Constant {}

  record Encoding(Charset value) implements Constant {}

  /** A memory layout: size and alignment in bytes. */
  record Layout(long byteSize, long byteAlignment) implements Constant {
    static Layout ofValue(long byteSize) {
      return new Layout(byteSize, byteSize);
    }
  }

  /** The map that {@code Linker.canonicalLayouts()} returns. */
  enum CanonicalLayouts implements Constant {
    MAP
  }

  /** Merges: the fact that holds of a value that is the one or the other. */
  static Fact either(Fact a, Fact b) {
    if (a.equals(b)) {
      return a;
    }
    if (a instanceof Arena first && b instanceof Arena second) {
      return new Arena(union(first.creations, second.creations), first.certain && second.certain);
    }
    if (a instanceof Arena arena) {
      return new Arena(arena.creations, false);
    }
    if (b instanceof Arena) {
      return either(b, a);
    }
    if (a instanceof Caught first && b instanceof Caught second) {
      return new Caught(union(first.handlers, second.handlers));
    }
    return Unknown.ofSize(Math.min(a.getSize(), b.getSize()));
  }

  private static <T> Set<T> union(Set<T> a, Set<T> b) {
    if (a.containsAll(b)) {
      return a; // as so often: control has come this way before
    }
    Set<T> union = new HashSet<>(a);
    union.addAll(b);
    return Set.copyOf(union);
  }
}
