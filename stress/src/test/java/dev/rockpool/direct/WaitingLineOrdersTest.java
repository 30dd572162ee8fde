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
 * {@link WaitingLine} and {@link Budget} in all orders of steps: threads that stand in line, give
 * up, and credit. All of it but parking, which decides when a thread sees that it was served, and
 * not whether.
 */
class WaitingLineOrdersTest {
  private static final String NOT_SERVED = "waits, though there is room";
  private static final String PASSED = "passed those who wait";
  private static final String NOT_EXACT = "reserved";

  private static final long LIMIT = 2;

  /** A place in line, and whether it was served. */
  private interface Place {
    boolean isServed();

    /** Says whether it was not served before. Else it was, and has what it waited for. */
    boolean givesUp();
  }

  private interface Line {
    boolean reservesNow(long byteSize);

    Place enter(long byteSize);

    void credit(long byteSize);

    long reserved();

    int length();
  }

  private record Real(Budget budget) implements Line {
    Real() {
      this(new Budget(LIMIT, "the test"));
    }

    @Override
    public boolean reservesNow(long byteSize) {
      return budget.reservesNow(byteSize);
    }

    @Override
    public Place enter(long byteSize) {
      Waiter waiter = new Waiter(byteSize);
      budget.line().enter(waiter);
      return new RealPlace(budget, waiter);
    }

    @Override
    public void credit(long byteSize) {
      budget.credit(byteSize);
    }

    @Override
    public long reserved() {
      return budget.reserved();
    }

    @Override
    public int length() {
      return budget.line().length();
    }
  }

  private record RealPlace(Budget budget, Waiter waiter) implements Place {
    @Override
    public boolean isServed() {
      return waiter.served;
    }

    /** As at the end of {@link WaitingLine#await}. */
    @Override
    public boolean givesUp() {
      waiter.gone = true;
      if (!waiter.served) {
        budget.line().leave(waiter);
      }
      return !waiter.served;
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
    public boolean reservesNow(long byteSize) {
      return !occupied && tryReserve(byteSize);
    }

    @Override
    public synchronized Place enter(long byteSize) {
      ModelPlace place = new ModelPlace(this, byteSize);
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

    synchronized boolean givesUp(ModelPlace place) {
      if (places.remove(place)) {
        serve();
      }
      return !place.served;
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
    private final Model line;
    final long byteSize;
    volatile boolean served;

    ModelPlace(Model line, long byteSize) {
      this.line = line;
      this.byteSize = byteSize;
    }

    @Override
    public boolean isServed() {
      return served;
    }

    @Override
    public boolean givesUp() {
      return line.givesUp(this);
    }
  }

  /** One thread credits what another one wants, who comes at the same time. */
  private static void comes(Line line) {
    line.reservesNow(LIMIT);
    Place[] places = new Place[1];
    race(() -> line.credit(LIMIT), () -> places[0] = line.enter(LIMIT));
    checkServed(places[0]);
    checkExact(line, 0);
  }

  /** One thread credits what two want, who come at the same time. */
  private static void twoCome(Line line) {
    line.reservesNow(LIMIT);
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
    line.reservesNow(LIMIT);
    Place first = line.enter(2);
    Place second = line.enter(1);
    boolean[] passed = new boolean[1];
    race(() -> line.credit(1), () -> line.credit(1), () -> passed[0] = line.reservesNow(1));
    if (passed[0] || second.isServed()) {
      throw new AssertionError(PASSED);
    }
    checkServed(first);
    checkExact(line, 1);
  }

  /**
   * The first one in line gives up, while somebody credits what is enough for it, or for the next.
   */
  private static void givesUp(Line line) {
    line.reservesNow(LIMIT);
    Place first = line.enter(1);
    Place second = line.enter(1);
    race(
        () -> line.credit(1),
        () -> {
          if (!first.givesUp()) {
            line.credit(1);
          }
        });
    checkServed(second);
    checkExact(line, 0);
  }

  /** The first one in line needs more than there is, and gives up. */
  private static void makesWay(Line line) {
    line.reservesNow(LIMIT);
    Place first = line.enter(2);
    Place second = line.enter(1);
    race(() -> line.credit(1), first::givesUp);
    checkServed(second);
    checkExact(line, 0);
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
  void realServesTheNextWhenOneGivesUp() {
    check(() -> givesUp(new Real()));
    check(() -> makesWay(new Real()));
  }

  @Test
  void model() {
    checkModel(() -> comes(new Model()));
    checkModel(() -> twoCome(new Model()));
    checkModel(() -> waitsForMore(new Model()));
    checkModel(() -> givesUp(new Model()));
    checkModel(() -> makesWay(new Model()));
  }

  @Test
  void weakenedWhereOneLooksAndThenStandsInLine() {
    class Weakened extends Model {
      @Override
      public synchronized Place enter(long byteSize) {
        ModelPlace place = new ModelPlace(this, byteSize);
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
      public boolean reservesNow(long byteSize) {
        return tryReserve(byteSize);
      }
    }
    checkBreaks(PASSED, () -> waitsForMore(new Weakened()));
  }

  @Test
  void weakenedWhereOneGivesUpAfterALook() {
    class Weakened extends Model {
      @Override
      boolean givesUp(ModelPlace place) {
        boolean givesUp = !place.served;
        super.givesUp(place);
        return givesUp;
      }
    }
    checkBreaks(NOT_SERVED, () -> givesUp(new Weakened()));
  }

  @Test
  void weakenedWhereNobodyIsServedWhenOneGivesUp() {
    class Weakened extends Model {
      @Override
      synchronized boolean givesUp(ModelPlace place) {
        places.remove(place);
        return !place.served;
      }
    }
    checkBreaks(NOT_SERVED, () -> makesWay(new Weakened()));
  }
}
