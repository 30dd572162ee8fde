package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.rockpool.child.Faults;
import dev.rockpool.child.ForeignCaller;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * C code that writes where it must not, and what is then said of it. That checked arenas else are
 * like those of the JDK, {@link ArenaContract} sees to.
 */
@SuppressWarnings("restricted")
class CheckedArenaTest {
  private static final int KEPT = 20;

  private final Quarantine quarantine = new Quarantine(1 << 20, KEPT);
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  @BeforeEach
  void listen() {
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void stopListening() {
    System.setErr(err);
    quarantine.verifyAll();
  }

  private Arena open() {
    return new CheckedArena(quarantine);
  }

  private List<String> said() {
    return said.toString(StandardCharsets.UTF_8).lines().toList();
  }

  /** Waits for the threads that print notices. */
  private List<String> awaitSaid(int lines) throws InterruptedException {
    for (int i = 0; i < 600 && said().size() < lines; i++) {
      Thread.sleep(100);
    }
    return said();
  }

  /** Has C write a byte to a segment, or beside it; returns what closing its arena throws. */
  private Throwable closeAfterWriting(long byteSize, long alignment, long offset) throws Throwable {
    Arena arena = open();
    Faults.fillAt(arena.allocate(byteSize, alignment), offset, 0x5a, 1);
    Throwable thrown = catchThrowable(arena::close);
    assertThat(arena.scope().isAlive()).as("is open after close").isFalse();
    return thrown;
  }

  @ParameterizedTest
  @EnumSource
  void aByteTooManyIsFoundForEachSize(ThreadKind threads) throws Throwable {
    threads.run(
        () -> {
          for (int byteSize = 0; byteSize < 300; byteSize++) {
            Arena arena = open();
            MemorySegment memory = arena.allocate(byteSize);
            Faults.fillAt(memory, 0, 0x5a, byteSize + 1);
            assertThatThrownBy(arena::close)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("byte %d of a segment of %d bytes", byteSize, byteSize)
                .hasMessageContaining("hold 5a fd fd");
          }
        });
    assertThat(quarantine.overruns()).isEqualTo(300);
    assertThat(quarantine.lateWrites()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0x5a, 0, 0xff, 0xfd, 0xdd})
  void nothingIsFoundWhereNativeCodeStaysWithinItsSegment(int value) throws Throwable {
    for (int byteSize = 0; byteSize < 300; byteSize++) {
      for (int alignment = 1; alignment <= 4096; alignment *= 8) {
        try (Arena arena = open()) {
          Faults.fillAt(arena.allocate(byteSize, alignment), 0, value, byteSize);
        }
      }
    }
    quarantine.verifyAll();
    assertThat(quarantine.overruns() + quarantine.lateWrites()).isZero();
    assertThat(said()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 16, 32, 64, 4096, 1 << 20})
  void eachByteOfTheGuardsIsGuarded(long alignment) throws Throwable {
    for (long byteSize : new long[] {0, 5, 64}) {
      for (long distance = 1; distance <= GuardedBlock.GUARD_BYTE_SIZE; distance++) {
        for (long offset : new long[] {-distance, byteSize + distance - 1}) {
          assertThat(closeAfterWriting(byteSize, alignment, offset))
              .isInstanceOf(AssertionError.class)
              .hasMessageContaining("byte %d of a segment of %d bytes", offset, byteSize);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {32, 4096, 1 << 20})
  void whatIsSkippedForAlignmentIsGuarded(long alignment) throws Throwable {
    long guards = 2 * GuardedBlock.GUARD_BYTE_SIZE + alignment - 16;
    for (boolean last : new boolean[] {false, true}) {
      Arena arena = open();
      MemorySegment memory = arena.allocate(3, alignment);
      long before = guardBytes(memory.address() - 1, -1);
      assertThat(before + guardBytes(memory.address() + 3, 1)).isEqualTo(guards);
      long offset = last ? 3 + guards - before - 1 : -before;
      Faults.fillAt(memory, offset, 0x5a, 1);
      assertThatThrownBy(arena::close).hasMessageContaining("byte %d of", offset);
    }
  }

  /** The number of them in a row, between malloc's notes. */
  private static long guardBytes(long from, int step) {
    long address = from;
    while (LibC.peek(address, 1)[0] == GuardedBlock.GUARD) {
      address += step;
    }
    return (address - from) * step;
  }

  @Test
  void stringWithoutRoomForItsZeroIsFound() throws Throwable {
    Arena arena = open();
    MemorySegment text = arena.allocateFrom("hello");
    MemorySegment copy = arena.allocate(5);
    Faults.copy(copy, text);
    assertThatThrownBy(arena::close)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(
            "byte 5 of a segment of 5 bytes (allocation 2 of its arena) and those behind it hold 00"
                + " fd fd");
  }

  @Test
  void messageHasTheRuleTheValuesAndWhatToDo() throws Throwable {
    String message = closeAfterWriting(24, 8, -3).getMessage();
    assertThat(message)
        .matches(
            "Memory beside a segment must not be written to: byte -3 of a segment of 24 bytes"
                + " \\(allocation 1 of its arena\\) and those behind it hold 5a fd fd, guard bytes"
                + " are fd; its arena was opened by .+\\. Look at what native code is told of that"
                + " segment: its size, an index, room for a terminating zero\\.");
    assertThat(awaitSaid(1)).containsExactly("[rockpool] " + message);
  }

  /** Memory kept aside names the class that opened its arena, without keeping the class. */
  @Test
  void whoOpenedAnArenaMayGo() throws Throwable {
    WeakReference<ClassLoader> dropped = new WeakReference<>(openAndCloseElsewhere());
    Collected.await("the class loader", () -> dropped.refersTo(null));
    assertThat(quarantine.blocks()).isEqualTo(1);
    Faults.writeRemembered(3, 0);
    quarantine.verifyAll();
    assertThat(awaitSaid(1))
        .singleElement()
        .asString()
        .contains("opened by " + ForeignCaller.class.getName() + ".apply(ForeignCaller.java:");
  }

  private ClassLoader openAndCloseElsewhere() throws Throwable {
    URL tests = ForeignCaller.class.getProtectionDomain().getCodeSource().getLocation();
    ClassLoader loader =
        new URLClassLoader(new URL[] {tests}, ClassLoader.getPlatformClassLoader());
    @SuppressWarnings("unchecked")
    UnaryOperator<Supplier<?>> caller =
        (UnaryOperator<Supplier<?>>)
            loader.loadClass(ForeignCaller.class.getName()).getConstructor().newInstance();
    try (Arena arena = (Arena) caller.apply(this::open).get()) {
      Faults.remember(arena.allocate(24));
    }
    return loader;
  }

  @Test
  void eachSegmentIsReportedAndTheFirstIsThrown() throws Throwable {
    Arena arena = open();
    for (int byteSize = 1; byteSize <= 4; byteSize++) {
      MemorySegment memory = arena.allocate(byteSize);
      Faults.fillAt(memory, byteSize, 1, byteSize == 1 ? 0 : 1);
    }
    assertThatThrownBy(arena::close).hasMessageContaining("allocation 2 of its arena");
    assertThat(awaitSaid(3)).hasSize(3).allMatch(line -> line.contains("beside a segment"));
    assertThat(quarantine.overruns()).isEqualTo(3);
    assertThat(quarantine.blocks()).as("let go of").isEqualTo(4);
  }

  @Test
  void closingAgainAfterAnOverrunWasFoundIsRefusedAsByTheJdk() throws Throwable {
    Arena arena = open();
    Faults.fillAt(arena.allocate(8), 8, 0, 1);
    assertThatThrownBy(arena::close).isInstanceOf(AssertionError.class);
    assertThatThrownBy(arena::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Already closed");
    assertThat(quarantine.blocks()).isEqualTo(1);
  }

  @Test
  void cleanupActionThatThrowsIsWhatIsThrown() throws Throwable {
    Arena arena = open();
    IllegalArgumentException ofAction = new IllegalArgumentException("action");
    MemorySegment _ =
        MemorySegment.NULL.reinterpret(
            arena,
            _ -> {
              throw ofAction;
            });
    Faults.fillAt(arena.allocate(8), 8, 0, 1);
    Throwable thrown = catchThrowable(arena::close);
    assertThat(thrown).isSameAs(ofAction);
    assertThat(thrown.getSuppressed())
        .singleElement()
        .isInstanceOf(AssertionError.class)
        .extracting(Throwable::getMessage)
        .asString()
        .contains("byte 8 of a segment of 8 bytes");
  }

  @Test
  void misuseOnAnotherThreadChangesNothing() throws Throwable {
    Arena arena = open();
    Faults.fillAt(arena.allocate(8), 8, 0, 1);
    for (ThreadKind other : ThreadKind.values()) {
      assertThat(other.call(() -> catchThrowable(() -> arena.allocate(8))))
          .isInstanceOf(WrongThreadException.class);
      assertThat(other.call(() -> catchThrowable(arena::close)))
          .isInstanceOf(WrongThreadException.class);
    }
    assertThat(quarantine.overruns()).isZero();
    assertThatThrownBy(arena::close).isInstanceOf(AssertionError.class);
    assertThat(quarantine.blocks()).isEqualTo(1);
  }

  @Test
  void overrunIsFoundAtTheCloseThatIsNotRefused() throws Throwable {
    Arena arena = open();
    MemorySegment longs = arena.allocateFrom(ValueLayout.JAVA_LONG, 2, 1);
    Faults.fillAt(longs, 16, 0, 1);
    List<Throwable> refused = new ArrayList<>();
    LibC.qsort(
        longs,
        Arena.ofAuto(),
        (a, b) -> {
          refused.add(catchThrowable(arena::close));
          return Long.compare(a, b);
        });
    assertThat(refused).isNotEmpty().allMatch(IllegalStateException.class::isInstance);
    assertThat(quarantine.overruns()).isZero();
    assertThatThrownBy(arena::close).isInstanceOf(AssertionError.class);
    assertThat(quarantine.blocks()).isEqualTo(1);
  }

  @Test
  void memoryIsWhatItWasThroughoutTheCleanupActions() throws Throwable {
    List<Integer> read = new ArrayList<>();
    try (Arena arena = open()) {
      for (int i = 0; i < 2; i++) {
        MemorySegment _ =
            MemorySegment.NULL.reinterpret(
                arena,
                _ -> {
                  assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
                  assertThatThrownBy(() -> arena.allocate(8))
                      .isInstanceOf(IllegalStateException.class);
                  read.add(readRemembered());
                });
      }
      Faults.remember(arena.allocate(8).fill((byte) 7));
    }
    assertThat(read).containsExactly(7, 7);
    assertThat(quarantine.blocks()).isEqualTo(1);
  }

  private static int readRemembered() {
    try {
      return Faults.readRemembered(0);
    } catch (Throwable unexpected) {
      throw new AssertionError(unexpected);
    }
  }

  @Test
  void nativeCodeReadsPoisonAfterClose() throws Throwable {
    Arena arena = open();
    MemorySegment memory = arena.allocate(40).fill((byte) 7);
    Faults.remember(memory);
    assertThat(Faults.readRemembered(0)).isEqualTo(7);
    arena.close();
    for (int offset = -64; offset < 40 + 64; offset++) {
      assertThat(Faults.readRemembered(offset)).as("byte %d", offset).isEqualTo(0xdd);
    }
  }

  /** By whatever arena is closed when the memory leaves; that one is innocent. */
  @ParameterizedTest
  @ValueSource(ints = {0, 23, -1, 24, 87, -64})
  void writeAfterCloseIsReportedWhenTheMemoryLeaves(int offset) throws Throwable {
    rememberClosed(24);
    Faults.writeRemembered(offset, 0x5a);
    for (int i = 1; i < KEPT; i++) {
      closeOne();
    }
    assertThat(said()).as("while it is kept").isEmpty();
    closeOne();
    assertThat(awaitSaid(1))
        .singleElement()
        .asString()
        .startsWith(
            "[rockpool] Memory of a closed arena must not be written to: byte "
                + offset
                + " of a segment of 24 bytes (allocation 1 of its arena) and those behind it hold"
                + " 5a")
        .contains(", freed bytes are dd; its arena was opened by ")
        .endsWith(" Keep that arena open as long as native code has the address.");
    assertThat(quarantine.lateWrites()).isEqualTo(1);
    assertThat(quarantine.overruns()).isZero();
  }

  private void rememberClosed(long byteSize) throws Throwable {
    try (Arena arena = open()) {
      Faults.remember(arena.allocate(byteSize));
    }
  }

  private void closeOne() {
    try (Arena arena = open()) {
      arena.allocate(1);
    }
  }

  @Test
  void writeAfterCloseIsFoundAlsoWhereAnOverrunWas() throws Throwable {
    Arena arena = open();
    MemorySegment memory = arena.allocate(8);
    Faults.remember(memory);
    Faults.fillAt(memory, 8, 0x5a, 1);
    assertThatThrownBy(arena::close).isInstanceOf(AssertionError.class);
    quarantine.verifyAll();
    assertThat(quarantine.lateWrites()).as("the overrun is not found twice").isZero();
  }

  @Test
  void whatIsKeptIsVerifiedWhenTheJvmEnds() throws Throwable {
    rememberClosed(24);
    Faults.writeRemembered(3, 0);
    quarantine.verifyAll();
    assertThat(awaitSaid(1)).singleElement().asString().contains("byte 3 of a segment of 24 bytes");
    assertThat(quarantine.blocks()).isZero();
  }

  @Test
  void reportsEndAfterAHundredAndCountsDoNot() throws Throwable {
    for (int i = 0; i < 150; i++) {
      assertThat(closeAfterWriting(8, 1, 8)).isInstanceOf(AssertionError.class);
    }
    assertThat(awaitSaid(101)).hasSize(101);
    assertThat(said().getLast()).contains("More of these are counted, and not printed");
    assertThat(quarantine.overruns()).isEqualTo(150);
  }

  @Test
  void whatStandardErrorThrowsReachesNobody() throws Throwable {
    System.setErr(
        new PrintStream(OutputStream.nullOutputStream()) {
          @Override
          public void println(String line) {
            throw new IllegalStateException("the program's own");
          }
        });
    assertThat(closeAfterWriting(8, 1, 8)).isInstanceOf(AssertionError.class);
    rememberClosed(24);
    Faults.writeRemembered(0, 0);
    for (int i = 0; i < KEPT + 1; i++) {
      closeOne();
    }
    assertThat(quarantine.lateWrites()).isEqualTo(1);
  }
}
