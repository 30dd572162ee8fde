package dev.rockpool.child;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.Arenas;
import dev.rockpool.arena.PoolAudit;
import dev.rockpool.arena.PoolStatistics;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A hundred thousand platform threads, or as many as the argument says, each of which ends before
 * the next one starts.
 */
final class ThreadsOneAfterAnother {
  private static final int FEW = 100;
  private static final int LOOK_EVERY = 1_000;

  private static final AtomicReference<Throwable> FAILURE = new AtomicReference<>();

  private static long mostBytes;
  private static int mostThreads;

  private ThreadsOneAfterAnother() {}

  public static void main(String[] args) throws Exception {
    run(0, FEW);
    Figures.printMemory("few");
    run(FEW, args.length == 0 ? 100_000 : Integer.parseInt(args[0]));
    Figures.printMemory("many");
    Figures.print("most bytes kept", mostBytes);
    Figures.print("most threads", mostThreads);
    Figures.print("bound of threads", PoolAudit.mostBytesOfThreads(mostThreads));
    Figures.print("arenas closed", ArenaPool.shared().statistics().arenasClosed());
    Figures.print("by JDK", ArenaPool.shared().statistics().byJdk());
    PoolAudit.checkAtRest();
  }

  private static void run(int from, int to) throws InterruptedException {
    for (int number = from; number < to; number++) {
      int own = number;
      Thread.ofPlatform().start(() -> work(own)).join();
      if (FAILURE.get() != null) {
        throw new AssertionError(FAILURE.get());
      }
    }
  }

  private static void look() {
    PoolStatistics statistics = ArenaPool.shared().statistics();
    mostBytes = Math.max(mostBytes, statistics.bytesKept());
    mostThreads = Math.max(mostThreads, statistics.threads());
  }

  private static void work(int number) {
    long mark = (number + 1L) << 8;
    try (Arena outer = Arenas.ofConfined();
        Arena middle = Arenas.ofConfined();
        Arena inner = Arenas.ofConfined()) {
      Marked small = Marked.allocate(outer, 100 / Long.BYTES, mark);
      Marked medium = Marked.allocate(middle, 3000 / Long.BYTES, mark + 1);
      Marked large = Marked.allocate(inner, 6000 / Long.BYTES, mark + 2);
      small.check();
      medium.check();
      large.check();
    } catch (Throwable failure) {
      FAILURE.set(failure);
    }
    if (number % LOOK_EVERY == 0) {
      look();
    }
  }
}
