package dev.rockpool.arena;

import dev.rockpool.internal.Setting;
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
 * <p>Segments have the scope of a regular arena of the JDK. That arena gets all requests first. So
 * it refuses what the JDK refuses, and runs cleanup actions in the JDK's order, which depends on
 * whether memory was allocated before.
 */
final class CheckedArena implements Arena {
  /** Starts the names of Rockpool's classes, and of those of the agent that programs call. */
  private static final List<String> ROCKPOOL =
      List.of(Quarantine.class.getName().replace("Quarantine", ""), "java.lang.foreign.Rockpool");

  /** Most bytes of an allocation that are allocated a second time in {@code lifetime}. */
  private static final long MOST_TWICE = 4096;

  private final Quarantine quarantine;
  private final Arena lifetime = Arena.ofConfined();
  private final Thread owner = Thread.currentThread();
  private final String opener = findOpener();
  private final List<GuardedBlock> blocks = new ArrayList<>();

  CheckedArena(Quarantine quarantine) {
    this.quarantine = quarantine;
  }

  /** Initializes all classes that arenas need, because if that fails there must be no pool. */
  static void initialize() {
    Quarantine.SHARED.verifyAtExit();
    try (Arena arena = new CheckedArena(new Quarantine(1 << 10, 0))) {
      arena.allocate(1);
    }
  }

  /** Returns the first caller outside this package, with its line. */
  private static String findOpener() {
    return StackWalker.getInstance()
        .walk(frames -> frames.dropWhile(CheckedArena::isOfRockpool).findFirst())
        .map(frame -> frame.toStackTraceElement().toString())
        .orElse("a class that is not known");
  }

  private static boolean isOfRockpool(StackFrame frame) {
    return ROCKPOOL.stream().anyMatch(frame.getClassName()::startsWith);
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    boolean isImpossible = Math.max(byteSize, byteAlignment) > GuardedBlock.MOST;
    MemorySegment _ =
        lifetime.allocate(isImpossible ? byteSize : Math.min(byteSize, MOST_TWICE), byteAlignment);
    GuardedBlock block = GuardedBlock.allocate(byteSize, byteAlignment, blocks.size() + 1, opener);
    if (block == null) {
      return lifetime.allocate(byteSize, byteAlignment); // not guarded, if there is memory now
    }
    blocks.add(block);
    return block.segment(lifetime);
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
      return lifetime.allocateFrom(
          elementLayout, source, sourceElementLayout, sourceOffset, elementCount);
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
   * <p>As {@link BlockArena#close}, so each block is released once.
   *
   * @throws AssertionError if native code wrote beside a segment; then this arena is closed and its
   *     memory released. If a cleanup action threw, its exception is thrown, with this error
   *     suppressed
   */
  @Override
  @SuppressWarnings("ReferenceEquality") // a thread may redefine equals
  public void close() {
    boolean mayClose = owner == Thread.currentThread() && scope().isAlive();
    try {
      lifetime.close();
    } catch (Throwable failure) {
      AssertionError overrun = mayClose && !scope().isAlive() ? releaseBlocks() : null;
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
}
