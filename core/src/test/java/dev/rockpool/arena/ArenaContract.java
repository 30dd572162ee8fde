package dev.rockpool.arena;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.arena.ArenaKind.TestPool;
import dev.rockpool.arena.PoolStatistics.State;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Base of the tests that hold for every confined arena: each runs with each kind of arena, on a
 * platform thread and on a virtual one, and with a pool of its own, whose kept memory must be zero
 * after the test.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("variants")
@ExtendWith(ArenaContract.OnThread.class)
abstract class ArenaContract {
  static final String CLOSED = "throws java.lang.IllegalStateException: Already closed";

  /** An action of a test on an arena. */
  @FunctionalInterface
  interface Use {
    Object of(Arena arena) throws Throwable;
  }

  record Variant(ArenaKind kind, ThreadKind threads) {}

  static Stream<Variant> variants() {
    return Arrays.stream(ArenaKind.values())
        .flatMap(
            kind -> Arrays.stream(ThreadKind.values()).map(threads -> new Variant(kind, threads)));
  }

  @Parameter Variant variant;

  private TestPool pool;

  @BeforeEach
  final void makePool() {
    pool = variant.kind().newPool();
  }

  @AfterEach
  final void checkPool() {
    pool.checkInvariants();
    pool.free();
  }

  /** Opens an arena of the kind under test. */
  final Arena open() {
    return pool.open();
  }

  /** Whether small allocations come from blocks. */
  final boolean isPooled() {
    return variant.kind().hasBlocks();
  }

  /** Blocks that the pool has allocated so far, beyond those that were kept. */
  final long blocksAllocated() {
    return pool.pool().memory().statistics(State.ON).blocksAllocated();
  }

  /** The bytes in a block, near which sizes are interesting. */
  final int blockByteSize() {
    return variant.kind().blockByteSize();
  }

  /** Each way to allocate from an arena, by name, for tests of arenas that must not be used. */
  final Map<String, Use> uses() {
    byte[] bytes = new byte[blockByteSize() + 1];
    MemorySegment source = MemorySegment.ofArray(bytes);
    return Map.ofEntries(
        entry("nothing", arena -> arena.allocate(0)),
        entry("aligned", arena -> arena.allocate(8, 64)),
        entry("large", arena -> arena.allocate(1 << 20)),
        entry("layout", arena -> arena.allocate(ADDRESS)),
        entry("several", arena -> arena.allocate(JAVA_LONG, 3)),
        entry("byte", arena -> arena.allocateFrom(JAVA_BYTE, (byte) 1)),
        entry("char", arena -> arena.allocateFrom(JAVA_CHAR, 'c')),
        entry("short", arena -> arena.allocateFrom(JAVA_SHORT, (short) 1)),
        entry("int", arena -> arena.allocateFrom(JAVA_INT, 1)),
        entry("float", arena -> arena.allocateFrom(JAVA_FLOAT, 1)),
        entry("long", arena -> arena.allocateFrom(JAVA_LONG, 1)),
        entry("double", arena -> arena.allocateFrom(JAVA_DOUBLE, 1)),
        entry("address", arena -> arena.allocateFrom(ADDRESS, MemorySegment.NULL)),
        entry("array", arena -> arena.allocateFrom(JAVA_INT, 1, 2)),
        entry("large array", arena -> arena.allocateFrom(JAVA_BYTE, bytes)),
        entry("copy", arena -> arena.allocateFrom(JAVA_BYTE, source, JAVA_BYTE, 0, 8)),
        entry("string", arena -> arena.allocateFrom("text")));
  }

  /**
   * Puts an arena of the JDK and one under test to the same use, and fails unless the outcome is
   * the same: with a new arena, with one that has memory already, and with one that is opened while
   * another one has the block that the thread kept.
   */
  final void assertSameAsJdk(Object what, Use use) {
    assertSameAsJdkInNewArena(what, use);
    assertSameAsJdk(what + ", in an arena with memory", 24, use);
    try (Arena outer = open()) {
      outer.allocate(1);
      assertSameAsJdk(what + ", in an inner arena", 24, use);
    }
  }

