package dev.rockpool.call;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * How the result of a native function tells that the call has failed, and that there is an error
 * code to be had.
 *
 * <p>Immutable, and safe for use by any thread as far as a predicate of the program's is.
 */
public abstract sealed class Failure {
  /** A negative {@code int} or {@code long}: what system calls return, and the usual one. */
  public static final Failure NEGATIVE = new Negative();

  /**
   * Exactly -1: an {@code int} or {@code long} of which other negative values are results, or a
   * pointer like that of {@code mmap}.
   */
  public static final Failure MINUS_ONE = new MinusOne();

  /** An {@code int} or {@code long} other than 0. */
  public static final Failure NON_ZERO = new NonZero();

  /** The {@code int} or {@code long} 0: what most functions of Windows return. */
  public static final Failure ZERO = new Zero();

  /** A null pointer: what {@code fopen} or {@code malloc} return. */
  public static final Failure NULL = new Null();

  private final String name;
  private final Set<Class<?>> resultTypes;

  private Failure(String name, Class<?>... resultTypes) {
    this.name = name;
    this.resultTypes = Set.of(resultTypes);
  }

  /**
   * A rule of the program's own, for functions that return an {@code int}.
   *
   * @param isFailure says of each result whether the call has failed; what it throws is thrown by
   *     the adapted handle. It may make native calls of its own.
   * @return a new rule
   */
  public static Failure ofInt(IntPredicate isFailure) {
    return new OfInt(Objects.requireNonNull(isFailure));
  }

  /**
   * A rule of the program's own, for functions that return a {@code long}.
   *
   * @param isFailure as for {@link #ofInt}
   * @return a new rule
   */
  public static Failure ofLong(LongPredicate isFailure) {
    return new OfLong(Objects.requireNonNull(isFailure));
  }

  /**
   * A rule of the program's own, for functions that return a pointer.
   *
   * @param isFailure as for {@link #ofInt}
   * @return a new rule
   */
  public static Failure ofAddress(Predicate<MemorySegment> isFailure) {
    return new OfAddress(Objects.requireNonNull(isFailure));
  }

  /** Whether the rule is one for results of this type. */
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

  /** The name of the constant, or what kind of results the program's own rule is for. */
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
