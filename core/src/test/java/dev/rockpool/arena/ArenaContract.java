package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.arena.ArenaKind.TestPool;
import dev.rockpool.internal.Carrier;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.util.Arrays;
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
 * platform thread and on a virtual one, and with a pool of its own.
 *
 * <p>After each test every slab has to be free and zero again, but for those of arenas that the
 * test {@link #neverCloses}.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("variants")
@ExtendWith(ArenaContract.OnThread.class)
abstract class ArenaContract {
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
  private int lostSlabs;

  @BeforeEach
  final void makePool() {
    pool = variant.kind().newPool();
  }

  @AfterEach
  final void checkPool() {
    assertThat(pool.owned()).as("slabs not given back").isEqualTo(lostSlabs);
    pool.checkInvariants();
    pool.free();
  }

  /** Opens an arena of the kind under test. */
  final Arena open() {
    return pool.open();
  }

  /** The number of slabs that arenas own at the moment. */
  final int owned() {
    return pool.owned();
  }

  /** Whether small allocations come from slabs, as far as they last. */
  final boolean isPooled() {
    return variant.kind().hasSlabs() && (hasOwnSlabs() || variant.kind().sharedSlots() > 0);
  }

  /** Whether there are slabs that are for this thread, or its carrier, alone. */
  private boolean hasOwnSlabs() {
    return variant.threads() == ThreadKind.PLATFORM || Carrier.isReachable();
  }

  /** The number of owned slabs while this many arenas are open that allocated a little. */
  final int ownedBy(int arenas) {
    if (!isPooled()) {
      return 0;
    }
    int most = hasOwnSlabs() ? variant.kind().slabsPerThread() : 0;
    if (variant.threads() == ThreadKind.VIRTUAL) {
      most += Math.min(variant.kind().sharedSlots(), SharedSlabs.TRIES);
    }
    return Math.min(arenas, most);
  }

  /** Bytes that an arena can have in a row before it moves on to a larger slab, if at all. */
  final int runByteSize() {
    int slabs = isPooled() && hasOwnSlabs() ? (variant.kind().slabsPerThread() + 1) / 2 : 1;
    return slabs * slabByteSize();
  }

  /**
   * The same for a virtual thread that waited, and may be on another carrier: no run grows there.
   */
  final int runByteSizeElsewhere() {
    return variant.threads() == ThreadKind.VIRTUAL ? slabByteSize() : runByteSize();
  }

  /** The number of slabs of an arena that used up {@link #runByteSize} and asked for more. */
  final int ownedByOneWithFullRun() {
    return isPooled() ? runByteSize() / slabByteSize() + (hasLarger() ? 1 : 0) : 0;
  }

  /** Whether arenas move on to larger slabs. */
  final boolean hasLarger() {
    return isPooled() && slabByteSize() < Pool.LARGER_BYTE_SIZE && variant.kind().sharedSlots() > 0;
  }

  /** The most bytes that an arena can have from the pool in one piece. */
  final int largestByteSize() {
    return hasLarger() ? Math.max(runByteSize(), Pool.LARGER_BYTE_SIZE) : runByteSize();
  }

  /** The bytes in a slab, near which sizes are interesting. */
  final int slabByteSize() {
    return variant.kind().slabByteSize();
  }

  /** An arena with memory, which this test is not going to close. */
  final Arena neverCloses() {
    Arena arena = open();
    arena.allocate(1);
    lostSlabs = owned();
    return arena;
  }

  /**
   * Puts an arena of the JDK and one under test to the same use, and fails unless the same comes of
   * it: once with new arenas, once with arenas that have memory already. The arena under test must
   * work on, and must not have lost any of its slab, unless the use closed it.
   */
  final void assertSameAsJdk(Object what, Use use) {
    assertSameAsJdkInNewArena(what, use);
    assertSameAsJdk(what + ", in an arena with memory", 24, use);
  }

  /** The first half of {@link #assertSameAsJdk}. */
  final void assertSameAsJdkInNewArena(Object what, Use use) {
    assertSameAsJdk(what + ", in a new arena", 0, use);
  }

  private void assertSameAsJdk(String what, int before, Use use) {
    String expected = outcome(Arena.ofConfined(), before, use);
    Arena arena = open();
    String actual = outcome(arena, before, use);
    assertThat(actual).as(what).isEqualTo(expected);
  }

  private static String outcome(Arena arena, int before, Use use) {
    MemorySegment memory = before == 0 ? MemorySegment.NULL : arena.allocate(before);
    memory.fill((byte) 7);
    String outcome = Outcome.of(() -> use.of(arena));
    if (arena.scope().isAlive()) {
      assertThat(memory.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(filled(before));
      assertUsable(arena);
      arena.close();
    }
    assertThat(arena.scope().isAlive()).isFalse();
    return outcome;
  }

  private static byte[] filled(int byteSize) {
    byte[] bytes = new byte[byteSize];
    Arrays.fill(bytes, (byte) 7);
    return bytes;
  }

  /** Fails unless {@code arena} hands out memory that is zero and can be used. */
  static void assertUsable(Arena arena) {
    MemorySegment memory = arena.allocate(20);
    assertZero(memory);
    memory.fill((byte) -1);
    assertThat(memory.get(ValueLayout.JAVA_BYTE, 19)).isEqualTo((byte) -1);
  }

  static void assertZero(MemorySegment segment) {
    assertThat(segment.mismatch(MemorySegment.ofArray(new byte[(int) segment.byteSize()])))
        .as("first byte that is not zero of %s", segment)
        .isEqualTo(-1);
  }

  /**
   * Returns the bytes of the slab that are left to {@code arena}: hands out all, 16 at a time. An
   * arena without a slab counts as 16, because JDK 28 puts the JDK's allocations side by side, too.
   */
  final int takeRoomLeft(Arena arena) {
    if (!isPooled()) {
      return 16;
    }
    long next = arena.allocate(16).address();
    int room = 16;
    for (long address = next + 16; arena.allocate(16).address() == address; address += 16) {
      room += 16;
    }
    return room;
  }

  /** Runs the test methods on a thread of the kind that the variant says. */
  static final class OnThread implements InvocationInterceptor {
    @Override
    public void interceptTestMethod(
        Invocation<Void> invocation,
        ReflectiveInvocationContext<Method> method,
        ExtensionContext extension)
        throws Throwable {
      run(invocation, method);
    }

    @Override
    public void interceptTestTemplateMethod(
        Invocation<Void> invocation,
        ReflectiveInvocationContext<Method> method,
        ExtensionContext extension)
        throws Throwable {
      run(invocation, method);
    }

    private static void run(Invocation<Void> invocation, ReflectiveInvocationContext<Method> method)
        throws Throwable {
      Outcome.Action proceed = invocation::proceed;
      ArenaContract test = (ArenaContract) method.getTarget().orElseThrow();
      test.variant
          .threads()
          .call(
              () -> {
                try {
                  return proceed.call();
                } catch (Exception | Error failure) {
                  throw failure;
                } catch (Throwable failure) {
                  throw new AssertionError(failure);
                }
              });
    }
  }
}
