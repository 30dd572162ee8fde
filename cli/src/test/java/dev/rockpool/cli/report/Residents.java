package dev.rockpool.cli.report;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Programs with native memory that Java code does not hold, and one without. */
@SuppressWarnings("restricted") // native access is granted
final class Residents {
  private static final Linker LINKER = Linker.nativeLinker();

  /** Allocates by malloc, in C. */
  private static final MethodHandle STRDUP =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("strdup"),
          FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS));

  private static final MethodHandle FREE =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("free"),
          FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));

  /** Less than the programs here allocate. */
  private static final long LITTLE = 120 << 20;

  private static final byte[] LARGE = new byte[16 << 20];

  private Residents() {}

  public static void main(String[] args) throws Throwable {
    switch (args[0]) {
      case "leak" -> duplicate("x".repeat(1 << 20), 240);
      case "arenas" -> inThreads(32, Residents::freeAllButTheLast);
      case "trimmed" -> {
        inThreads(32, Residents::freeAllButTheLast);
        while (resident() > LITTLE) {
          Thread.sleep(10);
        }
      }
      case "channels" -> inThreads(8, Residents::write);
      case "kept" -> keepBuffersUntilNoneIsLeft();
      case "garbage" -> {
        for (int i = 0; i < 40; i++) {
          ByteBuffer.allocateDirect(1 << 20);
        }
      }
      case "batch" -> {
        Thread.sleep(1500); // for the first look
        try (Arena arena = Arena.ofShared()) {
          arena.allocate(300 << 20).fill((byte) 1);
          Thread.sleep(12_000); // a look that took 120 ms, on a busy machine, is followed so late
        }
        Thread.sleep(1500);
      }
      default -> Arena.global().allocate(1 << 20);
    }
  }

  private static void keepBuffersUntilNoneIsLeft() throws InterruptedException {
    List<ByteBuffer> kept = new ArrayList<>();
    try {
      while (true) {
        kept.add(ByteBuffer.allocateDirect(1 << 20));
        if (kept.size() == 60) {
          Thread.sleep(2500); // so that buffers are older than the collection
        }
      }
    } catch (OutOfMemoryError full) {
      Thread.sleep(3500);
      System.out.println(kept.size());
    }
  }

  private static long resident() throws IOException {
    String pages = Files.readString(Path.of("/proc/self/statm")).split(" ")[1];
    return Long.parseLong(pages) * 4096;
  }

  private interface Action {
    void run() throws Throwable;
  }

  /** Runs an action in threads that stay to the end. */
  private static void inThreads(int number, Action action) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(number);
    for (int i = 0; i < number; i++) {
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                try {
                  action.run();
                  done.countDown();
                  Thread.sleep(Long.MAX_VALUE);
                } catch (Throwable failure) {
                  failure.printStackTrace();
                }
              });
    }
    done.await();
  }

  private static List<MemorySegment> duplicate(String text, int copies) throws Throwable {
    List<MemorySegment> duplicates = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment original = arena.allocateFrom(text);
      for (int i = 0; i < copies; i++) {
        duplicates.add((MemorySegment) STRDUP.invokeExact(original));
      }
    }
    return duplicates;
  }

  /** The last one is behind the others, so malloc can't give back what lies before it. */
  private static void freeAllButTheLast() throws Throwable {
    List<MemorySegment> all = duplicate("x".repeat(1000), 10_000);
    for (MemorySegment each : all.subList(0, all.size() - 1)) {
      FREE.invokeExact(each);
    }
  }

  private static void write() throws Exception {
    Path file = Files.createTempFile("rockpool-", ".bin");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
      channel.write(ByteBuffer.wrap(LARGE));
    }
  }
}
