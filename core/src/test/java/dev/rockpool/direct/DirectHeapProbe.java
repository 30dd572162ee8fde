package dev.rockpool.direct;

import dev.rockpool.arena.Collected;
import dev.rockpool.child.HeapEnd;
import dev.rockpool.direct.WaitingLine.Waiter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Direct memory where the heap ends: each allocation of an operation fails in turn. After each
 * attempt nothing is reserved that is not handed out, and what is kept is kept once.
 */
final class DirectHeapProbe {
  private static final int LIMIT = 1 << 20;
  private static final int KEPT = 8 << 10;

  private DirectHeapProbe() {}

  /** An operation on direct memory of its own. */
  private abstract static class Attempt implements HeapEnd.Attempt {
    DirectMemory memory = DirectMemory.ofLimit(LIMIT);

    @Override
    public void prepare() throws InterruptedException {
      memory = DirectMemory.ofLimit(LIMIT);
    }

    /** The memory handed out in the end, to be given back. */
    void giveBack() {}

    @Override
    public void check() {
      giveBack();
      // What failed half-way is finished in the background, or found by the collector.
      Collected.await("what failed", () -> memory.reserved() == 0);
      memory.keptMemory().checkInvariants();
      if (memory.budget().line().length() != 0) {
        throw new AssertionError("in line: " + memory.budget().line().length());
      }
    }
  }

  /** Blocks, which are then freed by hand. */
  private static final class Allocated extends Attempt {
    private final MemorySegment[] allocated = new MemorySegment[3];
    private int count;

    @Override
    public boolean run() {
      while (count < allocated.length) {
        MemorySegment made = memory.allocate(100, 1);
        allocated[count] = made;
        count++;
      }
      return true;
    }

    @Override
    void giveBack() {
      while (count > 0) {
        memory.free(allocated[--count]);
      }
    }
  }

  /** So many blocks in one part of the table that it grows; another one in each attempt. */
  private static final class Table extends Attempt {
    private final Arena[] scopes = new Arena[20];
    private final Block[] blocks = new Block[scopes.length];
    private int added;

    @Override
    public void prepare() throws InterruptedException {
      super.prepare();
      added = 0;
      Thread.ofPlatform().start(this::make).join();
    }

    private void make() {
      for (int i = 0; i < blocks.length; i++) {
        scopes[i] = Arena.ofShared();
        blocks[i] = Block.Cleanup.ofLifetime(memory, scopes[i]).block();
      }
    }

    @Override
    public boolean run() {
      while (added < blocks.length) {
        Blocks.add(blocks[added]);
        Blocks.index(blocks[added], scopes[added].scope());
        added++;
      }
      return true;
    }

    @Override
    void giveBack() {
      for (int i = 0; i < blocks.length; i++) {
        if (Blocks.find(scopes[i].scope()) != (i < added ? blocks[i] : null)) {
          throw new AssertionError("added " + added + ", wrong: " + i);
        }
      }
      for (Block block : blocks) {
        Blocks.removeAll(block);
      }
      if (Blocks.collectable() != 0) {
        throw new AssertionError("left: " + Blocks.collectable());
      }
    }
  }

  /** Blocks that are freed, and kept. */
  private static final class Kept extends Attempt {
    private final MemorySegment[] allocated = new MemorySegment[2];
    private final int before;

    Kept(int before) {
      this.before = before;
    }

    @Override
    public void prepare() throws InterruptedException {
      super.prepare();
      List<MemorySegment> others = new ArrayList<>();
      for (int i = 0; i < before; i++) {
        others.add(memory.allocate(KEPT, 1));
      }
      for (int i = 0; i < allocated.length; i++) {
        allocated[i] = memory.allocate(KEPT, 1);
      }
      others.forEach(memory::free);
    }

    @Override
    public boolean run() {
      for (MemorySegment segment : allocated) {
        memory.free(segment);
      }
      return true;
    }

    @Override
    void giveBack() {
      for (MemorySegment segment : allocated) {
        if (segment.scope().isAlive()) {
          memory.free(segment);
        }
      }
      Arrays.fill(allocated, null);
    }
  }

  /** An arena under the budget. */
  private static final class Arenas extends Attempt {
    private final boolean shared;
    private Arena arena;

    Arenas(boolean shared) {
      this.shared = shared;
    }

    @Override
    public boolean run() {
      arena = shared ? memory.ofShared() : memory.ofConfined();
      arena.allocate(100);
      arena.allocate(200);
      arena.close();
      return true;
    }

    @Override
    void giveBack() {
      if (arena != null && arena.scope().isAlive()) {
        arena.close();
      }
      arena = null;
    }
  }

  /** Many stand in line. All that is there is handed out. */
  private static final class Line extends Attempt {
    private static final int WAITERS = 3;
    private static final int SHARE = 25;

    private Budget budget = memory.budget();

    @Override
    public void prepare() throws InterruptedException {
      super.prepare();
      budget = memory.budget();
      budget.tryReserve(LIMIT);
    }

    @Override
    public boolean run() {
      for (int i = 0; i < WAITERS; i++) {
        budget.line().enter(new Waiter(SHARE));
      }
      return true;
    }

    @Override
    void giveBack() {
      int waiting = budget.line().length();
      budget.credit(LIMIT);
      if (budget.reserved() != SHARE * waiting) {
        throw new AssertionError("in line: " + waiting + ", reserved: " + budget.reserved());
      }
      budget.credit(SHARE * waiting);
    }
  }

  public static void main(String[] args) throws Throwable {
    DirectMemory warm = DirectMemory.ofLimit(LIMIT);
    warm.free(warm.allocate(1, 1)); // first uses need more heap than is left below
    System.out.println(
        "failures="
            + HeapEnd.reach(
                switch (args[0]) {
                  case "blocks" -> new Allocated();
                  case "table" -> new Table();
                  case "kept" -> new Kept(15); // one less than the first length of a shelf
                  case "first kept" -> new Kept(0);
                  case "confined" -> new Arenas(false);
                  case "shared" -> new Arenas(true);
                  case "line" -> new Line();
                  default -> throw new IllegalArgumentException(args[0]);
                }));
  }
}
