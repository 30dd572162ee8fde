package dev.rockpool.structs;

import dev.rockpool.structs.Chain.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;

/**
 * Chains on platform threads, several at once, then on virtual threads, one chain each. Every
 * fourth chain fails at its deepest point. Arguments: how many chains on platform threads, how many
 * virtual threads. Prints how many of those were started, so that it is seen to go on.
 */
final class ChainCalls {
  private static final int PLATFORM_THREADS = 3;
  private static final int AT_ONCE = 2_000;
  private static final int COLLECT_EVERY = 1_000;
  private static final int PROGRESS_EVERY = 10_000;
  private static final int[] RECOVERING = {0, 8, Chain.DEPTH};

  private final Findings findings = new Findings();
  private final BlockingQueue<Chain> chains = new ArrayBlockingQueue<>(Chain.MOST);
  private final Semaphore room = new Semaphore(AT_ONCE);

  private ChainCalls() {
    for (int i = 0; i < Chain.MOST; i++) {
      chains.add(new Chain(i, findings));
    }
  }

  public static void main(String[] args) throws Exception {
    int onPlatform = Integer.parseInt(args[0]);
    int onVirtual = Integer.parseInt(args[1]);
    ChainCalls calls = new ChainCalls();
    calls.onPlatformThreads(onPlatform);
    calls.onVirtualThreads(onVirtual);
    calls.findings.exitIfAny();
    System.out.println(onPlatform + " and " + onVirtual + " chains");
  }

  private void onPlatformThreads(int count) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < PLATFORM_THREADS; i++) {
      int first = i;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int number = first; number < count; number += PLATFORM_THREADS) {
                      run(number);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void onVirtualThreads(int count) throws InterruptedException {
    for (int i = 0; i < count && !findings.any(); i++) {
      int number = i;
      room.acquire();
      if (i % PROGRESS_EVERY == 0) {
        System.out.println(i);
      }
      Thread.ofVirtual()
          .start(
              () -> {
                run(number);
                room.release();
              });
    }
    room.acquire(AT_ONCE);
  }

  private void run(int number) {
    try {
      Chain chain = chains.take();
      if (number % COLLECT_EVERY == 1) {
        chain.collecting();
      }
      int failing = number / 4;
      chain.run(
          ChainLink.ALL.get(number % ChainLink.ALL.size()),
          CStruct.mix(number, 1),
          number % 4 == 0 ? Failure.values()[1 + failing % 3] : Failure.NONE,
          RECOVERING[failing / 3 % RECOVERING.length]);
      chains.add(chain);
    } catch (Throwable failure) {
      findings.add(number + ": " + failure);
    }
  }
}
