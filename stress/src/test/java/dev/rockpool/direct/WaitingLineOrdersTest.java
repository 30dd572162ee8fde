package dev.rockpool.direct;

import static dev.rockpool.stress.Interleavings.check;
import static dev.rockpool.stress.Interleavings.checkBreaks;
import static dev.rockpool.stress.Interleavings.checkModel;
import static dev.rockpool.stress.Interleavings.race;

import dev.rockpool.direct.WaitingLine.Waiter;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * {@link WaitingLine} and {@link Budget} in all orders of steps: threads that stand in line, and
 * threads that credit. All of it but parking, which decides when a thread sees that it was served,
 * and not whether.
 */
class WaitingLineOrdersTest {
  private static final String NOT_SERVED = "waits, though there is room";
  private static final String PASSED = "passed those who wait";
  private static final String NOT_EXACT = "reserved";

  private static final long LIMIT = 2;

  /** A place in line, and whether it was served. */
  private interface Place {
    boolean isServed();
  }

  private interface Line {
    boolean tryTake(long byteSize);

    Place enter(long byteSize);

    void credit(long byteSize);

    long reserved();

    int length();
  }

  private record Real(DirectMemory memory) implements Line {
    Real() {
      this(new DirectMemory(new Budget(LIMIT, "the test"), MemorySource.SYSTEM));
    }

    /** As at the start of {@link DirectMemory#reserve}. */
    @Override
    public boolean tryTake(long byteSize) {
      return !memory.line().isOccupied() && memory.tryReserve(byteSize);
    }

    @Override
    public Place enter(long byteSize) {
      Waiter waiter = new Waiter(byteSize);
      memory.line().enter(waiter);
      return () -> waiter.served != null && waiter.served;
    }

    @Override
    public void credit(long byteSize) {
      memory.credit(byteSize);
    }

    @Override
    public long reserved() {
      return memory.reserved();
    }

    @Override
    public int length() {
      return memory.line().length();
    }
  }

  /** The protocol in a few lines. */
  private static class Model implements Line {
    final AtomicLong reserved = new AtomicLong();
    final ArrayDeque<ModelPlace> places = new ArrayDeque<>();
    volatile boolean occupied;

    boolean tryReserve(long byteSize) {
      long now;
      do {
        now = reserved.get();
        if (byteSize > LIMIT - now) {
          return false;
        }
      } while (!reserved.compareAndSet(now, now + byteSize));
      return true;
    }

    @Override
    public boolean tryTake(long byteSize) {
      return !occupied && tryReserve(byteSize);
    }

    @Override
    public synchronized Place enter(long byteSize) {
      ModelPlace place = new ModelPlace(byteSize);
      places.add(place);
      occupied = true;
      serve();
      return place;
    }

    @Override
    public void credit(long byteSize) {
      reserved.addAndGet(-byteSize);
      if (occupied) {
        credited();
      }
    }

    synchronized void credited() {
      serve();
    }

    void serve() {
      while (!places.isEmpty() && tryReserve(places.getFirst().byteSize)) {
        places.removeFirst().served = true;
      }
      occupied = !places.isEmpty();
    }

    @Override
    public long reserved() {
      return reserved.get();
    }

    @Override
    public int length() {
      return places.size();
    }
  }

  private static final class ModelPlace implements Place {
    final long byteSize;
    volatile boolean served;

    ModelPlace(long byteSize) {
      this.byteSize = byteSize;
    }

    @Override
    public boolean isServed() {
      return served;
    }
  }

  /** One thread credits what another one wants, who comes at the same time. */
  private static void comes(Line line) {
    line.tryTake(LIMIT);
    Place[] places = new Place[1];
    race(() -> line.credit(LIMIT), () -> places[0] = line.enter(LIMIT));
    checkServed(places[0]);
    checkExact(line, 0);
  }

  /** One thread credits what two want, who come at the same time. */
  private static void twoCome(Line line) {
    line.tryTake(LIMIT);
    Place[] places = new Place[2];
    race(
        () -> line.credit(LIMIT), () -> places[0] = line.enter(1), () -> places[1] = line.enter(1));
    checkServed(places[0]);
    checkServed(places[1]);
    checkExact(line, 0);
  }

  /**
   * The first one in line needs what two threads credit, one half each. Neither the second one, for
   * whom a half is enough, nor somebody who does not wait gets anything.
   */
  private static void waitsForMore(Line line) {
    line.tryTake(LIMIT);
    Place first = line.enter(2);
    Place second = line.enter(1);
    boolean[] passed = new boolean[1];
    race(() -> line.credit(1), () -> line.credit(1), () -> passed[0] = line.tryTake(1));
    if (passed[0] || second.isServed()) {
      throw new AssertionError(PASSED);
    }
    checkServed(first);
    checkExact(line, 1);
  }

  private static void checkServed(Place place) {
    if (!place.isServed()) {
      throw new AssertionError(NOT_SERVED);
    }
  }

  private static void checkExact(Line line, int length) {
    if (line.reserved() != LIMIT || line.length() != length) {
      throw new AssertionError(
          NOT_EXACT + " " + line.reserved() + " of " + LIMIT + ", in line " + line.length());
    }
  }

  @Test
  void realServesWhoComes() {
    check(() -> comes(new Real()));
    check(() -> twoCome(new Real()));
  }

  @Test
  void realServesInOrder() {
    check(() -> waitsForMore(new Real()));
  }

  @Test
  void model() {
    checkModel(() -> comes(new Model()));
    checkModel(() -> twoCome(new Model()));
    checkModel(() -> waitsForMore(new Model()));
  }

  @Test
  void weakenedWhereOneLooksAndThenStandsInLine() {
    class Weakened extends Model {
      @Override
      public synchronized Place enter(long byteSize) {
        ModelPlace place = new ModelPlace(byteSize);
        places.add(place);
        serve();
        occupied = !place.served;
        return place;
      }

      @Override
      void serve() {
        while (!places.isEmpty() && tryReserve(places.getFirst().byteSize)) {
          places.removeFirst().served = true;
        }
      }
    }
    checkBreaks(NOT_SERVED, () -> comes(new Weakened()));
  }

  @Test
  void weakenedWhereOneLooksAndThenCredits() {
    class Weakened extends Model {
      @Override
      public void credit(long byteSize) {
        boolean waits = occupied;
        reserved.addAndGet(-byteSize);
        if (waits) {
          credited();
        }
      }
    }
    checkBreaks(NOT_SERVED, () -> comes(new Weakened()));
  }

  @Test
  void weakenedWhereTheLineIsNotLookedAt() {
    class Weakened extends Model {
      @Override
      public boolean tryTake(long byteSize) {
        return tryReserve(byteSize);
      }
    }
    checkBreaks(PASSED, () -> waitsForMore(new Weakened()));
  }
}
