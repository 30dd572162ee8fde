package dev.rockpool.demo;

import java.util.Arrays;
import java.util.Locale;

/** The calls that are measured, with the arguments they get and the results they give. */
@SuppressWarnings("ImmutableEnumChecker") // its lambdas have no state
public enum Call {
  STRLEN("of short words", (i, last) -> Calls.strlen(Arguments.WORDS[i & 7]), Call::lengths),

  CLOCK_GETTIME("into a 16-byte struct", (i, last) -> Call.later(last), Call::clock),

  OPEN(
      "of no file, errno captured",
      (i, last) -> Calls.open(Arguments.NO_FILE),
      () -> Call.opened(Calls.open(Arguments.NO_FILE))),

  OPEN_ADAPTED(
      "the same, adapted by CallState",
      (i, last) -> Calls.Adapted.open(Arguments.NO_FILE),
      () -> Call.opened(Calls.Adapted.open(Arguments.NO_FILE))),

  LDIV(
      "struct returned by value",
      (i, last) -> {
        Calls.Division division = Calls.ldiv(1_000_000 + i, 97);
        return division.quotient() + division.remainder();
      },
      () -> {
        Calls.Division division = Calls.ldiv(1_000_000, 97);
        return "quot " + division.quotient() + ", rem " + division.remainder();
      }),

  QSORT(
      "8 ints, comparator in Java",
      (i, last) -> Calls.qsort(Arguments.UNSORTED)[0],
      () -> Arrays.toString(Calls.qsort(Arguments.UNSORTED))),

  GETCWD("into a buffer of 256 bytes", (i, last) -> Calls.getcwd().length(), Calls::getcwd);

  /** A class of its own, because the constants come first. */
  private static final class Arguments {
    static final String[] WORDS = {"a", "rock", "pool", "arena", "tide", "creek", "sea", ""};
    static final String NO_FILE = "/no/such/file";
    static final int[] UNSORTED = {5, -3, 8, 1, 0, 7, -3, 2};
  }

  private interface Measured {
    long make(int i, long last) throws Throwable;
  }

  private interface Told {
    String result() throws Throwable;
  }

  /** Words for what is special about this call. */
  public final String detail;

  private final Measured measured;
  private final Told told;

  Call(String detail, Measured measured, Told told) {
    this.detail = detail;
    this.measured = measured;
    this.told = told;
  }

  private static String lengths() throws Throwable {
    StringBuilder lengths = new StringBuilder();
    for (String word : Arguments.WORDS) {
      lengths.append(Calls.strlen(word)).append(", ");
    }
    return lengths + "grüße: " + Calls.strlen("grüße");
  }

  private static long later(long last) throws Throwable {
    Calls.Time time = Calls.clockGettime();
    long now = time.seconds() * 1_000_000_000 + time.nanos();
    if (time.nanos() < 0 || time.nanos() >= 1_000_000_000 || now < last) {
      throw new IllegalStateException("Not a later time: last=" + last + " ns, time=" + time);
    }
    return now;
  }

  private static String clock() throws Throwable {
    long first = later(0);
    for (int i = 0; i < 1_000_000; i++) {
      if (later(first) > first) {
        return "0, and a later time";
      }
    }
    return "0, and the same time for ever";
  }

  private static String opened(long result) {
    return result == -2 ? "-1, errno 2 (ENOENT)" : "file or negated errno " + result;
  }

  /** The name of the C function. */
  public String function() {
    return this == OPEN_ADAPTED ? "open" : name().toLowerCase(Locale.ROOT);
  }

  /**
   * Makes the call for the {@code i}th time, after one that returned {@code last}. The value
   * depends on what the call returned, so that nothing can be left out.
   */
  long make(int i, long last) throws Throwable {
    return measured.make(i, last);
  }

  /** The result of the call in words: the same in each JVM. */
  String result() throws Throwable {
    return told.result();
  }
}