  /** As {@link #assertSameAsJdk}, for several forms of a use. */
  final void assertEachSameAsJdk(String what, Use... uses) {
    for (int i = 0; i < uses.length; i++) {
      assertSameAsJdk(what + ", form " + i, uses[i]);
    }
  }

  /** The first part of {@link #assertSameAsJdk}. */
  final void assertSameAsJdkInNewArena(Object what, Use use) {
    assertSameAsJdk(what + ", in a new arena", 0, use);
  }

  private void assertSameAsJdk(String what, int before, Use use) {
    String expected = outcome(Arena.ofConfined(), before, use);
    String actual = outcome(open(), before, use);
    assertThat(actual).as(what).isEqualTo(expected);
  }

  /** The arena must work on unless the use closed it. */
  private static String outcome(Arena arena, int before, Use use) {
    MemorySegment memory = before == 0 ? MemorySegment.NULL : allocateFilled(arena, before, 7);
    String outcome = Outcome.of(() -> use.of(arena));
    if (arena.scope().isAlive()) {
      assertFilled(memory, 7);
      allocateFilled(arena, 20, -1);
      arena.close();
    }
    assertThat(arena.scope().isAlive()).isFalse();
    return outcome;
  }

  /** Fails unless the memory of a pooled arena goes on right behind {@code last}. */
  final void assertNothingTakenSince(MemorySegment last, Arena arena) {
    if (isPooled()) {
      assertThat(arena.allocate(16).address()).isEqualTo(last.address() + 16);
    }
  }

  static String close(Arena arena) {
    arena.close();
    return "closed ";
  }

  @SuppressWarnings("restricted")
  static void onClose(Arena arena, Consumer<MemorySegment> action) {
    MemorySegment _ = MemorySegment.NULL.reinterpret(arena, action);
  }

  /** Allocates memory, which has to be zero, and fills it with {@code mark}. */
  static MemorySegment allocateFilled(Arena arena, long byteSize, int mark) {
    MemorySegment memory = arena.allocate(byteSize);
    assertZero(memory);
    return memory.fill((byte) mark);
  }

  static void assertZero(MemorySegment memory) {
    assertFilled(memory, 0);
  }

  static void assertFilled(MemorySegment memory, int mark) {
    byte[] expected = new byte[(int) memory.byteSize()];
    Arrays.fill(expected, (byte) mark);
    long other = memory.mismatch(MemorySegment.ofArray(expected));
    assertThat(other).as("first byte that is not %s of %s", mark, memory).isEqualTo(-1);
  }

  static void assertDisjoint(List<MemorySegment> segments) {
    List<MemorySegment> byAddress =
        segments.stream().sorted((a, b) -> Long.compareUnsigned(a.address(), b.address())).toList();
    for (int i = 1; i < byAddress.size(); i++) {
      MemorySegment below = byAddress.get(i - 1);
      assertThat(byAddress.get(i).address())
          .isGreaterThanOrEqualTo(below.address() + Math.max(1, below.byteSize()));
    }
  }

  /** Runs the test methods on a thread of the kind that the variant says. */
  static final class OnThread implements InvocationInterceptor {
    @Override
    public void interceptTestMethod(
        Invocation<Void> invocation,
        ReflectiveInvocationContext<Method> method,
        ExtensionContext extension)
        throws Throwable {
      ArenaContract test = (ArenaContract) method.getTarget().orElseThrow();
      test.variant.threads().run(invocation::proceed);
    }

    @Override
    public void interceptTestTemplateMethod(
        Invocation<Void> invocation,
        ReflectiveInvocationContext<Method> method,
        ExtensionContext extension)
        throws Throwable {
      interceptTestMethod(invocation, method, extension);
    }
  }
}
