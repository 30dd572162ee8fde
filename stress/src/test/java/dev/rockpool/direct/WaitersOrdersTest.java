package dev.rockpool.direct;

import static dev.rockpool.stress.Interleavings.check;
import static dev.rockpool.stress.Interleavings.checkBreaks;
import static dev.rockpool.stress.Interleavings.checkModel;
import static dev.rockpool.stress.Interleavings.race;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * {@link Waiters} and {@link Budget} in all orders of steps: threads that enter as waiters, and
 * threads that refund. All of it but parking, which decides when a thread sees that it was served,
 * and not whether.
 */
class WaitersOrdersTest {
  private static final String NOT_SERVED = "waits, though there is room";
  private static final String PASSED = "took what a waiter was to get";
  private static final String NOT_EXACT = "in use";

  private static final long LIMIT = 2;

  /** A waiter, and whether it was served. */
  private interface Place {
    boolean isServed();
  }

  private interface Line {
    boolean tryCharge(long byteSize);

    Place enter(long byteSize);

    void refund(long byteSize);

    long inUse();

    int length();
  }

  private record Real(Budget budget) implements Line {
    Real() {
      this(new Budget(LIMIT, "the test"));
    }

    @Override
    public boolean tryCharge(long byteSize) {
      return budget.tryCharge(byteSize);
    }

    @Override
    public Place enter(long byteSize) {
      Waiters.Waiter waiter = budget.waiters().new Waiter(byteSize);
      budget.waiters().enter(waiter);
      return () -> waiter.is(Waiters.State.OFFERED);
    }

    @Override
    public void refund(long byteSize) {
      budget.waiters().refund(byteSize);
    }

    @Override
    public long inUse() {
      return budget.inUse();
    }

    @Override
    public int length() {
      return budget.waiters().length();
    }
  }

  /** The protocol in a few lines, for waiters of one size. */
  private static class Model implements Line {
    final AtomicLong inUse = new AtomicLong();
    final ArrayDeque<ModelPlace> places = new ArrayDeque<>();
    volatile boolean occupied;

    @Override
    public boolean tryCharge(long byteSize) {
      long now;
      do {
        now = inUse.get();
        if (byteSize > LIMIT - now) {
          return false;
        }
      } while (!inUse.compareAndSet(now, now + byteSize));
      return true;
    }

    @Override
    public synchronized Place enter(long byteSize) {
      ModelPlace place = new ModelPlace(byteSize);
      places.add(place);
      occupied = true;
      serve(0);
      return place;
    }

    @Override
    public void refund(long byteSize) {
      if (occupied) {
        serve(byteSize);
        return;
      }
      inUse.addAndGet(-byteSize);
      if (occupied) {
        serve(0);
      }
    }

    synchronized void serve(long inHand) {
      long rest = inHand;
      while (!places.isEmpty()) {
        long byteSize = places.getFirst().byteSize;
        if (rest >= byteSize) {
          rest -= byteSize;
        } else if (!tryCharge(byteSize - rest)) {
          break;
        } else {
          rest = 0;
        }
        places.removeFirst().served = true;
      }
      inUse.addAndGet(-rest);
      occupied = !places.isEmpty();
    }

    @Override
    public long inUse() {
      return inUse.get();
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

  /** One thread refunds what another one wants, who comes at the same time. */
  private static void comes(Line line) {
    line.tryCharge(LIMIT);
    Place[] places = new Place[1];
    race(() -> line.refund(LIMIT), () -> places[0] = line.enter(LIMIT));
    checkServed(places[0]);
    checkExact(line);
  }

  /** One thread refunds what two want, who come at the same time. */
  private static void twoCome(Line line) {
    line.tryCharge(LIMIT);
    Place[] places = new Place[2];
    race(
        () -> line.refund(LIMIT), () -> places[0] = line.enter(1), () -> places[1] = line.enter(1));
    checkServed(places[0]);
    checkServed(places[1]);
    checkExact(line);
  }

  /** One waits for what is refunded while a newcomer asks for it. */
  private static void newcomerAsks(Line line) {
    line.tryCharge(LIMIT);
    Place first = line.enter(LIMIT);
    boolean[] passed = new boolean[1];
    race(() -> line.refund(LIMIT), () -> passed[0] = line.tryCharge(LIMIT));
    if (passed[0]) {
      throw new AssertionError(PASSED);
    }
    checkServed(first);
    checkExact(line);
  }

  private static void checkServed(Place place) {
    if (!place.isServed()) {
      throw new AssertionError(NOT_SERVED);
    }
  }

  private static void checkExact(Line line) {
    if (line.inUse() != LIMIT || line.length() != 0) {
      throw new AssertionError(
          NOT_EXACT + " " + line.inUse() + " of " + LIMIT + ", waiting " + line.length());
    }
  }

  @Test
  void realServesWhoComes() {
    check(() -> comes(new Real()));
    check(() -> twoCome(new Real()));
  }

  @Test
  void realServesWhoWaitsBeforeANewcomer() {
    check(() -> newcomerAsks(new Real()));
  }

  @Test
  void model() {
    checkModel(() -> comes(new Model()));
    checkModel(() -> twoCome(new Model()));
    checkModel(() -> newcomerAsks(new Model()));
  }

  @Test
  void weakenedWhereOneLooksAndThenEnters() {
    class Weakened extends Model {
      @Override
      public Place enter(long byteSize) {
        ModelPlace place = new ModelPlace(byteSize);
        if (tryCharge(byteSize)) {
          place.served = true;
          return place;
        }
        synchronized (this) {
          places.add(place);
          occupied = true;
        }
        return place;
      }
    }
    checkBreaks(NOT_SERVED, () -> comes(new Weakened()));
  }

  @Test
  void weakenedWhereOneLooksAndThenRefunds() {
    class Weakened extends Model {
      @Override
      public void refund(long byteSize) {
        boolean waits = occupied;
        inUse.addAndGet(-byteSize);
        if (waits) {
          serve(0);
        }
      }
    }
    checkBreaks(NOT_SERVED, () -> comes(new Weakened()));
  }

  @Test
  void weakenedWhereBytesAreFreeForAnybodyFirst() {
    class Weakened extends Model {
      @Override
      public void refund(long byteSize) {
        inUse.addAndGet(-byteSize);
        if (occupied) {
          serve(0);
        }
      }
    }
    checkBreaks(PASSED, () -> newcomerAsks(new Weakened()));
  }
}
