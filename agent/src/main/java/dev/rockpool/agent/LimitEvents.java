package dev.rockpool.agent;

import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/**
 * Records the limit once the program, or a tool that attaches, has started JDK Flight Recorder. Its
 * module is optional, so the class that needs it is nested here.
 */
record LimitEvents(MemoryLimit memory) implements BooleanSupplier {
  /** Returns whether to call again: the recorder was not started. */
  @Override
  public boolean getAsBoolean() {
    try {
      return !LimitEvent.register(memory);
    } catch (LinkageError | RuntimeException impossible) {
      return false;
    }
  }

  @Name("dev.rockpool.Limit")
  @Label("Native Memory Limit")
  @Category("Rockpool")
  @Description("Native memory under the agent's option limit, by what holds it")
  @Period("1 s")
  @StackTrace(false)
  static final class LimitEvent extends jdk.jfr.Event {
    @Label("Limit")
    @DataAmount
    final long limit;

    @Label("In Use")
    @Description("The sum of all kinds")
    @DataAmount
    final long inUse;

    @Label("Highest")
    @Description("Most bytes in use at once")
    @DataAmount
    final long highest;

    @Label("Refused")
    @Description("Requests beyond the limit: refused, or with limit.action=warn passed")
    final long refused;

    @Label("Confined Arenas")
    @Description("Beyond the pool")
    @DataAmount
    final long confined;

    @Label("Shared Arenas")
    @DataAmount
    final long shared;

    @Label("Automatic Arenas")
    @DataAmount
    final long automatic;

    @Label("Global Arena")
    @DataAmount
    final long global;

    @Label("Direct Buffers")
    @DataAmount
    final long direct;

    @Label("Unsafe")
    @DataAmount
    final long unsafe;

    @Label("Malloc")
    @DataAmount
    final long malloc;

    @Label("Pool")
    @Description("All blocks, kept ones included")
    @DataAmount
    final long pool;

    private LimitEvent(MemoryLimit memory) {
      Map<String, Long> figures = memory.figures();
      Map<String, Long> bytes = memory.inUseByKind();
      limit = of("limit", figures);
      inUse = of("inUse", figures);
      highest = of("highest", figures);
      refused = of("refused", figures);
      confined = of("confined", bytes);
      shared = of("shared", bytes);
      automatic = of("automatic", bytes);
      global = of("global", bytes);
      direct = of("direct", bytes);
      unsafe = of("unsafe", bytes);
      malloc = of("malloc", bytes);
      pool = of("pool", bytes);
    }

    private static long of(String name, Map<String, Long> figures) {
      return Objects.requireNonNull(figures.get(name));
    }

    static boolean register(MemoryLimit memory) {
      if (!FlightRecorder.isAvailable() || !FlightRecorder.isInitialized()) {
        return false;
      }
      FlightRecorder.addPeriodicEvent(LimitEvent.class, () -> new LimitEvent(memory).commit());
      return true;
    }
  }
}
