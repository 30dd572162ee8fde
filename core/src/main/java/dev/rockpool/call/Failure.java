package dev.rockpool.call;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A rule that tells from the result of a native function whether the call has failed and left an
 * error code behind.
 *
 * <p>Immutable. Safe for use by any thread if the predicate of {@link #ofInt}, {@link #ofLong} or
 * {@link #ofAddress} is.
 *
 * @since 0.1.0
 */
public final class Failure {
  /** A negative {@code int} or {@code long}, the usual rule: system calls fail so. */
  public static final Failure NEGATIVE = ofNumber("NEGATIVE", result -> result < 0);

  /**
   * Exactly -1: an {@code int} or {@code long} whose other negative values are results, or a
   * pointer like that of {@code mmap}.
   */
  public static final Failure MINUS_ONE =
      new Failure(
          "MINUS_ONE",
          result -> result == -1,
          result -> result.address() == -1,
          int.class,
          long.class,
          MemorySegment.class);

  /** An {@code int} or {@code long} other than 0. */
  public static final Failure NON_ZERO = ofNumber("NON_ZERO", result -> result != 0);

  /** The {@code int} or {@code long} 0: most functions of Windows fail so. */
  public static final Failure ZERO = ofNumber("ZERO", result -> result == 0);

  /** A null pointer: {@code fopen} and {@code malloc} fail so. */
  public static final Failure NULL = ofPointer("NULL", result -> result.address() == 0);

  private final String name;
  final Set<Class<?>> resultTypes;

  /** The rule for an int or long; null if it is for pointers only. */
  final @Nullable LongPredicate number;

  /** The rule for a pointer; null if it is for numbers only. */
  final @Nullable Predicate<MemorySegment> pointer;

  private Failure(
      String name,
      @Nullable LongPredicate number,
      @Nullable Predicate<MemorySegment> pointer,
      Class<?>... resultTypes) {
    this.name = name;
    this.resultTypes = Set.of(resultTypes);
    this.number = number;
    this.pointer = pointer;
  }

  private static Failure ofNumber(String name, LongPredicate isFailure) {
    return new Failure(name, isFailure, null, int.class, long.class);
  }

  private static Failure ofPointer(String name, Predicate<MemorySegment> isFailure) {
    return new Failure(name, null, isFailure, MemorySegment.class);
  }

  /**
   * Makes a rule for functions that return an {@code int}.
   *
   * @param isFailure returns whether a result means failure; may make native calls. The adapted
   *     handle passes on its exceptions.
   * @return a new rule
   * @throws NullPointerException if {@code isFailure} is null
   */
  public static Failure ofInt(IntPredicate isFailure) {
    Objects.requireNonNull(isFailure);
    return new Failure("a rule for int", result -> isFailure.test((int) result), null, int.class);
  }

  /**
   * Makes a rule for functions that return a {@code long}.
   *
   * @param isFailure as for {@link #ofInt}
   * @return a new rule
   * @throws NullPointerException if {@code isFailure} is null
   */
  public static Failure ofLong(LongPredicate isFailure) {
    Objects.requireNonNull(isFailure);
    return new Failure("a rule for long", isFailure, null, long.class);
  }

  /**
   * Makes a rule for functions that return a pointer.
   *
   * @param isFailure as for {@link #ofInt}
   * @return a new rule
   * @throws NullPointerException if {@code isFailure} is null
   */
  public static Failure ofAddress(Predicate<MemorySegment> isFailure) {
    return ofPointer("a rule for pointers", Objects.requireNonNull(isFailure));
  }

  /** Returns the name of the constant, or the result type that the program's own rule is for. */
  @Override
  public String toString() {
    return name;
  }
}
