package dev.rockpool.child;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.Arenas;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Arenas where errors are thrown that nobody expects: the stack ends, or somebody has truncated a
 * mapped file, so that the JVM delivers an {@code InternalError} some time after a read. Whatever
 * the errors hit, memory of later arenas is zero and in no other hands, and arenas are pooled.
 *
 * <p>With the property {@code plain} the arenas are those of {@link Arena#ofConfined()}.
 */
final class ErrorsProbe {
  private static final boolean PLAIN = Boolean.getBoolean("plain");
  private static final int WARM_UP = 30_000;
  private static final int ERRORS = 1_000;
  private static final int OVERFLOWS = 40;
  private static final int OUTER_EVERY = 16;

  private static final long STACK_BYTE_SIZE = 200 << 10;

  /** Frames that use arenas while the stack unwinds. */
  private static final int DEEPEST = 400;

  private final MemorySegment mapped;
  private int errors;
  private long sink;
  private long marks;

  private ErrorsProbe(MemorySegment mapped) {
    this.mapped = mapped;
  }

  private static Arena open() {
    return PLAIN ? Arena.ofConfined() : Arenas.ofConfined();
  }

  /** Something done with arenas that may be hit. */
  private interface Step {
    void run(ErrorsProbe probe);
  }

  /** The last read before an arena is closed. */
  private static void close(ErrorsProbe probe) {
    Arena arena = open();
    try {
      arena.allocate(40).fill((byte) 1);
      probe.read();
      arena.close();
    } finally {
      closeIfAlive(arena);
    }
  }

  /** The last read before an arena outgrows its block, and later the larger one. */
  private static void grow(ErrorsProbe probe) {
    try (Arena arena = open()) {
      arena.allocate(40).fill((byte) 1);
      probe.read();
      arena.allocate(1000).fill((byte) 1);
      probe.read();
      arena.allocate(9000).fill((byte) 1);
    }
  }

  /** A read while an arena is closed. */
  @SuppressWarnings("restricted")
  private static void cleanUp(ErrorsProbe probe) {
    Arena arena = open();
    try {
      arena.allocate(40).reinterpret(arena, _ -> probe.read()).fill((byte) 1);
      arena.close();
    } finally {
      closeIfAlive(arena);
    }
  }

  private static void closeIfAlive(Arena arena) {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }

  private void read() {
    sink += mapped.get(ValueLayout.JAVA_BYTE, sink & 1);
  }

  private void runAndCatch(Step step) {
    try {
      step.run(this);
    } catch (InternalError hit) {
      errors++;
    }
  }

  private void run(Step step, int times, boolean checks) {
    for (int i = 0; i < times; i++) {
      if (i % OUTER_EVERY != 0) {
        runAndCatch(step);
      } else {
        try (Arena outer = open()) {
          Marked memory = new Marked(outer.allocate(ValueLayout.JAVA_LONG, 8), ++marks);
          Marked.write(memory.memory(), memory.mark());
          runAndCatch(step);
          Marked.replace(memory.memory(), memory.mark(), -1);
        }
      }
      if (checks) {
        checkMemory();
      }
    }
  }

  /** Fails unless arenas that are open at once have memory of their own, all of it zero. */
  private void checkMemory() {
    List<Arena> arenas = new ArrayList<>();
    List<MemorySegment> memories = new ArrayList<>();
    long first = marks + 1;
    for (int i = 0; i < 12; i++) {
      arenas.add(open());
      for (int words : new int[] {3, 64, 1000}) {
        memories.add(arenas.get(i).allocate(ValueLayout.JAVA_LONG, words));
        Marked.write(memories.getLast(), ++marks);
      }
    }
    for (MemorySegment memory : memories) {
      Marked.replace(memory, first++, -1);
    }
    arenas.reversed().forEach(Arena::close);
  }

  /** Uses arenas where the stack ends, and in frames further from its end. */
  private int overflow() {
    int depth = 0;
    try {
      depth = overflow();
    } catch (StackOverflowError end) {
      errors++;
    }
    if (depth < DEEPEST) {
      try {
        Arena arena = open();
        try {
          arena.allocate(40).fill((byte) 1);
          if (depth % 4 == 0) {
            arena.allocate(1000).fill((byte) 1);
          }
        } finally {
          closeIfAlive(arena);
        }
      } catch (StackOverflowError end) {
        errors++;
      }
    }
    return depth + 1;
  }

  private void runAll(FileChannel channel) {
    try {
      List<Step> steps = List.of(ErrorsProbe::close, ErrorsProbe::grow, ErrorsProbe::cleanUp);
      channel.write(java.nio.ByteBuffer.wrap(new byte[1 << 12]), 0);
      steps.forEach(step -> run(step, WARM_UP, false));
      channel.truncate(0);
      for (Step step : steps) {
        errors = 0;
        run(step, ERRORS, true);
        check(errors > ERRORS / 2, "errors: " + errors);
      }
      errors = 0;
      for (int i = 0; i < OVERFLOWS; i++) {
        overflow();
        checkMemory();
      }
      check(errors >= OVERFLOWS, "overflows: " + errors);
      check(PLAIN || isPooled(), "not pooled any more");
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }

  private static boolean isPooled() {
    long before = ArenaPool.shared().statistics().blocksAllocated();
    for (int i = 0; i < 100; i++) {
      try (Arena arena = open()) {
        arena.allocate(40);
      }
    }
    return ArenaPool.shared().statistics().blocksAllocated() - before <= 1;
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  private static void run(Thread thread) throws InterruptedException {
    Throwable[] failure = new Throwable[1];
    thread.setUncaughtExceptionHandler((_, thrown) -> failure[0] = thrown);
    thread.start();
    thread.join();
    if (failure[0] != null) {
      throw new AssertionError(failure[0]);
    }
  }

  public static void main(String[] args) throws Throwable {
    Path file = Files.createTempFile("errors", ".mapped");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      Files.write(file, new byte[1 << 12]);
      MemorySegment mapped = channel.map(MapMode.READ_ONLY, 0, 1 << 12, Arena.global());
      Runnable program = () -> new ErrorsProbe(mapped).runAll(channel);
      run(new Thread(null, program, "small stack", STACK_BYTE_SIZE));
      run(Thread.ofVirtual().unstarted(program)); // its stack ends where that of its carrier does
      System.out.println("done=true");
    } finally {
      Files.delete(file);
    }
  }
}
