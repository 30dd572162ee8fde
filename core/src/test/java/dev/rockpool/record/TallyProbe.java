package dev.rockpool.record;

import static java.util.Objects.requireNonNull;

import dev.rockpool.child.HeapEnd;
import dev.rockpool.child.StackEnd;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts arenas where the heap or the stack ends, and fails if one that was counted before is then
 * lost, or counted twice.
 */
public abstract class TallyProbe implements HeapEnd.Attempt {
  private static final long NEW_SHAPE = shape(Shape.SITES - 1);
  private static final int SHAPES = 16;
  private static final int MOST_COLLECTIONS = 100;

  /** With so many threads lists and tables are about to grow. */
  private static final int ENOUGH_TO_GROW = 24;

  private final List<Thread> threads = new ArrayList<>();
  TallyRegistry registry = new TallyRegistry();

  /** The number of arenas of a new shape to be counted. */
  int tries;

  /** Whether it was for certain. */
  boolean counted;

  TallyProbe(int threadCount) {
    for (int i = 0; i < threadCount; i++) {
      threads.add(new Thread()); // as good as ended
    }
  }

  private static long shape(int site) {
    return Shape.of(site, false, Shape.POOL, 0, 8, 16, 8, 1);
  }

  @Override
  public void prepare() {
    registry = new TallyRegistry();
    int site = 0;
    for (Thread thread : threads) {
      ThreadTallies tallies = registry.talliesOf(thread);
      for (int i = 0; i < SHAPES; i++) {
        requireNonNull(tallies.at(site)).count(shape(site++), 1, 8);
      }
    }
    tries = 0;
    counted = false;
  }

  @Override
  public void check() {
    long before = 0;
    for (Tally tally : registry.read().values()) {
      if (tally.shape() != NEW_SHAPE) {
        before += tally.arenas();
      }
    }
    expect(before == threads.size() * SHAPES, "counted before and not lost: " + before);
    Tally added = registry.read().get(NEW_SHAPE);
    long arenas = added == null ? 0 : added.arenas();
    expect(arenas <= tries && (arenas > 0 || !counted), "just counted: " + arenas);
  }

  private static void expect(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }

  /** The first arena that a thread closes. */
  static final class First extends TallyProbe {
    First() {
      super(ENOUGH_TO_GROW);
    }

    @Override
    public boolean run() {
      tries++;
      ThreadTallies tallies = registry.talliesOf(Thread.currentThread());
      if (tallies == null) {
        return false;
      }
      ThreadSite at = tallies.at(Shape.site(NEW_SHAPE));
      counted = at != null && at.count(NEW_SHAPE, 1, 8);
      if (!counted) {
        registry.count(NEW_SHAPE, 1, 8);
      }
      return counted;
    }
  }

  /** An arena of a thread that has no room of its own. */
  static final class Kept extends TallyProbe {
    Kept() {
      super(ENOUGH_TO_GROW);
    }

    @Override
    public void prepare() {
      super.prepare();
      registry.read(); // all that is counted is kept now
    }

    @Override
    public boolean run() {
      tries++;
      counted = registry.count(NEW_SHAPE, 1, 8);
      return counted;
    }
  }

  /** To read takes heap, and changes nothing. */
  static final class Read extends TallyProbe {
    Read() {
      super(1);
    }

    @Override
    public boolean run() {
      return !registry.read().isEmpty();
    }

    @Override
    public void check() {
      tries++;
      counted = registry.count(NEW_SHAPE, 1, 8);
      super.check();
    }
  }

  /** An arena that can't be opened is not counted as open. */
  private static class Opening implements HeapEnd.Attempt {
    private final int site = Sites.of("opening", SiteKind.CONFINED);
    @Nullable Arena opened;

    Opening() {
      RecordedArena.ofJdk(site).close(); // initializes what arenas need
    }

    @Override
    public boolean run() {
      opened = RecordedArena.ofJdk(site); // a pool has background tasks that need heap
      return true;
    }

    @Override
    public void check() {
      if (opened != null) {
        closeAgain(opened);
        opened = null;
      }
      Recorder.BySite bySite = new Recorder.BySite();
      bySite.read(Recorder.SHARED, site + 1);
      expect(bySite.live(site) == 0, "open at the site: " + bySite.live(site));
      ThreadTallies tallies = Recorder.SHARED.talliesOf(Thread.currentThread());
      expect(tallies == null || tallies.open == 0, "open on the thread");
      expectNoHolding(bySite);
    }

    /** One that could not be ended is ended by a collection, as the arena is unreachable. */
    private void expectNoHolding(Recorder.BySite bySite) {
      Site.Counts counts = Sites.SHARED.get(site).counts(bySite, site);
      for (int i = 0; i < MOST_COLLECTIONS && counts.live > 0; i++) {
        System.gc();
        Holdings.takeUnreachable();
        counts = Sites.SHARED.get(site).counts(bySite, site);
      }
      expect(counts.live == 0, "holdings: " + counts.live);
      expect(counts.leaked == 0, "leaked: " + counts.leaked);
    }

    void closeAgain(Arena arena) {
      arena.close();
    }
  }

  /** An arena whose close fails is not counted as open once it is closed again. */
  private static final class Closing extends Opening {
    @Override
    public void prepare() {
      super.run();
      requireNonNull(opened).allocate(Holdings.LARGE); // so that there is a holding
    }

    @Override
    public boolean run() {
      if (requireNonNull(opened).scope().isAlive()) { // else closed by the attempt before
        opened.close();
      }
      return true;
    }

    @Override
    void closeAgain(Arena arena) {
      try {
        arena.close();
      } catch (IllegalStateException closed) {
        expect(!arena.scope().isAlive(), "open yet");
      }
    }
  }

  private static void run(String end) throws Throwable {
    System.out.println("opening=" + new Opening().reachEndOf(end));
    if (end.equals("stack")) { // closing takes no heap
      System.out.println("closing=" + new Closing().reachEndOf(end));
    }
    System.out.println("first=" + new First().reachEndOf(end));
    System.out.println("kept=" + new Kept().reachEndOf(end));
    System.out.println("read=" + new Read().reachEndOf(end));
  }

  public static void main(String[] args) throws InterruptedException {
    StackEnd.onSmallStack(() -> run(args[0]));
  }
}
