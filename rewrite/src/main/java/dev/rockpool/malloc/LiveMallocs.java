package dev.rockpool.malloc;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;

/**
 * The memory of {@code malloc} that is live: recordings of async-profiler, folded one after the
 * other. Not for several threads at once.
 *
 * <p>A recording has the sampled allocations, each of which stands for as many bytes as the
 * sampling interval, and every {@code free}, in any order. At an address, the last allocation
 * counts, and ends with any later free. So what is kept is one block for each sampled address, and
 * no event. A free that was not recorded leaves its block live until any memory at that address is
 * freed or sampled again.
 *
 * <p>Async-profiler notes a free after it happened. If another thread gets the address meanwhile,
 * its allocation comes before that free, which must not end it.
 */
public final class LiveMallocs {
  /** A free later than this after an allocation is not that of the block before. */
  private static final long LATEST_FREE_NANOS = 1_000_000;

  private static final class Block {
    final long bytes;
    final Origin origin;
    final long nanos;
    final long thread;

    /** The block before it, as far as it was sampled. */
    private long nanosBefore = Long.MIN_VALUE;

    private long threadBefore;

    /** The last free before this block. */
    private long freedBefore = Long.MIN_VALUE;

    private int frees;

    /** The first free after the allocation. */
    private long freedNanos;

    private long freedByThread;

    Block(long bytes, Origin origin, long nanos, long thread) {
      this.bytes = bytes;
      this.origin = origin;
      this.nanos = nanos;
      this.thread = thread;
    }

    /** Notes another block at the address, which was there earlier. */
    void follows(Block before) {
      if (before.nanos > nanosBefore) {
        nanosBefore = before.nanos;
        threadBefore = before.thread;
        freedBefore = before.frees > 0 ? before.freedNanos : freedBefore;
      }
    }

    void freed(long when, long by) {
      if (when < nanos) {
        freedBefore = Math.max(freedBefore, when);
        return;
      }
      if (frees == 0 || when < freedNanos) {
        freedNanos = when;
        freedByThread = by;
      }
      frees++;
    }

    /** Whether it is not freed, but perhaps the block before, whose free was noted late. */
    boolean isLive() {
      if (frees == 1 && isOfBlockBefore()) {
        frees = 0;
        nanosBefore = Long.MIN_VALUE;
      }
      return frees == 0;
    }

    private boolean isOfBlockBefore() {
      return nanosBefore > freedBefore
          && threadBefore != thread
          && freedByThread != thread
          && freedNanos - nanos < LATEST_FREE_NANOS;
    }
  }

  private final Predicate<String> isLibrary;
  private final Map<Long, Block> live = new HashMap<>();

  private final Map<Origin, Origin> origins = new HashMap<>();

  private long interval;

  /**
   * Without live memory.
   *
   * @param isLibrary whether a class, by its binary name, allocates for others
   */
  public LiveMallocs(Predicate<String> isLibrary) {
    this.isLibrary = isLibrary;
  }

  /** Returns the bytes between two samples; 0 if each allocation is one. */
  public long interval() {
    return interval;
  }

  /**
   * Adds a recording, which is later than those before. Reads it twice, because frees come before
   * the allocations that they end, and most are of memory that was not sampled.
   */
  public void read(Path recording) throws IOException {
    Samples samples = new Samples(recording, isLibrary);
    samples.read(
        events -> {
          events.onEvent(
              "jdk.ActiveSetting",
              event -> interval = Samples.setting(event, "nativemem", interval));
          events.onEvent(
              "profiler.Malloc",
              event ->
                  malloc(
                      nanos(event),
                      threadId(event),
                      event.getLong("address"),
                      event.getLong("size"),
                      samples.origin(event, event.getThread())));
        });
    samples.read(
        events ->
            events.onEvent(
                "profiler.Free",
                event -> {
                  long address = event.getLong("address");
                  if (live.containsKey(address)) {
                    free(nanos(event), threadId(event), address);
                  }
                }));
    fold();
  }

  private static long nanos(RecordedEvent event) {
    Instant start = event.getStartTime();
    return start.getEpochSecond() * 1_000_000_000 + start.getNano();
  }

  private static long threadId(RecordedEvent event) {
    RecordedThread thread = event.getThread();
    return thread == null ? 0 : thread.getOSThreadId();
  }

  void sampleEach(long bytes) {
    interval = bytes;
  }

  void malloc(long nanos, long thread, long address, long size, Origin origin) {
    Origin one = origins.putIfAbsent(origin, origin);
    Block block = new Block(Math.max(size, interval), one == null ? origin : one, nanos, thread);
    Block other = live.get(address);
    if (other != null && other.nanos > nanos) {
      other.follows(block);
    } else {
      live.put(address, block);
      if (other != null) {
        block.follows(other);
      }
    }
  }

  /** Notes a free, after all allocations of its recording. */
  void free(long nanos, long thread, long address) {
    Block block = live.get(address);
    if (block != null) {
      block.freed(nanos, thread);
    }
  }

  /** Forgets what is not live, after all events of a recording. */
  void fold() {
    live.values().removeIf(block -> !block.isLive());
    Set<Origin> used = new HashSet<>();
    live.values().forEach(block -> used.add(block.origin));
    origins.keySet().retainAll(used);
  }

  /** Returns what is live by line and library, the most bytes first. */
  public List<Origin.Sum> lines() {
    Map<Origin, long[]> sums = new HashMap<>();
    for (Block block : live.values()) {
      long[] sum = sums.computeIfAbsent(block.origin, _ -> new long[2]);
      sum[0] += block.bytes;
      sum[1]++;
    }
    return Origin.Sum.byLine(sums);
  }
}
