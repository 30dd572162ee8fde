package dev.rockpool.arena;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The outcome of a call, in words that are equal when two arenas did the same: the value, or type
 * and message of the exception. Addresses and hash codes, which always differ, are left out.
 */
final class Outcome {
  /** A call whose outcome is of interest. */
  @FunctionalInterface
  interface Action {
    Object call() throws Throwable;
  }

  private static final Pattern ADDRESS = Pattern.compile("address: ?(0x)?[0-9a-f]+|@[0-9a-f]+");

  private Outcome() {}

  /** Calls {@code action}; fails only if the test itself did. */
  static String of(Action action) {
    try {
      return "returns " + describe(action.call());
    } catch (AssertionError failure) {
      throw failure;
    } catch (Throwable thrown) {
      return "throws " + describe(thrown);
    }
  }

  private static String describe(Object value) {
    return value instanceof MemorySegment segment
        ? describe(segment)
        : ADDRESS.matcher(String.valueOf(value)).replaceAll("@");
  }

  /** Size and contents of {@code segment}. */
  private static String describe(MemorySegment segment) {
    byte[] bytes = segment.toArray(ValueLayout.JAVA_BYTE);
    return (segment.isReadOnly() ? "read-only segment of " : "segment of ")
        + bytes.length
        + " bytes: "
        + HexFormat.of().formatHex(bytes);
  }

  private static String describe(Throwable thrown) {
    StringBuilder text = new StringBuilder(thrown.getClass().getName());
    if (thrown.getMessage() != null) {
      text.append(": ").append(ADDRESS.matcher(thrown.getMessage()).replaceAll("@"));
    }
    if (thrown.getCause() != null) {
      text.append("; caused by ").append(describe(thrown.getCause()));
    }
    for (Throwable suppressed : thrown.getSuppressed()) {
      text.append("; suppressed ").append(describe(suppressed));
    }
    return text.toString();
  }
}
