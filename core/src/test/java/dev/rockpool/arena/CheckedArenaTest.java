package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.rockpool.child.Faults;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * C code that writes where it must not, and what is reported then. {@link ArenaContract} verifies
 * that checked arenas are otherwise like those of the JDK.
 */
class CheckedArenaTest {
  private static final int KEPT = 20;

  private final Quarantine quarantine = new Quarantine(1 << 20, KEPT);
  private final PrintStream err = System.err;
  private final BlockingQueue<String> printed = new LinkedBlockingQueue<>();

  @BeforeEach
  void listen() {
    System.setErr(
        new PrintStream(OutputStream.nullOutputStream()) {
          @Override
          public void println(String line) {
            printed.add(line);
          }
        });
  }

  @AfterEach
  void stopListening() {
    System.setErr(err);
  }

  private Arena open() {
    return new CheckedArena(quarantine);
  }

  /** Waits for the threads that print notices. */
  private List<String> awaitPrinted(int lines) throws InterruptedException {
    List<String> awaited = new ArrayList<>();
    for (int i = 0; i < lines; i++) {
      awaited.add(Objects.requireNonNull(printed.poll(1, TimeUnit.MINUTES), "a line"));
    }
    assertThat(printed).isEmpty();
    return awaited;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 0xfd, 0xdd})
  void nothingIsFoundIfNativeCodeStaysWithinItsSegment(int value) throws Throwable {
    for (int byteSize = 0; byteSize < 300; byteSize++) {
      for (int alignment = 1; alignment <= 4096; alignment *= 8) {
        try (Arena arena = open()) {
          Faults.fillAt(arena.allocate(byteSize, alignment), 0, value, byteSize);
        }
      }
    }
    quarantine.verifyAll();
    assertThat(quarantine.overruns() + quarantine.lateWrites()).isZero();
    assertThat(printed).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 16, 32, 64, 4096})
  void eachByteOutsideTheSegmentIsGuarded(int alignment) {
    for (int byteSize : new int[] {0, 1, 5, 16, 64, 299}) {
      GuardedBlock block =
          Objects.requireNonNull(GuardedBlock.allocate(byteSize, alignment, 1, "nobody"));
      MemorySegment memory = block.memory();
      long end = block.offset() + byteSize;
      assertThat(block.offset()).isGreaterThanOrEqualTo(GuardedBlock.GUARD_BYTE_SIZE);
      assertThat(memory.byteSize() - end).isGreaterThanOrEqualTo(GuardedBlock.GUARD_BYTE_SIZE);
      for (long i = 0; i < memory.byteSize(); i = i + 1 == block.offset() ? end : i + 1) {
        memory.set(ValueLayout.JAVA_BYTE, i, (byte) 0x5a);
        assertThat(block.findOverrun()).contains(": byte " + (i - block.offset()) + " of a");
        memory.set(ValueLayout.JAVA_BYTE, i, GuardedBlock.GUARD);
      }
      assertThat(block.findOverrun()).isNull();
      block.free();
    }
  }

  @Test
  void eachSegmentIsReportedAndTheFirstIsThrown() throws Throwable {
    Arena arena = open();
    for (int byteSize = 1; byteSize <= 4; byteSize++) {
      MemorySegment memory = arena.allocate(byteSize);
      Faults.fillAt(memory, byteSize, 1, byteSize == 1 ? 0 : 1);
    }
    Throwable thrown = catchThrowable(arena::close);
    assertThat(thrown)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("byte 2 of a segment of 2 bytes (allocation 2 of its arena)")
        .hasMessageContaining("hold 01 fd fd");
    assertThat(awaitPrinted(3))
        .contains("[rockpool] " + thrown.getMessage())
        .allMatch(line -> line.contains("beside a segment"));
    assertThat(quarantine.overruns()).isEqualTo(3);
    assertThat(quarantine.blocks()).as("let go of").isEqualTo(4);
  }

  @Test
  void anExceptionOfACleanupActionIsThrownWithTheOverrunSuppressed() throws Throwable {
    Arena arena = open();
    RuntimeException ofAction = new IllegalArgumentException("action");
    ArenaContract.onClose(
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

  /** By other threads, during a native call that uses the memory, and once closed. */
  @Test
  void onlyTheCloseThatIsNotRefusedReleasesMemory() throws Throwable {
    Arena arena = open();
    MemorySegment longs = arena.allocateFrom(ValueLayout.JAVA_LONG, 2, 1);
    Faults.fillAt(longs, 16, 0, 1);
    List<Throwable> refused = new ArrayList<>();
    for (ThreadKind other : ThreadKind.values()) {
      refused.add(other.call(() -> catchThrowable(arena::close)));
    }
    LibC.qsort(longs, Arena.ofAuto(), () -> refused.add(catchThrowable(arena::close)));
    assertThat(refused)
        .hasSizeGreaterThan(2)
        .allMatch(e -> e instanceof WrongThreadException || e instanceof IllegalStateException);
    assertThat(quarantine.overruns()).isZero();
    assertThatThrownBy(arena::close).isInstanceOf(AssertionError.class);
    assertThatThrownBy(arena::close).hasMessage("Already closed");
    assertThat(quarantine.blocks()).isEqualTo(1);
    quarantine.verifyAll();
    assertThat(quarantine.lateWrites()).as("the overrun is not found twice").isZero();
  }

  /** The arena that is closed when the memory leaves has nothing to do with the write. */
  @ParameterizedTest
  @ValueSource(ints = {0, 23, -1, 24, 87, -64})
  void writeAfterCloseIsReportedWhenTheMemoryLeaves(int offset) throws Throwable {
    try (Arena arena = open()) {
      Faults.remember(arena.allocate(24));
    }
    assertThat(Faults.readRemembered(offset)).isEqualTo(0xdd);
    Faults.writeRemembered(offset, 0x5a);
    for (int i = 0; i < KEPT; i++) {
      assertThat(printed).as("while it is kept").isEmpty();
      try (Arena arena = open()) {
        arena.allocate(1);
      }
    }
    assertThat(awaitPrinted(1).getFirst())
        .startsWith("[rockpool] Memory of a closed arena must not be written to: ")
        .contains("byte " + offset + " of a segment of 24 bytes", "hold 5a");
    assertThat(quarantine.lateWrites()).isEqualTo(1);
    assertThat(quarantine.overruns()).isZero();
  }

  @Test
  void reportsEndAfterAHundredAndCountsDoNot() throws Throwable {
    for (int i = 0; i < 150; i++) {
      Arena arena = open();
      Faults.fillAt(arena.allocate(8), 8, 0x5a, 1);
      assertThatThrownBy(arena::close).isInstanceOf(AssertionError.class);
    }
    assertThat(awaitPrinted(101)).filteredOn(line -> line.contains("More of these")).hasSize(1);
    assertThat(quarantine.overruns()).isEqualTo(150);
  }
}
