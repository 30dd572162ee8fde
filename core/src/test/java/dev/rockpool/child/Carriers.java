package dev.rockpool.child;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rockpool.arena.ThreadKind.Task;
import java.lang.reflect.Constructor;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Carriers of virtual threads that come and go when a test says so: platform threads, and a
 * scheduler that does no more than keep what is ready to be carried. What happens is the same each
 * time, as long as one carrier is asked at a time.
 *
 * <p>The JDK has no public way to a scheduler of one's own. This takes {@code --add-opens
 * java.base/java.lang=ALL-UNNAMED}.
 */
public final class Carriers {
  private final BlockingQueue<Runnable> ready = new LinkedBlockingQueue<>();
  private final Thread.Builder.OfVirtual virtual = virtualThreadsOn(ready::add);

  /** Skips a test on a JVM whose virtual threads are threads of the system, as on s390x. */
  static void assumeThatThereAreSome() {
    assumeTrue(
        Thread.ofVirtual()
            .unstarted(() -> {})
            .getClass()
            .getName()
            .equals("java.lang.VirtualThread"),
        "virtual threads have no carriers on this JVM");
  }

  /** Virtual threads that go on when, and where, {@code scheduler} runs what it is given. */
  static Thread.Builder.OfVirtual virtualThreadsOn(Executor scheduler) {
    try {
      Constructor<?> builder =
          Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
              .getDeclaredConstructor(Executor.class);
      builder.setAccessible(true);
      return (Thread.Builder.OfVirtual) builder.newInstance(scheduler);
    } catch (ReflectiveOperationException otherJdk) {
      throw new AssertionError("no scheduler of one's own on this JDK", otherJdk);
    }
  }

  /** A virtual thread that does one thing after another, when it is carried. */
  public final class Guest {
    private final Thread thread = virtual.unstarted(this::run);
    private volatile Task task;
    private volatile Throwable failure;

    private void run() {
      while (true) {
        Task next = task;
        if (next == null) {
          LockSupport.park();
          continue;
        }
        try {
          next.run();
        } catch (Throwable thrown) {
          failure = thrown;
        }
        task = null;
      }
    }

    /** Makes it ready to do {@code next}. */
    public void offer(Task next) {
      task = next;
      if (thread.getState() == Thread.State.NEW) {
        thread.start();
      } else {
        LockSupport.unpark(thread);
      }
    }

    public boolean isBusy() {
      return task != null;
    }

    private void throwFailure() throws Throwable {
      if (failure != null) {
        throw failure;
      }
    }
  }

  /** A platform thread that carries nobody until it is asked to. */
  public final class Carrier {
    private final BlockingQueue<FutureTask<Void>> orders = new LinkedBlockingQueue<>();
    private final FutureTask<Void> last = new FutureTask<>(() -> null);
    private final Thread thread = Thread.ofPlatform().daemon().start(this::run);

    private void run() {
      try {
        FutureTask<Void> order;
        do {
          order = orders.take();
          order.run();
        } while (order != last);
      } catch (InterruptedException nobodyDoesThat) {
        throw new AssertionError(nobodyDoesThat);
      }
    }

    /** Has {@code guest} do {@code task} here; what that throws is thrown. */
    public void carry(Guest guest, Task task) throws Throwable {
      guest.offer(task);
      carry(guest);
    }

    /** Carries until {@code guest} has done what it was offered. */
    public void carry(Guest guest) throws Throwable {
      do {
        carryOnce();
      } while (guest.isBusy());
      guest.throwFailure();
    }

    /** Carries whoever is the next to be ready, for as long as that one does not wait. */
    public void carryOnce() throws Exception {
      FutureTask<Void> order =
          new FutureTask<>(
              () -> {
                ready.take().run();
                return null;
              });
      orders.add(order);
      order.get();
    }

    /** When this returns, the thread has ended. */
    public void end() throws InterruptedException {
      orders.add(last);
      thread.join();
    }

    public Thread thread() {
      return thread;
    }
  }

  public Guest guest() {
    return new Guest();
  }

  public Carrier start() {
    return new Carrier();
  }
}
