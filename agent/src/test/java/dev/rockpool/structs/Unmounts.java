package dev.rockpool.structs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.concurrent.atomic.LongAdder;

/**
 * Virtual threads that wait inside a call: when C has returned, the linker asks the program's
 * allocator for the memory of the result, while the result itself is in the linker's buffer. There
 * a virtual thread may be unmounted, other threads of its carrier call, and it goes on elsewhere.
 * Argument: how many threads.
 */
final class Unmounts {
  private static final int CALLS = 20;

  private final Findings findings = new Findings();
  private final LongAdder migrated = new LongAdder();

  private Unmounts() {}

  public static void main(String[] args) throws Exception {
    int threads = Integer.parseInt(args[0]);
    Unmounts unmounts = new Unmounts();
    Thread[] started = new Thread[threads];
    for (int i = 0; i < threads; i++) {
      int number = i;
      started[i] = Thread.ofVirtual().start(() -> unmounts.run(number));
    }
    for (Thread thread : started) {
      thread.join();
    }
    unmounts.findings.check(unmounts.migrated.sum() > 0, "no thread went on elsewhere");
    unmounts.findings.exitIfAny();
    System.out.println(threads + " threads");
  }

  private void run(int number) {
    try {
      for (int call = 0; call < CALLS; call++) {
        ChainLink link = ChainLink.ALL.get((number + call) % ChainLink.ALL.size());
        callOnce(link, CStruct.mix(number, call));
      }
    } catch (Throwable failure) {
      findings.add(number + ": " + failure);
    }
  }

  private void callOnce(ChainLink link, long seed) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment argument = link.struct.make(arena, seed);
      long expected = link.struct.hash(link.struct.turn(link.struct.make(arena, seed)));
      SegmentAllocator waiting =
          (size, alignment) -> {
            pause(seed);
            return arena.allocate(size, alignment);
          };
      MemorySegment result = link.invert(waiting, argument);
      findings.checkEqual(expected, link.struct.hash(result), "after a wait: %s", link.struct);
    }
  }

  /** Has this virtual thread unmounted, now and then by a timer. Nobody relies on how long. */
  private void pause(long seed) {
    String before = carrier();
    if (seed % 8 != 0) {
      Thread.yield();
    } else {
      try {
        Thread.sleep(1);
      } catch (InterruptedException impossible) {
        throw new AssertionError(impossible);
      }
    }
    if (!carrier().equals(before)) {
      migrated.increment();
    }
  }

  private static String carrier() {
    String name = Thread.currentThread().toString();
    return name.substring(name.indexOf('@'));
  }
}
