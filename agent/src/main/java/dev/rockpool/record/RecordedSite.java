package dev.rockpool.record;

import dev.rockpool.record.Callers.Stack;
import dev.rockpool.record.HolderEvents.ArenaSiteEvent;
import dev.rockpool.record.HolderEvents.HolderSiteEvent;
import dev.rockpool.record.HolderEvents.HolderStackEvent;
import dev.rockpool.record.HolderEvents.NativeMemoryEvent;
import dev.rockpool.record.Recorder.Sums;
import dev.rockpool.record.Site.Kind;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What a recording knows of one {@link Site}: its open holdings, and the counts of all that it has
 * had. Of confined arenas only the followed ones have a holding, see {@link Holdings}; {@link
 * Recorder} counts all of them. Events have the counts, and are written again and again. Everything
 * is guarded by this.
 */
final class RecordedSite {
  /** Most different stacks of a site; a holding with a further stack is counted without. */
  private static final int MOST_STACKS = 8;

  /** The first holdings of a site all have a stack; then time must pass, as a stack takes long. */
  private static final int FIRST_STACKS = 8;

  private static final long STACK_PAUSE_NANOS = 500_000_000;

  /** Following a confined arena takes some microseconds, which shorter ones do not live. */
  private static final long SHORTEST_LIFE_NANOS = 100_000;

  /** By number; null for sites of which nothing was recorded. */
  private static final AtomicReferenceArray<@Nullable RecordedSite> ALL =
      new AtomicReferenceArray<>(Site.CAPACITY);

  private static int frames;
  private static boolean takesAllStacks;

  final Site site;
  final String name;
  final Kind kind;
  private final int number;
  private final long sinceNanos = System.nanoTime();
  private final HolderSiteEvent counts;

  /** Closed confined arenas that an event has. */
  private SiteCounts reported = new SiteCounts(0);

  /** The open ones, the oldest first. */
  private final Set<Holding> open = new LinkedHashSet<>();

  private final Map<Stack, HolderStackEvent> stacks = new LinkedHashMap<>();
  private int stackTurns;
  private long lastStackNanos;
  private @Nullable Holding global;

  private final Lifetimes lives = new Lifetimes();
  private final Growth growth = new Growth();

  /** Whether only a collection frees what this site opens. */
  private boolean isCollected;

  private RecordedSite(Site site) {
    this.site = site;
    name = site.name;
    kind = site.kind;
    number = site.number;
    counts = new HolderSiteEvent(kind.text(), name);
  }

  static RecordedSite get(int number) {
    RecordedSite known = ALL.get(number);
    if (known == null) {
      ALL.compareAndSet(number, null, new RecordedSite(Site.get(number)));
      known = Objects.requireNonNull(ALL.get(number));
    }
    return known;
  }

  /** Returns the records of all sites that were made, also of those that hold nothing. */
  static List<RecordedSite> all() {
    List<RecordedSite> all = new ArrayList<>();
    for (Site each : Site.all()) {
      all.add(get(each.number));
    }
    return all;
  }

  /**
   * Has stacks noted, of all holdings or some.
   *
   * @param mostFrames of a stack; 0 for no stacks
   */
  static void noteStacks(int mostFrames, boolean areAll) {
    frames = mostFrames;
    takesAllStacks = areAll;
  }

  static void startAnew() {
    for (Site each : Site.all()) {
      ALL.set(each.number, new RecordedSite(each));
    }
  }

  static long mostLiveBytes(Kind kind) {
    long most = 0;
    for (RecordedSite each : all()) {
      synchronized (each) {
        most = each.kind == kind ? Math.max(most, each.counts.mostLiveBytes) : most;
      }
    }
    return most;
  }

  static void writeAll() {
    Sums sums = sums();
    all().forEach(site -> site.write(sums));
  }

  /** Stacks are long, and apart from sites, because those may be watched. */
  static void writeAllStacks() {
    Watched.takeUnreachable();
    all().forEach(RecordedSite::writeStacks);
  }

  static Map<Kind, NativeMemoryEvent> kinds() {
    Sums sums = sums();
    Map<Kind, NativeMemoryEvent> kinds = new EnumMap<>(Kind.class);
    all().forEach(site -> site.addTo(kinds, sums));
    return kinds;
  }

