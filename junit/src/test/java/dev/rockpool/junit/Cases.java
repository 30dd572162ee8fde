package dev.rockpool.junit;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.lang.StackWalker.StackFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Test classes that {@link TestKit} runs, most of which are to fail. */
final class Cases {
  static final List<Object> KEPT = new ArrayList<>();

  private Cases() {}

  static class Freeing {
    private Arena ofEach = Arena.ofShared();

    @BeforeEach
    void open() {
      ofEach = Arena.ofShared();
      ofEach.allocate(1000);
    }

    @AfterEach
    void close() {
      ofEach.close();
    }

    @Test
    @NativeMemory(most = "10k")
    void closed() {
      try (Arena arena = Arena.ofConfined()) {
        arena.allocate(8 << 10);
      }
      try (Arena arena = Arena.ofConfined()) {
        arena.allocate(9000);
      }
    }

    @Test
    @NativeMemory
    void dropped() {
      for (int i = 0; i < 100; i++) {
        Arena.ofAuto().allocate(10_000);
        ByteBuffer.allocateDirect(10_000).put((byte) 1);
      }
    }

    @Test
    @NativeMemory(leaks = "none")
    void global() {
      Arena.global().allocate(1000);
    }

    @Test
    @NativeMemory(leaks = "1000")
    void allowed() {
      KEPT.add(Arena.ofShared().allocate(1000));
    }

    @Test
    @NativeMemory(leaks = "any")
    void any() {
      KEPT.add(Arena.ofShared().allocate(1 << 20));
    }
  }

  static class Leaking {
    static int line;

    @Test
    @NativeMemory
    void confined() {
      atLine(Arena.ofConfined()).allocate(1000);
      System.out.println("line " + line);
    }

    private static Arena atLine(Arena arena) {
      line =
          StackWalker.getInstance()
              .walk(frames -> frames.skip(1).findFirst())
              .map(StackFrame::getLineNumber)
              .orElseThrow();
      return arena;
    }

    @Test
    @NativeMemory
    void shared() {
      Arena.ofShared().allocate(1000);
    }

    @Test
    @NativeMemory
    void automatic() {
      KEPT.add(Arena.ofAuto().allocate(1000));
    }

    @Test
    @NativeMemory
    void direct() {
      KEPT.add(ByteBuffer.allocateDirect(1000));
    }

    @Test
    @NativeMemory
    void unsafe() throws ReflectiveOperationException {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      var field = type.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      KEPT.add(type.getMethod("allocateMemory", long.class).invoke(field.get(null), 1000L));
    }

    @Test
    @NativeMemory
    void malloc() throws Throwable {
      MethodHandle free = link("free", FunctionDescriptor.ofVoid(ADDRESS));
      MethodHandle malloc = link("malloc", FunctionDescriptor.of(ADDRESS, JAVA_LONG));
      free.invoke((MemorySegment) malloc.invoke(50_000L));
      KEPT.add((MemorySegment) malloc.invoke(20_000L));
    }

    @SuppressWarnings("restricted") // the JVM is started with native access
    private static MethodHandle link(String name, FunctionDescriptor descriptor) {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor);
    }

    @Test
    @NativeMemory(leaks = "2k")
    void several() {
      for (int i = 0; i < 3; i++) {
        Arena.ofShared().allocate(1000);
      }
      Arena.ofShared().allocate(50);
      Arena.ofShared().allocate(51);
      Arena.ofShared().allocate(52);
      Arena.ofShared().allocate(53);
      Arena.ofShared().allocate(54);
      Arena.ofShared().allocate(55);
    }
  }

  static class Holding {
    @BeforeAll
    static void hold() {
      KEPT.add(Arena.ofShared().allocate(3 << 20));
    }

    @Test
    @NativeMemory(most = "1m")
    void withinBesideWhatWasThere() {
      try (Arena arena = Arena.ofConfined()) {
        arena.allocate(1 << 20);
      }
    }

    @Test
    @NativeMemory(most = "1m")
    void tooMuch() {
      large(1 << 20);
      large((1 << 20) + 1);
    }

    private static void large(int bytes) {
      try (Arena arena = Arena.ofConfined()) {
        arena.allocate(bytes);
      }
    }

    @Test
    @NativeMemory(most = "2000", leaks = "any")
    void inAll() {
      Arena.global().allocate(800);
      Arena.ofShared().allocate(700);
      Arena.ofConfined().allocate(600);
    }

    @Test
    @NativeMemory(most = "900")
    void both() {
      Arena.ofShared().allocate(1000);
    }
  }

  @NativeMemory
  static class OfClass {
    @Test
    void byClass() {
      Arena.ofShared().allocate(1000);
    }

    @Test
    @NativeMemory(leaks = "1k")
    void byMethod() {
      Arena.ofShared().allocate(1000);
    }

    @Nested
    class Inner {
      @Test
      void byClassAround() {
        Arena.ofShared().allocate(1000);
      }
    }
  }

  static class Failing {
    @Test
    @NativeMemory
    void byItself() {
      Arena.ofShared().allocate(1000);
      fail("mine");
    }

    @Test
    @NativeMemory(leaks = "little")
    void badLeaks() {}

    @Test
    @NativeMemory(most = "none")
    void badMost() {}
  }

  /** The garbage of one is freed in the other. */
  @TestMethodOrder(OrderAnnotation.class)
  static class Garbage {
    @Test
    @Order(1)
    void left() {
      assertEquals(2 << 20, take(2 << 20).capacity());
    }

    @Test
    @Order(2)
    @NativeMemory
    void kept() {
      KEPT.add(take(1 << 20));
    }

    private static ByteBuffer take(int bytes) {
      return ByteBuffer.allocateDirect(bytes);
    }
  }

  /** Tests that run in parallel: none with the annotation beside any other. */
  @Execution(ExecutionMode.CONCURRENT)
  static class Parallel {
    private static final AtomicInteger RUNNING = new AtomicInteger();
    private static final Semaphore MET = new Semaphore(0);

    @Test
    @NativeMemory
    void first() throws InterruptedException {
      requireAlone();
    }

    @Test
    @NativeMemory
    void second() throws InterruptedException {
      requireAlone();
    }

    @Test
    void third() throws InterruptedException {
      requireAlone();
    }

    /** Whoever comes second wakes the first. */
    static void requireAlone() throws InterruptedException {
      if (RUNNING.incrementAndGet() > 1) {
        MET.release();
      }
      boolean isAlone = !MET.tryAcquire(300, TimeUnit.MILLISECONDS);
      RUNNING.decrementAndGet();
      if (!isAlone) {
        fail("not alone");
      }
    }
  }

  @Execution(ExecutionMode.CONCURRENT)
  static class BesideParallel {
    @Test
    void fourth() throws InterruptedException {
      Parallel.requireAlone();
    }
  }
}
