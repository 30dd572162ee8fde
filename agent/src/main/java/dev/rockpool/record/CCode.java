package dev.rockpool.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rockpool.internal.Daemon;
import dev.rockpool.internal.Notices;
import dev.rockpool.malloc.LiveMallocs;
import dev.rockpool.malloc.Origin;
import dev.rockpool.malloc.Origin.Category;
import dev.rockpool.malloc.PageFaults;
import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/**
 * Records the live memory of C code by line. Async-profiler samples {@code malloc} into a file,
 * which this folds and has begun anew once a minute, or earlier if it is large.
 *
 * <p>Between two files some milliseconds of events are lost. What was freed then seems live until
 * its address is freed again. Having async-profiler end a chunk within the file would lose as many,
 * and the file would grow.
 */
public final class CCode implements Runnable {
  private static final String THREAD_NAME = "rockpool-ccode";

  /** Has the size of pages, as does each mapping in it. */
  private static final String MAPPINGS = "/proc/self/smaps";

  private static final String PAGE_SIZE = "KernelPageSize:";

  private static final String WITHOUT = "C code is not recorded (record.c)";

  private static final String WITHOUT_FAULTS =
      "Pages of C code are not recorded (record.c.faults): the kernel refuses perf events to this"
          + " process. It needs 'sysctl kernel.perf_event_paranoid=2' or less, and in a container a"
          + " seccomp profile that allows perf_event_open";

  private static final long LOOK_SECONDS = 1;
  private static final long FOLD_SECONDS = 60;

  /** Folding takes garbage in proportion, and so does what is lost between two files. */
  private static final long LARGE_FILE = 8 << 20;

  /** Lines of C code that have an event of their own. */
  private static final int LINES = 100;

  private static final int STACKS = 8;

  /** Held while folding and writing. Not the class, whose monitor a program could keep. */
  private static final Object LOCK = new Object();

  /** Null if C code is not recorded. */
  private static volatile @Nullable CCode current;

  private final AsyncProfiler profiler;
  private final LiveMallocs mallocs = new LiveMallocs(Callers::isOfLibrary);
  private final @Nullable PageFaults faults;
  private final long interval;
  private long round;
  private long foldedNanos = System.nanoTime();

  private CCode(AsyncProfiler profiler, long interval, @Nullable PageFaults faults) {
    this.profiler = profiler;
    this.interval = interval;
    this.faults = faults;
  }

  /**
   * Starts, unless there is no async-profiler for this platform beside the agent; a line says so.
   *
   * @param interval bytes between two samples; 0 if nothing is left out
   * @param withFaults whether to record the pages, too, that C code touches
   * @param agent the agent's jar; null if it is gone
   */
  public static void start(long interval, boolean withFaults, @Nullable String agent) {
    try {
      ArenaEvents.add(CMemoryEvent.class, CCode::write); // not under a lock
      CCode started = withFaults ? startWithFaults(interval, agent) : start(interval, agent);
      current = started;
      Daemon.start(THREAD_NAME, started);
    } catch (IOException none) {
      Notices.print(WITHOUT + ": " + none.getMessage());
    } catch (RuntimeException | LinkageError failure) {
      Notices.print(WITHOUT, failure);
    }
  }

  private static CCode start(long interval, @Nullable String agent) throws IOException {
    return new CCode(AsyncProfiler.start(interval, 0, agent), interval, null);
  }

  /** Records no faults if the kernel does not tell of them; a line says so. */
  private static CCode startWithFaults(long interval, @Nullable String agent) throws IOException {
    long page = pageBytes();
    long faultInterval = Math.max(1, interval / page);
    PageFaults faults = new PageFaults(Callers::isOfLibrary, page, faultInterval);
    ArenaEvents.add(CPagesEvent.class, () -> {}); // written with the other event
    try {
      return new CCode(AsyncProfiler.start(interval, faultInterval, agent), interval, faults);
    } catch (IOException refused) {
      CCode started = start(interval, agent);
      Notices.print(WITHOUT_FAULTS);
      return started;
    }
  }

  private static long pageBytes() throws IOException {
    try (BufferedReader lines = new BufferedReader(new FileReader(MAPPINGS, UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(PAGE_SIZE)) {
          return 1024
              * Long.parseLong(line.substring(PAGE_SIZE.length(), line.length() - 2).strip());
        }
      }
    }
    throw new IOException(MAPPINGS + " lacks " + PAGE_SIZE);
  }