  /** Notes that the resident set of the process has never been as high as now. */
  static void noteAtPeak() {
    Sums sums = sums();
    all().forEach(site -> site.notePeak(sums));
  }

  private static Sums sums() {
    Watched.takeUnreachable();
    return Recorder.read();
  }

  /** Returns the holding of the global arena's allocations at this site. */
  synchronized Holding global(Arena arena) {
    Holding known = global;
    if (known == null) {
      known = new Holding(arena.scope(), this, false, false).opened();
      global = known;
    }
    return known;
  }

  /** Returns the counts of the stack to note for the next holding, or null for none. */
  @Nullable HolderStackEvent takeStack() {
    return frames == 0 || !(takesAllStacks || wantsStack())
        ? null
        : countsOf(Callers.stack(frames));
  }

  private synchronized boolean wantsStack() {
    long now = System.nanoTime();
    if (stackTurns >= FIRST_STACKS && now - lastStackNanos < STACK_PAUSE_NANOS) {
      return false;
    }
    stackTurns = Math.min(stackTurns + 1, FIRST_STACKS);
    lastStackNanos = now;
    return true;
  }

  /** Returns the counts of a stack; null if there are too many with something live. */
  synchronized @Nullable HolderStackEvent countsOf(Stack stack) {
    HolderStackEvent known = stacks.get(stack);
    if (known == null && (stacks.size() < MOST_STACKS || forgetOneStack())) {
      known = new HolderStackEvent(kind.text(), name, stack);
      stacks.put(stack, known);
    }
    return known;
  }

  /**
   * Forgets a stack that holds nothing: it tells least of a leak. Returns whether there was one.
   */
  private boolean forgetOneStack() {
    for (HolderStackEvent each : stacks.values()) {
      if (each.live == 0 && each.leaked == 0) {
        return stacks.values().remove(each);
      }
    }
    return false;
  }

  synchronized void opened(Holding holding, boolean isVirtual) {
    open.add(holding);
    site.count(1);
    counts.opened++;
    counts.live++;
    counts.onVirtual += isVirtual ? 1 : 0;
    if (kind != Kind.CONFINED) {
      counts.mostLive = Math.max(counts.mostLive, counts.live);
    }
    isCollected = !holding.needsClose && kind != Kind.GLOBAL;
    HolderStackEvent stack = holding.stack;
    if (stack != null) {
      stack.opened++;
      stack.live++;
    }
  }

  /** Counts an allocation, not of a confined arena. */
  synchronized void allocated(Holding holding, long byteSize, long threadId) {
    if (open.contains(holding)) {
      countUser(holding, threadId);
      holding.bytes += byteSize;
      counts.allocations++;
      counts.bytes += byteSize;
      counts.liveBytes += byteSize;
      counts.mostLiveBytes = Math.max(counts.mostLiveBytes, counts.liveBytes);
      counts.largest = Math.max(counts.largest, holding.bytes);
    }
  }

  synchronized void refused() {
    counts.outOfMemory++;
  }

  private void countUser(Holding holding, long threadId) {
    if (threadId != holding.opener && !holding.isUsedByOthers) {
      holding.isUsedByOthers = true;
      counts.byOthers++;
    }
  }

  /**
   * Ends a holding; does nothing if it has ended.
   *
   * @param leaks whether the memory stays allocated
   * @param threadId the closing thread's; the opener's if no thread closed
   */
  synchronized void ended(Holding holding, boolean leaks, long threadId, long closeNanos) {
    if (!open.remove(holding)) {
      return;
    }
    site.count(-1);
    countUser(holding, threadId);
    counts.largest = Math.max(counts.largest, holding.bytes);
    HolderStackEvent stack = holding.stack;
    if (!leaks) {
      counts.closed++;
      counts.live--;
      counts.liveBytes -= holding.bytes;
      counts.closeTime += closeNanos;
      counts.longestClose = Math.max(counts.longestClose, closeNanos);
      countLife(System.nanoTime() - holding.openedNanos, holding.isFair);
      countLiveOf(stack);
    } else if (kind != Kind.CONFINED || holding.bytes > 0) {
      if (kind == Kind.OWNER_COLLECTED) { // the collector frees its memory
        counts.live--;
        countLiveOf(stack);
      }
      counts.leaked++;
      counts.leakedBytes += holding.bytes;
      if (stack != null) {
        stack.leaked++;
        stack.leakedBytes += holding.bytes;
      }
    }
  }

