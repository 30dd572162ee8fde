package dev.rockpool.watch;

import dev.rockpool.internal.Daemon;
import dev.rockpool.internal.Notices;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The thread {@code rockpool-watch}, which looks at the process's memory. */
public final class Watch implements Runnable {
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** No process grows faster, by a rough guess: it has to touch each page. */
  private static final long BYTES_PER_NANO = 2;

  private static volatile @Nullable Watch current;

  private final @Nullable LimitedMemory limited;
  private final @Nullable ProcessBound bound;
  private final @Nullable Evidence evidence;
  private final @Nullable Exit exit;
  private volatile @Nullable Thread thread;
  private volatile long resident;

  /** The figures of the last look that could read them. */
  private Resident known = new Resident(0, 0);

  private Watch(
      @Nullable LimitedMemory limited,
      @Nullable ProcessBound bound,
      @Nullable Evidence evidence,
      @Nullable Exit exit) {
    this.limited = limited;
    this.bound = bound;
    this.evidence = evidence;
    this.exit = exit;
  }

  /**
   * The orders of a watch.
   *
   * @param memory the bytes of the container, or without one of the machine; 0 if not known
   * @param bound the most resident bytes; 0 for no bound
   * @param evidence the file for evidence; null for none
   * @param host the name of the host or container, for evidence
   * @param dump has the recording written, if there is one; does not wait for that
   * @param mostRefused refusals within a minute at which the JVM exits; 0 for none
   */
  public record Orders(
      long memory,
      long bound,
      @Nullable Path evidence,
      String host,
      Runnable dump,
      long mostRefused) {}

  /**
   * Starts to watch.
   *
   * @param limited the memory under a limit; null without one, then there is no bound either
   */
  public static void start(Orders orders, @Nullable LimitedMemory limited) {
    if (!Resident.isKnown()) {
      Notices.print(
          "limit.process and evidence need resident memory from /proc/self/status, which is not"
              + " there, and the program runs on without");
      return;
    }
    ProcessBound bound =
        limited == null || orders.bound == 0 ? null : new ProcessBound(orders.bound, limited);
    Evidence evidence =
        orders.evidence == null
            ? null
            : new Evidence(orders.evidence, orders.host, orders.memory, limited, orders.dump);
    Exit exit = orders.mostRefused == 0 ? null : new Exit(orders.mostRefused);
    Watch watch = new Watch(limited, bound, evidence, exit);
    if (limited != null) {
      limited.attachWatch(watch::figures, watch::wake);
    }
    current = watch;
    watch.thread = Daemon.start("rockpool-watch", watch);
  }

  /** Ends the watch, and lifts the bound. */
  public static void stop() {
    Watch ending = current;
    current = null;
    if (ending != null) {
      ending.wake();
    }
  }

  private void wake() {
    LockSupport.unpark(thread);
  }

  /** Returns what a refusal says of the process. */
  private String figures() {
    return ", resident in the process "
        + resident
        + " beside files, bound "
        + (bound == null ? 0 : bound.bound());
  }

  @Override
  public void run() {
    long nap = SHORTEST_NANOS;
    while (current == this) {
      try {
        nap = look();
      } catch (OutOfMemoryError noHeap) {
        nap = LONGEST_NANOS; // a later look may find some
      } catch (RuntimeException | LinkageError failure) {
        Notices.print("the process's memory can't be watched, and the program runs on", failure);
        break;
      }
      exitIfDue(); // even if there was no heap for a look
      rest(nap);
    }
    Watch following = current;
    if (limited != null && (following == null || following == this)) { // stopped, or failed
      limited.setCeiling(Long.MAX_VALUE);
    }
  }

  /**
   * Waits for the next look. Refusals end the wait, but not at once: there may be a million a
   * second. A program that interrupts all threads must not end it for good, nor close files of
   * evidence.
   */
  private void rest(long nap) {
    try {
      TimeUnit.NANOSECONDS.sleep(SHORTEST_NANOS);
    } catch (InterruptedException byProgram) {
      // looks sooner
    }
    LockSupport.parkNanos(this, nap - SHORTEST_NANOS);
    boolean _ = Thread.interrupted();
  }

  private void exitIfDue() {
    if (exit == null || limited == null) {
      return;
    }
    long refused = limited.refused();
    boolean isDue = false;
    try {
      isDue = exit.isDue(refused, System.nanoTime());
      if (isDue && evidence != null) {
        evidence.write("limit.action=exit", known);
      }
    } catch (OutOfMemoryError noHeap) {
      // ends without
    }
    if (isDue) {
      Exit.exit(refused);
    }
  }

  /** Looks, and returns how long to wait before the next look. */
  private long look() {
    Resident read = Resident.now();
    boolean isRead = read.all() > 0; // a process may have used up its file descriptors
    known = isRead ? read : known;
    Resident now = known;
    resident = now.anonymous();
    long nanos = System.nanoTime();
    long refused = limited == null ? 0 : limited.refused();
    long room = Long.MAX_VALUE;
    if (bound != null) {
      if (isRead) {
        bound.look(resident, nanos);
      }
      room = bound.room(resident);
    }
    if (evidence != null) {
      evidence.look(now, refused, nanos);
      room = Math.min(room, evidence.room(resident));
    }
    return Math.clamp(room / BYTES_PER_NANO, SHORTEST_NANOS, LONGEST_NANOS);
  }
}