  /** Writes what is live now, and has the profiler stop. */
  public static void stop() {
    synchronized (LOCK) {
      try {
        write();
      } finally {
        CCode stopped = current;
        current = null;
        if (stopped != null) {
          stopped.profiler.stop();
        }
      }
    }
  }

  @Override
  public void run() {
    while (lookAgain()) {
      try {
        TimeUnit.SECONDS.sleep(LOOK_SECONDS);
      } catch (InterruptedException nobodys) {
        return;
      }
    }
  }

  private boolean lookAgain() {
    synchronized (LOCK) {
      if (current != this) {
        return false;
      }
      try {
        if (System.nanoTime() - foldedNanos > TimeUnit.SECONDS.toNanos(FOLD_SECONDS)) {
          write();
        } else if (isLarge()) {
          fold();
        }
      } catch (OutOfMemoryError noHeap) {
        return true; // what was to be written, a later round writes
      }
      return current == this;
    }
  }

  private boolean isLarge() {
    try {
      return profiler.recorded() > LARGE_FILE;
    } catch (IOException unknown) {
      return true; // folding it will tell why
    }
  }

  /** Writes what is live now. Called by the flight recorder at the end of each chunk, too. */
  private static void write() {
    synchronized (LOCK) {
      CCode now = current;
      if (now != null && now.fold()) {
        now.writeLines();
      }
    }
  }

  /** Folds what the profiler has recorded. Ends all for good if that fails, and says so. */
  private boolean fold() {
    try {
      foldedNanos = System.nanoTime();
      profiler.fold(mallocs, faults);
      return true;
    } catch (IOException | RuntimeException | OutOfMemoryError failure) {
      current = null;
      profiler.stop();
      Notices.print(WITHOUT + " any more", failure);
      return false;
    }
  }

  private void writeLines() {
    round++;
    List<Origin.Sum> lines = mallocs.lines();
    long others = 0;
    long otherBytes = 0;
    int written = 0;
    for (Origin.Sum line : lines) {
      if (line.origin().category() != Category.C) {
        new CMemoryEvent(this, line, false).commit();
      } else if (written < LINES) {
        new CMemoryEvent(this, line, written < STACKS).commit();
        written++;
      } else {
        others += line.count();
        otherBytes += line.bytes();
      }
    }
    if (others > 0) {
      Origin rest = new Origin(Category.C, "(others)", "", "");
      new CMemoryEvent(this, new Origin.Sum(rest, otherBytes, others), false).commit();
    }
    if (faults != null) {
      faults.lines().stream().limit(LINES).forEach(line -> new CPagesEvent(this, line).commit());
    }
  }

  @Name("dev.rockpool.CMemory")
  @Label("Memory of C Code")
  @Description(
      "What malloc gave C code and is live, by line; each round has all that is live at its time")
  static final class CMemoryEvent extends RecordedEvent {
    final long run = HolderEvents.run;

    @Description("Counts the times that all of this was written")
    final long round;

    @Description("Bytes between two samples, each of which stands for as many; 0 if all was seen")
    @DataAmount
    final long interval;

    @Description("Who is to account for it; only C code has lines")
    final String category;

    @Description("Class, method and line of the program")
    final String site;

    @Description("The C library that called malloc")
    final String library;

    @DataAmount final long liveBytes;

    @Description("Sampled blocks")
    final long live;

    @Description("The stack with the most live bytes, the innermost frame first; of some sites")
    final String stack;

    CMemoryEvent(CCode recorder, Origin.Sum line, boolean withStack) {
      this.round = recorder.round;
      this.interval = recorder.interval;
      this.category = line.origin().category().text();
      this.site = line.origin().line();
      this.library = line.origin().library();
      this.liveBytes = line.bytes();
      this.live = line.count();
      this.stack = withStack ? line.origin().stack() : "";
    }
  }

  @Name("dev.rockpool.CPages")
  @Label("Pages of C Code")
  @Description(
      "Pages that C code touched since the start of the recorder, by line, given back or not; each"
          + " round has all so far")
  static final class CPagesEvent extends RecordedEvent {
    final long run = HolderEvents.run;

    @Description("Counts the times that all of this was written")
    final long round;

    @Description("Class, method and line of the program")
    final String site;

    @Description("The C library that touched the page first")
    final String library;

    @DataAmount final long touchedBytes;

    CPagesEvent(CCode recorder, Origin.Sum line) {
      this.round = recorder.round;
      this.site = line.origin().line();
      this.library = line.origin().library();
      this.touchedBytes = line.bytes();
    }
  }
}
