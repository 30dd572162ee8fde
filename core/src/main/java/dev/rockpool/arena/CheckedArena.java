package dev.rockpool.arena;

import dev.rockpool.arena.PoolStatistics.State;
import dev.rockpool.internal.NativeMemory;
import dev.rockpool.internal.Notices;
import dev.rockpool.internal.SwitchSetting;
import dev.rockpool.internal.Usability;
import java.lang.StackWalker.StackFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A confined arena that finds what native code writes where it must not: each allocation is a
 * {@link GuardedBlock}, and goes to a {@link Quarantine} when the arena is closed. In place of
 * pooled arenas where {@link SwitchSetting#CHECK} is on; nothing here is fast.
 *
 * <p>A regular arena of the JDK keeps being the only judge of lifetime and confinement, as in
 * {@link PooledArena}: segments are made with it as their arena. What it refuses it is asked for,
 * so that it refuses in its own words; also where the system has no memory.
 *
 * <p>Fields are written by {@code owner} alone.
 */
final class CheckedArena implements Arena {
  private final Arena regular = Arena.ofConfined();
  private final Thread owner = Thread.currentThread();
  private final @Nullable StackTraceElement opener = Opener.find();
  private final Quarantine quarantine;

  /** What was allocated, the last one first. */
  private @Nullable GuardedBlock blocks;

  private int allocations;

  /** Whether {@code regular} is closed, or being closed: then nothing is allocated any more. */
  private boolean closed;

  CheckedArena(Quarantine quarantine) {
    this.quarantine = quarantine;
  }

  /** Whether arenas can be checked, and if not, why; then one line was said on standard error. */
  static State stateOfThisJvm() {
    return Found.STATE;
  }

  /** Whether this is the owner, and the arena open. */
  @SuppressWarnings("ReferenceEquality") // a thread equals itself only
  private boolean isUsable() {
    return !closed && Thread.currentThread() == owner;
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    boolean isValid = byteSize >= 0 && byteAlignment > 0 && Long.bitCount(byteAlignment) == 1;
    GuardedBlock block =
        isValid && isUsable()
            ? GuardedBlock.allocate(byteSize, byteAlignment, allocations + 1, opener)
            : null;
    if (block == null) {
      return regular.allocate(byteSize, byteAlignment);
    }
    allocations++;
    block.next = blocks;
    blocks = block;
    return block.segment(regular);
  }

  /**
   * {@inheritDoc}
   *
   * <p>All forms for arrays end here. The one that is inherited refuses other layouts and counts
   * than the JDK's own arenas do, and in other words.
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
      return regular.allocateFrom(
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
    return regular.scope();
  }

  /**
   * {@inheritDoc}
   *
   * <p>Closes {@code regular}, whose cleanup actions see all memory as it was, and then lets go of
   * the memory. A cleanup action that closes this arena again is just refused.
   *
   * @throws AssertionError if native code wrote beside a segment; this arena is closed then, and
   *     its memory given back. Where a cleanup action threw, that is thrown, and this suppressed
   */
  @Override
  public void close() {
    if (!isUsable()) {
      regular.close();
      return;
    }
    closed = true;
    try {
      regular.close();
    } catch (Throwable failure) {
      afterFailedClose(failure);
      throw failure;
    }
    AssertionError overrun = letGo();
    if (overrun != null) {
      throw overrun;
    }
  }

  /** Either the JDK refused to close, and all stays as it was, or a cleanup action threw. */
  private void afterFailedClose(Throwable failure) {
    if (regular.scope().isAlive()) {
      closed = false;
      return;
    }
    AssertionError overrun = letGo();
    if (overrun != null) {
      failure.addSuppressed(overrun);
    }
  }

  /** Lets go of all blocks; returns what was found of the one that was allocated first. */
  private @Nullable AssertionError letGo() {
    String first = null;
    for (GuardedBlock block = blocks; block != null; block = blocks) {
      blocks = block.next; // before it has another owner
      String found = quarantine.take(block);
      first = found != null ? found : first;
    }
    return first == null ? null : new AssertionError(first);
  }

  /** Finds who opens an arena: the first caller that is none of this package. */
  private static final class Opener
      implements Function<Stream<StackFrame>, Optional<StackFrame>>, Predicate<StackFrame> {
    private static final StackWalker WALKER = StackWalker.getInstance();

    /** Under the agent the start of a name, in the library a package. */
    private static final String OURS = Arenas.class.getName().replace("Arenas", "");

    /** The classes that programs call there. */
    private static final String ENTRIES = "java.lang.foreign.Rockpool";

    /**
     * Null where there is no stack or heap to look, or no such caller. What is found holds names
     * alone: a frame would hold a class, and so keep an application that is gone as long as memory
     * of its arenas is kept aside.
     */
    static @Nullable StackTraceElement find() {
      try {
        StackFrame frame = WALKER.walk(new Opener()).orElse(null);
        return frame == null ? null : frame.toStackTraceElement();
      } catch (LinkageError | VirtualMachineError unknown) {
        return null;
      }
    }

    @Override
    public Optional<StackFrame> apply(Stream<StackFrame> frames) {
      return frames.filter(this).findFirst();
    }

    @Override
    public boolean test(StackFrame frame) {
      String name = frame.getClassName();
      return !name.startsWith(OURS) && !name.startsWith(ENTRIES);
    }
  }

  /** Found out once. */
  private static final class Found {
    static final State STATE = find();

    private static State find() {
      if (!Usability.isNativeAccessAllowed()) {
        Notices.print(
            "Native access is denied to Rockpool, so arenas are the JDK's own, and not checked. To"
                + " have them checked, start java with "
                + Usability.nativeAccessFlag()
                + ".");
        return State.DENIED;
      }
      if (!NativeMemory.canAllocate()) {
        return State.UNSUITED; // and that was said
      }
      if (!Usability.canReplaceDirectBuffers()) {
        Notices.print(
            "Arenas are the JDK's own, and not checked, where each allocation starts on a page"
                + " (-Dsun.nio.PageAlignDirectMemory=true) or addresses have 32 bits.");
        return State.UNSUITED;
      }
      Quarantine.SHARED.verifyAtExit();
      // Has all done once, or there is no table, and no arena that might fail for it: also what
      // comes after the quarantine, as this one keeps nothing.
      try (Arena arena = new CheckedArena(new Quarantine(1 << 10, 0))) {
        arena.allocate(1);
      }
      return State.CHECKED;
    }
  }
}
