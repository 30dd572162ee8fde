package dev.rockpool.child;

/**
 * Does things where the heap ends. For a JVM of its own, see {@link #jvm}, as classes of the JDK
 * may come to harm.
 */
public final class HeapEnd {
  private static final int OBJECT_ALIGNMENT = 16;

  /** Bytes for whoever prepares and checks; they are not there in between. */
  private static final int RESERVE = 1 << 20;

  /** The arrays that fill the heap, largest first. The smallest array takes 16 bytes. */
  private static final int[] PIECES = {256 << 10, 2 << 10, OBJECT_ALIGNMENT};

  /** Enough for a heap of 16 MiB, of which others may free some while it is being filled. */
  private static final int MOST_PIECES = 1 << 14;

  /** An operation goes well for good when it did so with this much more memory each time. */
  private static final int SUCCESSES = 8;

  /** An operation that fails with this much memory fails for another reason. */
  private static final int MOST_ROOM = RESERVE / 2;

  private static boolean hadErrors;

  /** The actions that may run out of memory. */
  public interface Attempt {
    /** Makes what the operation works on; there is memory. */
    default void prepare() throws Throwable {}

    /**
     * The operation; any of its allocations may fail.
     *
     * @return whether it went well; false where it had to do without memory
     * @throws OutOfMemoryError counts as false
     */
    boolean run() throws Throwable;

    /** Fails if the operation left anything half-made; there is memory. */
    default void check() throws Throwable {}

    /**
     * Makes this attempt at the end of what a test names, again and again.
     *
     * @param what "heap", or "stack"
     * @return how often it failed
     */
    default int reachEndOf(String what) throws Throwable {
      return what.equals("stack") ? StackEnd.reach(this) : HeapEnd.reach(this);
    }
  }

  private final Object[] filler = new Object[MOST_PIECES];
  private Object reserve;
  private Object room;
  private int failures;

  private HeapEnd() {}

  /** A JVM whose heap is small, collected as a whole, and handed out to the byte. */
  public static ChildJvm jvm() {
    return ChildJvm.onClassPath()
        .with(
            "--enable-native-access=ALL-UNNAMED",
            "-Xms16m",
            "-Xmx16m",
            "-Xmn2m",
            "-XX:+UseSerialGC",
            "-XX:-UseTLAB");
  }

  /**
   * Does something where there is no heap at all, and then with 16 bytes more each time, until that
   * went well several times in a row. So each allocation that the operation cannot do without fails
   * in turn. Before that, does it once where there is plenty of heap.
   *
   * @return how often it failed
   */
  public static int reach(Attempt attempt) throws Throwable {
    HeapEnd end = new HeapEnd();
    end.tryWith(MOST_ROOM, attempt);
    if (end.failures != 0) {
      throw new AssertionError("does not go well although there is heap");
    }
    int successes = 0;
    for (int bytes = 0; successes < SUCCESSES; bytes += OBJECT_ALIGNMENT) {
      if (bytes > MOST_ROOM) {
        throw new AssertionError("does not go well any more, with " + bytes + " bytes of heap");
      }
      successes = end.tryWith(bytes, attempt) ? successes + 1 : 0;
    }
    return end.failures;
  }

  /**
   * Does something once where only so many bytes of heap are left.
   *
   * @param bytes a multiple of 16
   * @return whether it went well
   */
  public static boolean once(int bytes, Attempt attempt) throws Throwable {
    HeapEnd end = new HeapEnd();
    if (!hadErrors) {
      end.fill(0); // the first few errors of a JVM have stack traces, which would be garbage then
      hadErrors = true;
    }
    return end.tryWith(bytes, attempt);
  }

  private boolean tryWith(int bytes, Attempt attempt) throws Throwable {
    attempt.prepare();
    boolean wentWell = false;
    try {
      fill(bytes);
      wentWell = attempt.run();
    } catch (OutOfMemoryError full) {
      wentWell = false;
    } finally {
      reserve = null;
    }
    failures += wentWell ? 0 : 1;
    attempt.check();
    return wentWell;
  }

  /** Leaves so many bytes of heap, and no more than 15 beside them. */
  private void fill(int bytes) {
    empty();
    reserve = new byte[RESERVE];
    room = bytes == 0 ? null : array(bytes);
    int pieces = 0;
    for (int size : PIECES) {
      try {
        while (pieces < filler.length) {
          filler[pieces] = array(size);
          pieces++;
        }
      } catch (OutOfMemoryError full) {
        continue; // with smaller pieces
      }
    }
    room = null;
  }

  private void empty() {
    reserve = null;
    for (int i = 0; i < filler.length; i++) {
      filler[i] = null;
    }
  }

  /** Takes exactly that many bytes, a multiple of 16. */
  private static Object array(int byteSize) {
    return new byte[byteSize - OBJECT_ALIGNMENT];
  }
}
