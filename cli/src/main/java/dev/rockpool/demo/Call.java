package dev.rockpool.demo;

import java.util.Arrays;
import java.util.Locale;
import java.util.StringJoiner;

/** The calls that are measured, with the arguments they get and the results they give. */
public enum Call {
  STRLEN("of short words") {
    private static final String[] WORDS = {
      "a", "rock", "pool", "arena", "tide", "creek", "sea", ""
    };

    @Override
    long make(int i, long last) throws Throwable {
      return Calls.strlen(WORDS[i & 7]);
    }

    @Override
    String result() throws Throwable {
      StringJoiner lengths = new StringJoiner(", ");
      for (String word : WORDS) {
        lengths.add(Long.toString(Calls.strlen(word)));
      }
      return lengths.add("grüße: " + Calls.strlen("grüße")).toString();
    }
  },

  CLOCK_GETTIME("into a 16-byte struct") {
    @Override
    long make(int i, long last) throws Throwable {
      Calls.Time time = Calls.clockGettime();
      long now = time.seconds() * 1_000_000_000 + time.nanos();
      if (time.nanos() < 0 || time.nanos() >= 1_000_000_000 || now < last) {
        throw new IllegalStateException("Not a later time: last=" + last + " ns, time=" + time);
      }
      return now;
    }

    @Override
    String result() throws Throwable {
      long first = make(0, 0);
      for (int i = 0; i < 1_000_000; i++) {
        if (make(i, first) > first) {
          return "0, and a later time";
        }
      }
      return "0, and the same time for ever";
    }
  },

  OPEN("of no file, errno captured") {
    @Override
    long make(int i, long last) throws Throwable {
      return Calls.open("/no/such/file");
    }

    @Override
    String result() throws Throwable {
      return openResult(make(0, 0));
    }
  },

  OPEN_ADAPTED("open", "the same, adapted by CallState") {
    @Override
    long make(int i, long last) throws Throwable {
      return Calls.Adapted.open("/no/such/file");
    }

    @Override
    String result() throws Throwable {
      return openResult(make(0, 0));
    }
  },

  LDIV("struct returned by value") {
    @Override
    long make(int i, long last) throws Throwable {
      Calls.Division division = Calls.ldiv(1_000_000 + i, 97);
      return division.quotient() + division.remainder();
    }

    @Override
    String result() throws Throwable {
      Calls.Division division = Calls.ldiv(1_000_000, 97);
      return "quot " + division.quotient() + ", rem " + division.remainder();
    }
  },

  QSORT("8 ints, comparator in Java") {
    private static final int[] UNSORTED = {5, -3, 8, 1, 0, 7, -3, 2};

    @Override
    long make(int i, long last) throws Throwable {
      return Calls.qsort(UNSORTED)[0];
    }

    @Override
    String result() throws Throwable {
      return Arrays.toString(Calls.qsort(UNSORTED));
    }
  },

  GETCWD("into a buffer of 256 bytes") {
    @Override
    long make(int i, long last) throws Throwable {
      return Calls.getcwd().length();
    }

    @Override
    String result() throws Throwable {
      return Calls.getcwd();
    }
  };

  private final String function;
  private final String detail;

  Call(String detail) {
    this.function = name().toLowerCase(Locale.ROOT);
    this.detail = detail;
  }

  Call(String function, String detail) {
    this.function = function;
    this.detail = detail;
  }

  private static String openResult(long result) {
    return result == -2 ? "-1, errno 2 (ENOENT)" : "file or negated errno " + result;
  }

  /** The name of the C function. */
  public String function() {
    return function;
  }

  /** What is special about this call, in a few words. */
  public String detail() {
    return detail;
  }

  /**
   * Makes the call for the {@code i}th time, after one that returned {@code last}. The value
   * depends on what the call returned, so that nothing can be left out.
   */
  abstract long make(int i, long last) throws Throwable;

  /** The result of the call in words: the same in each JVM. */
  abstract String result() throws Throwable;
}
