package dev.rockpool.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.LincheckSettings;
import org.jspecify.annotations.Nullable;

/**
 * Runs a scenario of a few threads again and again, each time in another order of their steps: one
 * thread at a time, and a scheduler instead of chance that says when the next one goes on.
 *
 * <p>Orders with the fewest switches come first, and none comes twice. The same code is run in the
 * same orders, on each machine. A step is an access to memory that threads share, or to a monitor,
 * and they all come one after the other: where hardware reorders, jcstress has to look.
 *
 * <p>A scenario builds all that it uses, calls {@link #race}, and throws what is wrong. What it
 * uses must not stay behind in static fields.
 */
public final class Interleavings {
  /** Lincheck reads class files of up to this JDK. */
  private static final int NEWEST_JDK = 26;

  /** Orders in which a scenario is run, if it has as many. */
  private static final int MOST = Integer.getInteger("rockpool.stress.interleavings");

  /** Three threads can start and end in some fifty orders, if Lincheck sees no step of theirs. */
  private static final int FEW = 100;

  /**
   * Lincheck would switch to another thread where a loop goes round ten times, and then not look
   * for more switches in that order: the code after a loop over 16 would run in three orders. To
   * set that takes a method that is internal to Lincheck's own language, Kotlin.
   */
  private static final LincheckSettings LONG_LOOPS = new LincheckSettings(false, 1000, 10_000, 20);

  /**
   * The number of calls of {@link #race}: off the heap, as Lincheck puts the heap back each time.
   */
  private static final MemorySegment RACES = Arena.global().allocate(ValueLayout.JAVA_LONG);

  private Interleavings() {}

  /** Fails with the first order in which the scenario throws, if there is one. */
  public static void check(Runnable scenario) {
    check(MOST, scenario);
  }

  /** As {@link #check(Runnable)}, in fewer orders: for that of which twins lack a step. */
  public static void checkModel(Runnable scenario) {
    check(MOST / 2, scenario);
  }

  private static void check(int most, Runnable scenario) {
    RACES.set(ValueLayout.JAVA_LONG, 0, 0);
    run(most, scenario);
    assertThat(RACES.get(ValueLayout.JAVA_LONG, 0))
        .as("orders in which the scenario was run")
        .isGreaterThan(FEW);
  }

  /**
   * Fails unless there is an order in which the scenario throws {@code violation}.
   *
   * @param violation what its message begins with
   */
  public static void checkBreaks(String violation, Runnable scenario) {
    LincheckAssertionError found =
        catchThrowableOfType(LincheckAssertionError.class, () -> run(MOST, scenario));
    assertThat(found).as("the order in which a weakened twin breaks").isNotNull();
    assertThat(found).hasMessageContaining(violation);
  }

  private static void run(int most, Runnable scenario) {
    assumeTrue(
        Runtime.version().feature() <= NEWEST_JDK,
        "Lincheck reads class files up to those of JDK " + NEWEST_JDK);
    Lincheck.runConcurrentTestInternal$lincheck(most, LONG_LOOPS, scenario);
  }

  /** Runs each part in a thread of its own, waits for all, and throws what the first one threw. */
  public static void race(Runnable... parts) {
    RACES.set(ValueLayout.JAVA_LONG, 0, RACES.get(ValueLayout.JAVA_LONG, 0) + 1);
    Racer[] racers = new Racer[parts.length];
    for (int i = 0; i < parts.length; i++) {
      racers[i] = new Racer(parts[i]);
    }
    for (Racer racer : racers) {
      racer.start();
    }
    for (Racer racer : racers) {
      join(racer);
    }
    for (Racer racer : racers) {
      racer.rethrow();
    }
  }

  /** Lincheck knows {@code Thread.join}, and none of a subclass. */
  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Lincheck takes an object for one that a single thread knows, and makes no step of an access to
   * it, until that object can be reached from the fields of a thread. It does not look into the
   * object where a {@code Thread} keeps its {@code Runnable}: so this one keeps it in a field.
   */
  private static final class Racer extends Thread {
    private final Runnable part;
    private @Nullable AssertionError violation;
    private @Nullable RuntimeException failure;

    Racer(Runnable part) {
      this.part = part;
    }

    /** Does not catch the errors by which Lincheck ends threads. */
    @Override
    public void run() {
      try {
        part.run();
      } catch (AssertionError e) {
        violation = e;
      } catch (RuntimeException e) {
        failure = e;
      }
    }

    void rethrow() {
      if (violation != null) {
        throw violation;
      }
      if (failure != null) {
        throw failure;
      }
    }
  }
}