  private static void countLiveOf(@Nullable HolderStackEvent stack) {
    if (stack != null) {
      stack.live--;
    }
  }

  private void countLife(long nanos, boolean isFair) {
    counts.longestLife = Math.max(counts.longestLife, nanos);
    if (isFair) {
      lives.add(nanos);
    }
  }

  private long lifeMedian() {
    long median = lives.median();
    return kind == Kind.CONFINED && median < SHORTEST_LIFE_NANOS ? 0 : median;
  }

  /**
   * Notes the live bytes, a second or so after the last time. Of memory that a collection frees,
   * only what has outlived one counts. Of owners of C memory, the reachable ones count instead of
   * bytes.
   *
   * @param survivorsBefore when the last collection had not begun yet, if one has run
   */
  synchronized void look(Sums sums, boolean hasCollected, long survivorsBefore) {
    if (isCollected && !hasCollected) {
      return;
    }
    growth.note(
        isCollected
            ? openedBefore(survivorsBefore).byteSize
            : kind.isOwner() ? open.size() : countsNow(sums).liveBytes);
  }

  /** Notes what is still open of what was opened when a full collection had not begun yet. */
  synchronized void lookAfterFull(long beganAfter) {
    if (isCollected) {
      Opened kept = openedBefore(beganAfter);
      counts.fullCollections++;
      counts.keptByFull = kept.number;
      counts.bytesKeptByFull = kept.byteSize;
    }
  }

  private record Opened(long number, long byteSize) {}

  private Opened openedBefore(long nanos) {
    long number = 0;
    long byteSize = 0;
    for (Holding each : open) {
      if (each.openedNanos - nanos >= 0) {
        break;
      }
      number++;
      byteSize += each.bytes;
    }
    return new Opened(number, byteSize);
  }

  synchronized void write(Sums sums) {
    if (countsNow(sums).opened + counts.outOfMemory > 0) {
      counts.commit();
    }
  }

  synchronized void writeClosed(Sums sums) {
    SiteCounts all = sums.ofSite(number);
    SiteCounts since = all.closedSince(reported);
    if (since.closed() > 0) {
      new ArenaSiteEvent(name, since).commit();
    }
    reported = all;
  }

  synchronized void writeStacks() {
    for (HolderStackEvent stack : stacks.values()) {
      stack.liveBytes = stack.leakedBytes;
      for (Holding each : open) {
        stack.liveBytes += stack.equals(each.stack) ? each.bytes : 0;
      }
      stack.commit();
    }
  }

  synchronized void addTo(Map<Kind, NativeMemoryEvent> kinds, Sums sums) {
    if (countsNow(sums).opened > 0) {
      kinds.computeIfAbsent(kind, NativeMemoryEvent::new).add(counts);
    }
  }

  synchronized void notePeak(Sums sums) {
    HolderSiteEvent now = countsNow(sums);
    now.liveAtPeak = now.live;
    now.liveBytesAtPeak = now.liveBytes;
  }

  synchronized HolderSiteEvent countsNow(Sums sums) {
    long now = System.nanoTime();
    counts.age = now - sinceNanos;
    counts.oldest = open.isEmpty() ? 0 : now - open.iterator().next().openedNanos;
    counts.lifeMedian = lifeMedian();
    counts.growing = growth.seconds();
    if (kind == Kind.CONFINED) {
      SiteCounts all = sums.ofSite(number);
      counts.closed = all.closed();
      counts.live = all.live();
      counts.opened = counts.closed + counts.live;
      counts.onVirtual = sums.at(Recorder.index(number, true)).opened;
      counts.unclosedByEnded = all.unclosedByEnded;
      counts.allocations = all.allocations;
      counts.bytes = all.bytes;
      counts.liveBytes = all.liveBytes();
      counts.largest = Math.max(counts.largest, all.largest());
      for (Holding each : open) {
        counts.largest = Math.max(counts.largest, each.bytes);
      }
      counts.mostLive =
          Math.max(counts.mostLive, Math.max(counts.live, Math.min(1, counts.opened)));
      counts.mostLiveBytes =
          Math.max(counts.mostLiveBytes, Math.max(counts.liveBytes, counts.largest));
    }
    return counts;
  }
}
