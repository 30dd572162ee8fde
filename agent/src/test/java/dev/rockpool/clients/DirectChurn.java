package dev.rockpool.clients;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Threads that allocate more direct memory than there may be, fill it with a number of their own,
 * look later whether it is still there, and free some buffers by hand and drop the others. A buffer
 * that another one overlaps, or that is not zeroed, ends it.
 */
final class DirectChurn {
  private static final int LARGEST = 300_000;
  private static final int HELD = 8;

  private static final LongAdder ALLOCATED = new LongAdder();

  private DirectChurn() {}

  /**
   * @param args how many seconds
   */
  public static void main(String[] args) throws Exception {
    RockpoolDirect.prepare();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[0]));
    List<Future<Void>> all = new ArrayList<>();
    try (ExecutorService platform = Executors.newFixedThreadPool(4);
        ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 1; i <= 8; i++) {
        all.add((i % 2 == 0 ? platform : virtual).submit(churn((byte) i, end)));
      }
      for (Future<Void> each : all) {
        each.get();
      }
    }
    ByteBuffer last = ByteBuffer.allocateDirect(1);
    System.err.println(ALLOCATED.sum() + " buffers");
    RockpoolDirect ours = RockpoolDirect.await();
    Cleaning.free(last);
    while (ours.buffers() != 0) {
      System.gc();
      Thread.yield();
    }
    System.out.println("done");
  }

  private static Callable<Void> churn(byte mark, long end) {
    return () -> {
      Object[] held = new Object[HELD];
      ThreadLocalRandom random = ThreadLocalRandom.current();
      while (System.nanoTime() < end) {
        int at = random.nextInt(HELD);
        if (held[at] != null) {
          check(bytes(held[at]), mark);
          if (held[at] instanceof ByteBuffer buffer && random.nextBoolean()) {
            Cleaning.free(buffer);
          }
        }
        ByteBuffer buffer = ByteBuffer.allocateDirect(1 + random.nextInt(LARGEST));
        check(buffer, (byte) 0);
        fill(buffer, mark);
        held[at] = keeper(buffer, random.nextInt(8));
        ALLOCATED.increment();
      }
      return null;
    };
  }

  /** The buffer, or something made of it, that has to keep its memory alone. */
  private static Object keeper(ByteBuffer buffer, int kind) {
    return switch (kind) {
      case 0 -> MemorySegment.ofBuffer(buffer);
      case 1 -> MemorySegment.ofBuffer(buffer.slice()).asReadOnly();
      case 2 -> List.of(buffer.duplicate().asReadOnlyBuffer());
      case 3 -> List.of(buffer.slice().duplicate());
      default -> buffer;
    };
  }

  private static ByteBuffer bytes(Object keeper) {
    return switch (keeper) {
      case MemorySegment segment -> segment.asByteBuffer();
      case List<?> views -> (ByteBuffer) views.getFirst();
      default -> (ByteBuffer) keeper;
    };
  }

  /** The first byte, the last, and one of each page. */
  private static void fill(ByteBuffer buffer, byte mark) {
    for (int i = 0; i < buffer.capacity(); i += 4096) {
      buffer.put(i, mark);
    }
    buffer.put(buffer.capacity() - 1, mark);
  }

  private static void check(ByteBuffer buffer, byte mark) {
    for (int i = 0; i < buffer.capacity(); i += 4096) {
      check(buffer, i, mark);
    }
    check(buffer, buffer.capacity() - 1, mark);
  }

  private static void check(ByteBuffer buffer, int at, byte mark) {
    if (buffer.get(at) != mark) {
      throw new IllegalStateException(
          "byte " + at + " of " + buffer + " is " + buffer.get(at) + ", not " + mark);
    }
  }
}
