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
 * The last one ends while a virtual thread that it carried waits to have its blocks made.
 */
final class EndedCarriers {
  private static final int CARRIERS = 1_000;

  /** Virtual threads that hold arenas whose carriers have ended. */
  private static final int OUTLIVED = 2;

  private static final Carriers ALL = new Carriers();

  private EndedCarriers() {}

  public static void main(String[] args) throws Throwable {
    Queue<Holder> holders = new ArrayDeque<>();
    long mostBytes = 0;
    for (int number = 0; number < CARRIERS; number++) {
      Carrier carrier = ALL.start();
      Holder holder = new Holder(number);
      carrier.carry(holder.guest, holder::open);
      holders.add(holder);
      if (holders.size() > OUTLIVED) {
        closeFirst(carrier, holders);
      }
      mostBytes = Math.max(mostBytes, ArenaPool.shared().statistics().bytesKept());
      carrier.end();
    }
    Carrier last = ALL.start();
    while (!holders.isEmpty()) {
      closeFirst(last, holders);
    }
    last.end();
    Figures.print("most bytes of threads", mostBytes);
    Figures.print("bound of threads", PoolAudit.mostBytesOfThreads(2));
    endWhileBlocksAreMade();
    Figures.printMemory("after");
    Figures.print("bytes shared", PoolAudit.bytesShared());
    Figures.print("arenas closed", ArenaPool.shared().statistics().arenasClosed());
    Figures.print("by JDK", ArenaPool.shared().statistics().byJdk());
    PoolAudit.checkAtRest();
  }

  private static void closeFirst(Carrier carrier, Queue<Holder> holders) throws Throwable {
    Holder first = holders.remove();
    carrier.carry(first.guest, first::checkAndClose);
  }

  /** A virtual thread that waits for a lock is carried by nobody, and so nobody waits for it. */
  private static void endWhileBlocksAreMade() throws Throwable {
    Carrier first = ALL.start();
    Holder holder = new Holder(CARRIERS);
    synchronized (PoolAudit.lock()) {
      holder.guest.offer(
          () -> {
            holder.open();
            holder.checkAndClose();
          });
      first.carryOnce();
      if (!holder.guest.isBusy()) {
        throw new AssertionError("did not wait for the lock");
      }
      first.end();
    }
    Carrier second = ALL.start();
    second.carry(holder.guest);
    second.end();
  }

  /** A virtual thread that holds two arenas, one of which is to outgrow its block elsewhere. */
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
