package dev.rockpool.record;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.record.ArenaEvents.Unreported;
import dev.rockpool.record.Recorder.BySite;
import dev.rockpool.record.Recorder.OpenOnVirtual;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Counting: by one thread, by many, and what is left of those that have ended. */
class RecorderTest {
  private final Recorder recorder = Recorder.create();

  @Test
  void eachShapeIsCountedOnItsOwn() {
    for (int i = 0; i < 1000; i++) {
      count(shape(i % 10), 2, i % 10);
    }

    Map<Long, Tally> counted = recorder.read();
    assertThat(counted).hasSize(10);
    for (int total = 0; total < 10; total++) {
      Tally tally = counted.get(shape(total));
      assertThat(tally.arenas()).isEqualTo(100);
      assertThat(tally.allocations()).isEqualTo(200);
      assertThat(tally.bytes()).isEqualTo(100L * total);
      assertThat(tally.most()).isEqualTo(total);
    }
  }

  @Test
  void moreShapesThanAThreadHasRoomForAreCountedToo() {
    int shapes = 3 * ThreadTallies.MOST;
    for (int round = 0; round < 3; round++) {
      for (int site = 0; site < shapes; site++) {
        count(Shape.of(site, false, Shape.POOL, 0, 8, 16, 8, 1), 1, 8);
      }
    }

    Map<Long, Tally> counted = recorder.read();
    assertThat(counted).hasSize(shapes);
    assertThat(counted.values()).allSatisfy(tally -> assertThat(tally.arenas()).isEqualTo(3));
  }

  @Test
  void figuresOfManyThreadsAreExactOnceTheyHaveEnded() throws Exception {
    int threads = 200;
    int arenas = 5000;
    runAll(Thread.ofPlatform(), threads, arenas);

    assertTotals((long) threads * arenas);
    assertThat(recorder.registry().threads()).isZero();
  }

  @Test
  void figuresOfManyVirtualThreadsAreExactOnceTheyHaveEnded() throws Exception {
    runAll(Thread.ofVirtual(), 500, 1000);

    assertTotals(500_000);
  }

  @Test
  void threadsThatCameAndWentAreNotKept() throws Exception {
    for (int i = 0; i < 1000; i++) {
      Thread.ofPlatform().start(() -> count(shape(1), 1, 1)).join();
    }

    assertThat(recorder.registry().threads()).isLessThan(10);
    assertTotals(1000);
  }

