package dev.rockpool.call;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * A rule that tells from the result of a native function whether the call has failed and left an
 * error code behind.
 *
 * <p>Immutable. Safe for use by any thread if the predicate of {@link #ofInt}, {@link #ofLong} or
 * {@link #ofAddress} is.
 */
public abstract sealed class Failure {
  /** A negative {@code int} or {@code long}, the usual rule: system calls fail so. */
  public static final Failure NEGATIVE = new Negative();

  /**
   * Exactly -1: an {@code int} or {@code long} whose other negative values are results, or a
   * pointer like that of {@code mmap}.
   */
  public static final Failure MINUS_ONE = new MinusOne();

  /** An {@code int} or {@code long} other than 0. */
  public static final Failure NON_ZERO = new NonZero();

  /** The {@code int} or {@code long} 0: most functions of Windows fail so. */
  public static final Failure ZERO = new Zero();

  /** A null pointer: {@code fopen} and {@code malloc} fail so. */
  public static final Failure NULL = new Null();

  private final String name;
  private final Set<Class<?>> resultTypes;

  private Failure(String name, Class<?>... resultTypes) {
    this.name = name;
    this.resultTypes = Set.of(resultTypes);
  }

  /**
   * Makes a rule for functions that return an {@code int}.
   *
   * @param isFailure returns whether a result means failure; may make native calls. The adapted
   *     handle passes on its exceptions.
   * @return a new rule
   */
  public static Failure ofInt(IntPredicate isFailure) {
    return new OfInt(Objects.requireNonNull(isFailure));
  }

  /**
   * Makes a rule for functions that return a {@code long}.
   *
   * @param isFailure as for {@link #ofInt}
   * @return a new rule
   */
  public static Failure ofLong(LongPredicate isFailure) {
    return new OfLong(Objects.requireNonNull(isFailure));
  }

  /**
   * Makes a rule for functions that return a pointer.
   *
   * @param isFailure as for {@link #ofInt}
   * @return a new rule
   */
  public static Failure ofAddress(Predicate<MemorySegment> isFailure) {
    return new OfAddress(Objects.requireNonNull(isFailure));
  }

  /** Whether the rule is for results of this type. */
  final boolean isFor(Class<?> resultType) {
    return resultTypes.contains(resultType);
  }

  boolean isFailure(int result) {
    return isFailure((long) result);
  }

  boolean isFailure(long result) {
    throw new AssertionError(result);
  }

  boolean isFailure(MemorySegment result) {
    throw new AssertionError(result);
  }

  /** Returns the name of the constant, or the result type that the program's own rule is for. */
  @Override
  public final String toString() {
    return name;
  }

  private static final class Negative extends Failure {
    Negative() {
      super("NEGATIVE", int.class, long.class);
    }

    @Override
    boolean isFailure(long result) {
      return result < 0;
    }
  }

  private static final class MinusOne extends Failure {
    MinusOne() {
      super("MINUS_ONE", int.class, long.class, MemorySegment.class);
    }

    @Override
    boolean isFailure(long result) {
      return result == -1;
    }

    @Override
    boolean isFailure(MemorySegment result) {
      return result.address() == -1;
    }
  }

  private static final class NonZero extends Failure {
    NonZero() {
      super("NON_ZERO", int.class, long.class);
    }

    @Override
    boolean isFailure(long result) {
      return result != 0;
    }
  }

  private static final class Zero extends Failure {
    Zero() {
      super("ZERO", int.class, long.class);
    }

    @Override
    boolean isFailure(long result) {
      return result == 0;
    }
  }

  private static final class Null extends Failure {
    Null() {
      super("NULL", MemorySegment.class);
    }

    @Override
    boolean isFailure(MemorySegment result) {
      return result.address() == 0;
    }
  }

  private static final class OfInt extends Failure {
    private final IntPredicate rule;

    OfInt(IntPredicate rule) {
      super("a rule for int", int.class);
      this.rule = rule;
    }

    @Override
    boolean isFailure(int result) {
      return rule.test(result);
    }
  }

  private static final class OfLong extends Failure {
    private final LongPredicate rule;

    OfLong(LongPredicate rule) {
      super("a rule for long", long.class);
      this.rule = rule;
    }

    @Override
    boolean isFailure(long result) {
      return rule.test(result);
    }
  }

  private static final class OfAddress extends Failure {
    private final Predicate<MemorySegment> rule;

    OfAddress(Predicate<MemorySegment> rule) {
      super("a rule for pointers", MemorySegment.class);
      this.rule = rule;
    }

    @Override
    boolean isFailure(MemorySegment result) {
      return rule.test(result);
    }
  }
}
