package dev.rockpool.record;

import dev.rockpool.internal.Carrier;
import dev.rockpool.internal.ForceInline;
import java.lang.invoke.VarHandle;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts arenas. The current thread finds its tallies in a table indexed by thread id, as {@code
 * Pool} finds slabs, and sound for the same reason. A record, because C2 trusts the final fields of
 * records.
 *
 * @param byThreadId the cache, its length a power of two
 * @param registry the tallies of all threads
 * @param onVirtual the numbers of open arenas of virtual threads
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and not seen outside this package
public record Recorder(
    @Nullable ThreadTallies[] byThreadId, TallyRegistry registry, OpenOnVirtual onVirtual) {
  private static final int SLOTS = 1024;

  /** The recorder of this JVM. */
  public static final Recorder SHARED = create();

  static {
    // Initializes the classes that counting needs: a virtual thread must not wait for
    // initialization between finding the carrier and counting.
    new Tally(0).add(0, 0);
    Carrier.isReachable();
  }

  static Recorder create() {
    return new Recorder(new ThreadTallies[SLOTS], new TallyRegistry(), OpenOnVirtual.create());
  }

  /**
   * Returns the tallies of {@code current}, the current thread; null on virtual threads, and if
   * memory runs out.
   */
  @ForceInline
  public @Nullable ThreadTallies talliesOf(Thread current) {
    return current.isVirtual() ? null : talliesOfPlatform(current);
  }

  @ForceInline
  private @Nullable ThreadTallies talliesOfPlatform(Thread current) {
    ThreadTallies found = cachedTalliesOf(current.threadId());
    return found != null ? found : talliesOfPlatformThread(current);
  }

  @ForceInline
  private @Nullable ThreadTallies cachedTalliesOf(long id) {
    ThreadTallies found = byThreadId[(int) id & (byThreadId.length - 1)];
    return found != null && found.threadId == id ? found : null;
  }

  /** Takes locks, so a virtual thread may be on another carrier when this returns. */
  private @Nullable ThreadTallies talliesOfPlatformThread(Thread thread) {
    ThreadTallies tallies = registry.talliesOf(thread);
    if (tallies != null) {
      VarHandle.releaseFence(); // publishes the tallies' fields to other threads
      byThreadId[(int) tallies.threadId & (byThreadId.length - 1)] = tallies;
    }
    return tallies;
  }

  /**
   * Notes that the current thread opens an arena.
   *
   * @param own the result of {@link #talliesOf}
   * @return how many arenas the thread had open before, see {@link OpenOnVirtual}
   */
  @ForceInline
  public int opened(Thread current, @Nullable ThreadTallies own) {
    return own != null ? own.opened() : onVirtual.opened(current.threadId());
  }

  /**
   * Counts an arena that the current thread has closed.
   *
   * @param own the result of {@link #talliesOf} when the arena was opened
   */
  @ForceInline
  public void closed(
      Thread current, @Nullable ThreadTallies own, long shape, long allocations, long bytes) {
    if (own == null) {
      closedOnVirtual(current, shape, allocations, bytes);
      return;
    }
    own.closed();
    if (!own.count(shape, allocations, bytes)) {
      registry.count(shape, allocations, bytes);
    }
  }

  @ForceInline
  private void closedOnVirtual(Thread current, long shape, long allocations, long bytes) {
    onVirtual.closed(current.threadId());
    ThreadTallies carriers = talliesOfCarrier();
    if (carriers == null || !carriers.count(shape, allocations, bytes)) {
      registry.count(shape, allocations, bytes);
    }
  }

  /** Between finding the carrier and returning, this calls nothing that might unmount. */
  @ForceInline
  private @Nullable ThreadTallies talliesOfCarrier() {
    if (!Carrier.isReachable()) {
      return null;
    }
    ThreadTallies found = cachedTalliesOf(Carrier.currentId());
    if (found != null) {
      return found;
    }
    cacheTalliesOfCarrier();
    return cachedTalliesOf(Carrier.currentId());
  }

  private void cacheTalliesOfCarrier() {
    Thread carrier = Carrier.current();
    if (carrier != null) {
      talliesOfPlatformThread(carrier);
    }
  }

  /** Returns copies of all tallies, by shape; may be a few arenas behind threads at work. */
  public Map<Long, Tally> read() {
    return registry.read();
  }
}
