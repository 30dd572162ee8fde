package dev.rockpool.arena;

import dev.rockpool.arena.PoolStatistics.State;
import dev.rockpool.internal.NativeMemory;
import dev.rockpool.internal.Notices;
import dev.rockpool.internal.Setting;
import dev.rockpool.internal.Usability;
import java.lang.StackWalker.StackFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A confined arena that detects stray writes of native code. Each allocation is a {@link
 * GuardedBlock}, which moves to a {@link Quarantine} when the arena is closed. Replaces pooled
 * arenas if {@link Setting#CHECK} is on, at the cost of speed.
 *
 * <p>Segments have the scope of a regular arena of the JDK, so the JDK alone checks lifetime and
 * confinement, as in {@link BlockArena}. Invalid requests, and requests for which the system has no
 * memory, go to the regular arena, which throws the JDK's own exception.
 */
final class CheckedArena implements Arena {
  /** Starts the names of our classes, and of those of the agent that programs call. */
  private static final List<String> OURS =
      List.of(Quarantine.class.getName().replace("Quarantine", ""), "java.lang.foreign.Rockpool");

  private final Quarantine quarantine;
  private final Arena lifetime = NativeMemory.confinedArena();
  private final String opener = findOpener();
  private final List<GuardedBlock> blocks = new ArrayList<>();

  CheckedArena(Quarantine quarantine) {
    this.quarantine = quarantine;
  }

  /** Returns whether arenas can be checked; if not, prints the reason on standard error once. */
  static State stateOfThisJvm() {
    return Found.STATE;
  }

  /** Returns the first caller outside this package, with its line. */
  private static String findOpener() {
    return StackWalker.getInstance()
        .walk(frames -> frames.dropWhile(CheckedArena::isOurs).findFirst())
        .map(frame -> frame.toStackTraceElement().toString())
        .orElse("a class that is not known");
  }

  private static boolean isOurs(StackFrame frame) {
    return OURS.stream().anyMatch(frame.getClassName()::startsWith);
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    GuardedBlock block =
        NativeMemory.isOpenAndOwned(lifetime)
            ? GuardedBlock.allocate(byteSize, byteAlignment, blocks.size() + 1, opener)
            : null;
    if (block == null) {
      return NativeMemory.allocating(lifetime).allocate(byteSize, byteAlignment);
    }
    blocks.add(block);
    long address = block.memory().address() + block.offset();
    return NativeMemory.confinedSegment(address, byteSize, lifetime);
  }

  /**
   * {@inheritDoc}
   *
   * <p>All array forms end here. The inherited method refuses other layouts and counts than the
   * JDK's own arenas do, with other messages.
   */
  @Override
  public MemorySegment allocateFrom(
      ValueLayout elementLayout,
      MemorySegment source,
      ValueLayout sourceElementLayout,
      long sourceOffset,
      long elementCount) {
    Objects.requireNonNull(source);
    Objects.requireNonNull(sourceElementLayout);
    Objects.requireNonNull(elementLayout);
    if (elementCount < 0 || elementCount > Long.MAX_VALUE / elementLayout.byteSize()) {
      return NativeMemory.allocating(lifetime)
          .allocateFrom(elementLayout, source, sourceElementLayout, sourceOffset, elementCount);
    }
    MemorySegment copy =
        allocate(elementLayout.byteSize() * elementCount, elementLayout.byteAlignment());
    MemorySegment.copy(
        source, sourceElementLayout, sourceOffset, copy, elementLayout, 0, elementCount);
    return copy;
  }

  @Override
  public MemorySegment.Scope scope() {
    return lifetime.scope();
  }

  /**
   * {@inheritDoc}
   *
   * <p>First closes {@code lifetime}, which checks that the arena may be closed, and runs the
   * cleanup actions, which may still use the memory. By then this arena can't allocate, or be
   * closed again, so each block is released once.
   *
   * @throws AssertionError if native code wrote beside a segment; then this arena is closed and its
   *     memory released. If a cleanup action threw, its exception is thrown, with this error
   *     suppressed
   */
  @Override
  public void close() {
    boolean isRefused = !NativeMemory.isOpenAndOwned(lifetime);
    try {
      NativeMemory.close(lifetime);
    } catch (Throwable failure) {
      AssertionError overrun = isRefused || lifetime.scope().isAlive() ? null : releaseBlocks();
      if (overrun != null) {
        failure.addSuppressed(overrun);
      }
      throw failure;
    }
    AssertionError overrun = releaseBlocks();
    if (overrun != null) {
      throw overrun;
    }
  }

  /** Returns an error for the first block that has an overrun, or null if none has. */
  private @Nullable AssertionError releaseBlocks() {
    String first = null;
    for (GuardedBlock block : blocks) {
      String overrun = quarantine.take(block);
      first = first == null ? overrun : first;
    }
    return first == null ? null : new AssertionError(first);
  }

  /** Holds the state, determined once. */
  private static final class Found {
    static final State STATE = find();

    private static State find() {
      if (!Usability.isNativeAccessAllowed()) {
        String flag = Usability.nativeAccessFlag();
        Notices.print(
            "Native access is denied to Rockpool, so arenas are the JDK's own, and not checked. To"
                + (" have them checked, start java with " + flag + "."));
        return State.DENIED;
      }
      if (!Usability.canReplaceDirectBuffers()) {
        if (NativeMemory.canAllocate()) { // else the reason has been printed
          Notices.print(
              "Checked arenas need addresses of 64 bits, and allocations that may start within a"
                  + " page: arenas are the JDK's own. Start java on a 64-bit JVM, without"
                  + " -Dsun.nio.PageAlignDirectMemory=true.");
        }
        return State.UNSUITED;
      }
      Quarantine.SHARED.verifyAtExit();
      // Initializes all classes that arenas need, because if that fails there must be no pool.
      try (Arena arena = new CheckedArena(new Quarantine(1 << 10, 0))) {
        arena.allocate(1);
      }
      return State.CHECKED;
    }
  }
}