  @Test
  void readWhileThreadsAreAtWorkFiguresNeverGoDown() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    Thread worker =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < 2_000_000; i++) {
                    count(shape(i % 50), 1, i % 50);
                    started.countDown();
                  }
                });
    started.await();
    Unreported unreported = new Unreported(recorder);
    long sum = 0;
    boolean ended;
    do {
      ended = !worker.isAlive();
      for (Tally since : unreported.next()) {
        assertThat(since.arenas()).isNotNegative();
        assertThat(since.bytes()).isNotNegative();
        sum += since.arenas();
      }
    } while (!ended);

    assertThat(sum).isEqualTo(2_000_000);
  }

  @Test
  void whatWasReportedIsNotReportedAgain() {
    Unreported first = new Unreported(recorder);
    Unreported second = new Unreported(recorder);
    count(shape(3), 1, 3);
    assertThat(first.next()).singleElement().extracting(Tally::arenas).isEqualTo(1L);
    assertThat(first.next()).isEmpty();

    count(shape(3), 1, 3);
    count(shape(4), 1, 4);

    assertThat(first.next()).extracting(Tally::arenas).containsExactlyInAnyOrder(1L, 1L);
    assertThat(second.next()).extracting(Tally::arenas).containsExactlyInAnyOrder(2L, 1L);
  }

  @Test
  void depthIsHowManyAreOpen() {
    Thread current = Thread.currentThread();
    ThreadSite at = requireNonNull(recorder.threadSite(0, current, false));
    for (int depth = 0; depth < 20; depth++) {
      assertThat(recorder.opened(current, at, false)).isEqualTo(depth);
    }
    for (int i = 0; i < 20; i++) {
      recorder.notOpen(current, at, false, i); // the first opened is closed first
    }
    assertThat(recorder.opened(current, at, false)).isZero();
  }

  @Test
  void depthOnVirtualThreadsIsNeverTooLarge() {
    OpenOnVirtual open = OpenOnVirtual.create();
    for (int round = 0; round < 3; round++) {
      for (long id = 1; id < 100_000; id++) {
        assertThat(open.opened(id)).isZero();
        open.closed(id);
      }
    }
    assertThat(open.opened(7)).isZero();
    assertThat(open.opened(7)).isEqualTo(1);
    assertThat(open.opened(7)).isEqualTo(2);
    open.closed(7);
    assertThat(open.opened(7)).isEqualTo(2);
    for (long id = 100; id < 100_000; id++) {
      open.opened(id);
    }
    open.closed(7);
    assertThat(open.opened(7)).as("its place was taken meanwhile").isZero();
  }

  @Test
  void sitesBeyondTheMostShareOneForEachKind() {
    Sites sites = new Sites();
    int first = sites.size();
    for (int i = 0; i < Sites.MOST; i++) {
      assertThat(sites.number("Class" + i, i % 2)).isEqualTo(first + i);
    }
    for (int kind = 0; kind < SiteKind.COUNT; kind++) {
      int others = sites.number("OneMore", kind);
      assertThat(others).isEqualTo(Sites.OTHERS + kind);
      assertThat(sites.get(others).name).isEqualTo("(others)");
      assertThat(sites.get(others).kind).isEqualTo(kind);
    }
    assertThat(sites.number("Class17", 1)).isEqualTo(first + 17);
    assertThat(sites.get(first + 17).name).isEqualTo("Class17");
  }

  @Test
  void namesOfSitesAreBounded() {
    Sites sites = new Sites();
    Site site = sites.get(sites.number("a".repeat(60_000) + ".open:7", SiteKind.SHARED));
    assertThat(site.name).hasSize(Sites.LONGEST_NAME).startsWith("...a").endsWith("a.open:7");
  }

  @Test
  void memoryIsBoundedHoweverManyShapesThereAre() throws Exception {
    int sites = 200;
    int totals = 100;
    int footprints = 100;
    Thread.ofPlatform()
        .start(
            () -> {
              for (int site = 0; site < sites; site++) {
                for (int total = 0; total < totals; total++) {
                  for (int footprint = 0; footprint < footprints; footprint++) {
                    count(
                        Shape.of(
                            site,
                            false,
                            Shape.POOL,
                            0,
                            Shape.lower(total),
                            16L << footprint % 60,
                            footprint,
                            1),
                        1,
                        1);
                  }
                }
              }
            })
        .join();

    assertTotals((long) sites * totals * footprints);
    assertThat(recorder.read().size())
        .isLessThan(TallyRegistry.MOST_KEPT + totals * footprints + ThreadTallies.MOST + 1);
  }

  /** With the table full, an arena of a new site is counted elsewhere, but not as a first one. */
  @Test
  void inAFullTableEachArenaIsNotChosenAgain() {
    int kept = 0;
    for (int site = 0; kept < TallyRegistry.MOST_KEPT; site++) {
      for (int total = 0; total < 1 << 12; total++, kept++) {
        recorder
            .registry()
            .count(Shape.of(site, false, 0, 0, total & 63, total >> 6 << 4, 1, 1), 1, 1);
        recorder.registry().opens(site, 1);
      }
    }
    int site = 100;
    ThreadSite at = requireNonNull(recorder.threadSite(site, Thread.currentThread(), false));
    int chosen = 0;
    int arenas = 1000;
    for (int i = 0; i < arenas; i++) {
      chosen += Holdings.isChosen(at.opened++) ? 1 : 0;
      recorder.closed(at, false, shapeAt(site), 1, 8);
      chosen += Holdings.isChosen(recorder.registry().opens(site, 1)) ? 1 : 0;
      recorder.registry().count(shapeAt(site), 1, 8);
    }

    assertThat(chosen).isLessThanOrEqualTo(2);
    BySite counted = new BySite().read(recorder, site + 1);
    assertThat(counted.closed[site]).isZero();
    assertThat(counted.closed[Sites.OTHERS] - (1 << 12)).isEqualTo(2 * arenas);
    assertThat(counted.live(site)).isZero();
    assertThat(counted.live(Sites.OTHERS)).isZero();
  }

  @Test
  void inAFullTableAnOpeningThatIsTakenBackDoesNotCount() {
    for (int shape = 0; shape < TallyRegistry.MOST_KEPT; shape++) {
      recorder
          .registry()
          .count(
              Shape.of(shape >> 12, false, 0, 0, shape & 63, (shape >> 6 & 63) << 4, 1, 1), 1, 1);
    }
    int before = recorder.registry().opens(3, 1);
    recorder.tryToTakeBack(3, Thread.currentThread(), false, true);
    assertThat(recorder.registry().opens(3, 1)).isEqualTo(before);
  }

  private static long shapeAt(int site) {
    return Shape.of(site, false, Shape.JDK, 1, 8, 16, 8, 1);
  }

  /** Each of two threads has one arena open at most, of many shapes, which take long to read. */
  @Test
  void readWhileThreadsAreAtWorkNoMoreAreLiveThanWereOpenAtOnce() throws Exception {
    int site = 3;
    int threads = 2;
    List<Thread> workers = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      workers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    ThreadSite at =
                        requireNonNull(recorder.threadSite(site, Thread.currentThread(), false));
                    for (int i = 0; i < 5_000_000; i++) {
                      at.opened++;
                      recorder.closed(
                          at, false, Shape.of(site, false, 0, 0, i & 511, i & 511, 8, 1), 1, 8);
                    }
                  }));
    }
    BySite sums = new BySite();
    long most = 0;
    while (workers.stream().anyMatch(Thread::isAlive)) {
      most = Math.max(most, sums.read(recorder, site + 1).live(site));
    }
    assertThat(most).isLessThanOrEqualTo(threads);
    assertThat(sums.read(recorder, site + 1).live(site)).isZero();
  }

  private static long shape(int total) {
    return Shape.of(1, false, Shape.POOL, 0, total, 16, total, 1);
  }

  private void count(long shape, long allocations, long bytes) {
    Thread current = Thread.currentThread();
    boolean isVirtual = current.isVirtual();
    ThreadSite at = recorder.threadSite(Shape.site(shape), current, isVirtual);
    int depth = recorder.opened(current, at, isVirtual);
    recorder.notOpen(current, at, isVirtual, depth);
    recorder.closed(at, isVirtual, shape, allocations, bytes);
  }

  private void runAll(Thread.Builder kind, int threads, int arenas) throws Exception {
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      all.add(
          kind.start(
              () -> {
                for (int i = 0; i < arenas; i++) {
                  count(shape(i % 50), 1, i % 50);
                }
              }));
    }
    for (Thread each : all) {
      each.join();
    }
  }

  private void assertTotals(long arenas) {
    assertThat(recorder.read().values().stream().mapToLong(Tally::arenas).sum()).isEqualTo(arenas);
  }
}
