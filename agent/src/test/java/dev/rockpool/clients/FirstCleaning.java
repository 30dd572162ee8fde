package dev.rockpool.clients;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that allocate while one of them frees the first buffer by hand, and then free theirs. */
final class FirstCleaning {
  private static final int THREADS = 4;
  private static final int BUFFERS = 2000;

  private static volatile boolean begun;

  private FirstCleaning() {}

  public static void main(String[] args) throws Exception {
    RockpoolDirect.prepare();
    List<Future<Void>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (int i = 0; i < THREADS; i++) {
        all.add(threads.submit(allocateAndFree(i == 0)));
      }
      for (Future<Void> each : all) {
        each.get();
      }
    }
    ByteBuffer last = ByteBuffer.allocateDirect(1); // else nothing would be left to show
    System.out.println(RockpoolDirect.await().buffers() - 1 + " left");
    Cleaning.free(last);
  }

  private static Callable<Void> allocateAndFree(boolean begins) {
    return () -> {
      List<ByteBuffer> held = new ArrayList<>();
      while (held.size() < BUFFERS || !begun) {
        held.add(ByteBuffer.allocateDirect(8));
        if (begins && held.size() == BUFFERS) {
          Cleaning.free(ByteBuffer.allocateDirect(8));
          begun = true;
        }
      }
      held.forEach(Cleaning::free);
      return null;
    };
  }
}
