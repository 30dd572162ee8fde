package dev.rockpool.child;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.Arenas;
import dev.rockpool.arena.PoolAudit;
import dev.rockpool.child.Carriers.Carrier;
import dev.rockpool.child.Carriers.Guest;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Carriers of virtual threads, each of which ends before the next one starts. Each carries a
 * virtual thread that opens arenas, and one that closes those it has opened on an earlier carrier.
 */
final class CarriersOneAfterAnother {
  private static final int CARRIERS = 2_000;

  /** Virtual threads that hold arenas whose carriers have ended; with the next one all slabs. */
  private static final int OUTLIVED = 2;

  private static final Carriers ALL = new Carriers();

  private static long mostBytes;
  private static int mostOwned;

  private CarriersOneAfterAnother() {}

  public static void main(String[] args) throws Throwable {
    Queue<Holder> holders = new ArrayDeque<>();
    for (int number = 0; number < CARRIERS; number++) {
      Carrier carrier = ALL.start();
      Holder holder = new Holder(number);
      carrier.carry(holder.guest, holder::open);
      holders.add(holder);
      if (holders.size() > OUTLIVED) {
        closeFirst(carrier, holders);
      }
      carrier.end();
      look();
    }
    Carrier last = ALL.start();
    while (!holders.isEmpty()) {
      closeFirst(last, holders);
    }
    last.end();
    Figures.print("most bytes of threads", mostBytes);
    Figures.print("most slabs owned", mostOwned);
    Figures.printMemory("after");
    Figures.print("bound of a thread", PoolAudit.mostBytesOfThreads(1));
    Figures.print("bound of shared slabs", PoolAudit.mostBytesShared());
    Figures.print("arenas closed", ArenaPool.shared().statistics().arenasClosed());
    Figures.print("served from slab", ArenaPool.shared().statistics().servedFromSlab());
    PoolAudit.checkAtRest();
  }

  private static void closeFirst(Carrier carrier, Queue<Holder> holders) throws Throwable {
    Holder first = holders.remove();
    carrier.carry(first.guest, first::checkAndClose);
  }

  /** Looks without cleaning up, as {@link ArenaPool#statistics()} would. */
  private static void look() {
    mostBytes = Math.max(mostBytes, PoolAudit.bytesOfThreads());
    mostOwned = Math.max(mostOwned, PoolAudit.owned());
  }

  /** A virtual thread that holds two arenas, one of which is to outgrow its slab elsewhere. */
  private static final class Holder {
    private final Guest guest = ALL.guest();
    private final long mark;
    private Arena small;
    private Arena grown;
    private Marked inSmall;
    private Marked inGrown;

    Holder(int number) {
      mark = (number + 1L) << 8;
    }

    void open() {
      small = Arenas.ofConfined();
      inSmall = Marked.allocate(small, 100 / Long.BYTES, mark);
      grown = Arenas.ofConfined();
      inGrown = Marked.allocate(grown, 400 / Long.BYTES, mark + 1);
      try (Arena brief = Arenas.ofConfined()) {
        Marked.allocate(brief, 500 / Long.BYTES, mark + 2).check();
      }
    }

    void checkAndClose() {
      Marked.allocate(grown, 400 / Long.BYTES, mark + 3).check();
      inGrown.check();
      inSmall.check();
      grown.close();
      small.close();
    }
  }
}
