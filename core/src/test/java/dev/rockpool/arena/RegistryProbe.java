package dev.rockpool.arena;

import dev.rockpool.child.HeapEnd;
import dev.rockpool.child.StackEnd;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks a registry for slabs where the heap or the stack ends, and fails if it has then forgotten
 * those of a thread, or has them twice.
 */
public abstract class RegistryProbe implements HeapEnd.Attempt {
  private static final int SLAB_BYTE_SIZE = 64;
  private static final long OF_THREAD = ThreadSlabs.byteSize(SLAB_BYTE_SIZE, 1);

  /** A list of the JDK that starts with 16 places would have to grow for the next one. */
  private static final int THREADS = 16;

  /** Alive as long as this JVM. */
  private static final List<Thread> ALIVE = new ArrayList<>();

  private final List<ThreadSlabs> known = new ArrayList<>();
  private final int threads;
  SlabRegistry registry = new SlabRegistry(SLAB_BYTE_SIZE, 1);
  boolean wentWell;

  RegistryProbe(int threads) {
    this.threads = threads;
  }

  @Override
  public void prepare() throws InterruptedException {
    registry.freeAll();
    registry = new SlabRegistry(SLAB_BYTE_SIZE, 1);
    known.clear();
    beforeOthers();
    for (Thread thread : ALIVE.subList(0, threads)) {
      known.add(registry.slabsOf(thread));
    }
    wentWell = false;
  }

  void beforeOthers() {}

  @Override
  public void check() {
    registry.checkInvariants();
    expect("bytes", registry.byteSize(), bytesExpected());
    for (int i = 0; i < threads; i++) {
      if (registry.slabsOf(ALIVE.get(i)) != known.get(i)) {
        throw new AssertionError("a thread has lost its slabs");
      }
    }
    registry.sweep();
    registry.checkInvariants();
  }

  long bytesExpected() {
    return OF_THREAD * (threads + (wentWell ? 1 : 0));
  }

  static void expect(String what, long actual, long expected) {
    if (actual != expected) {
      throw new AssertionError(what + ": " + actual + " instead of " + expected);
    }
  }

  /** The first arena of a thread. */
  static final class First extends RegistryProbe {
    First() {
      super(THREADS);
    }

    @Override
    public boolean run() {
      wentWell = registry.slabsOf(Thread.currentThread()) != null;
      return wentWell;
    }
  }

  /** The same, after the end of another thread. */
  static final class Adoption extends AfterAnEndedThread {
    @Override
    public boolean run() {
      return registry.slabsOf(Thread.currentThread()) != null;
    }
  }

  /** The work of the housekeeper, which can do without heap. */
  static final class Sweep extends AfterAnEndedThread {
    @Override
    public boolean run() {
      registry.sweep();
      wentWell = true;
      return true;
    }

    @Override
    long bytesExpected() {
      return super.bytesExpected() - OF_THREAD;
    }
  }

  abstract static class AfterAnEndedThread extends RegistryProbe {
    private static final int SEEN_AT_ONCE = 3;

    private final Thread[] ended = new Thread[1];

    AfterAnEndedThread() {
      super(SEEN_AT_ONCE);
    }

    @Override
    void beforeOthers() {
      ended[0] = Thread.ofPlatform().start(RegistryProbe::sleep);
      registry.slabsOf(ended[0]);
    }

    @Override
    public void prepare() throws InterruptedException {
      super.prepare();
      ended[0].interrupt();
      ended[0].join();
    }

    @Override
    long bytesExpected() {
      return OF_THREAD * (SEEN_AT_ONCE + 1);
    }
  }

  /** For a pool that nothing can reach any more. */
  static final class FreeAll extends RegistryProbe {
    FreeAll() {
      super(THREADS);
    }

    @Override
    public boolean run() {
      registry.freeAll();
      return true;
    }

    @Override
    public void check() {
      expect("bytes", registry.byteSize(), 0);
      expect("threads", registry.threads(), 0);
    }
  }

  private static void run(String end) throws Throwable {
    for (int i = 0; i < THREADS; i++) {
      ALIVE.add(Thread.ofPlatform().daemon().start(RegistryProbe::sleep));
    }
    System.out.println("first=" + new First().reachEndOf(end));
    System.out.println("adoption=" + new Adoption().reachEndOf(end));
    System.out.println("sweep=" + new Sweep().reachEndOf(end));
    System.out.println("free all=" + new FreeAll().reachEndOf(end));
  }

  public static void main(String[] args) throws InterruptedException {
    StackEnd.onSmallStack(() -> run(args[0]));
  }

  private static void sleep() {
    try {
      Thread.sleep(Long.MAX_VALUE);
    } catch (InterruptedException end) {
      return;
    }
  }
}
