package dev.rockpool.demo;

/**
 * Measures one call in a JVM that does nothing else: arguments CALL PACE. Prints a header and a
 * line, whose rows are calls.
 */
public final class CallTimer implements Timer.Work<Throwable> {
  /** The names of the values that are printed. */
  public static final String HEADER = Timer.HEADER + ",agent";

  private static final long BATCH_NANOS = 1_000_000;

  private final Call call;
  private int calls = 1;

  /** Not private: javac and C2 can't tell that nobody reads it, so no call is dead code. */
  long sum;

  CallTimer(Call call) {
    this.call = call;
  }

  public static void main(String[] args) throws Throwable {
    Call call = Call.valueOf(args[0]);
    Timer timer = args[1].equals("QUICK") ? new Timer(150e6, 2, 10) : new Timer(400e6, 3, 15);
    Timer.Figures figures = timer.measure(new CallTimer(call));
    boolean hasAgent = System.getProperty("rockpool.agent.options") != null;
    System.out.println(HEADER);
    System.out.println(figures.csv(call.function(), call.result()) + "," + hasAgent);
  }

  @Override
  public void run() throws Throwable {
    for (int i = 0; i < calls; i++) {
      sum += call.make(i);
    }
  }

  @Override
  public long rows() {
    return calls;
  }

  @Override
  public void next(long nanos) {
    calls = (int) Math.clamp(calls * BATCH_NANOS / nanos, 1, 2L * calls);
  }
}
