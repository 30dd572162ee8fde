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
 * A confined arena that detects stray writes of native code. Each allocation is a {@link
 * GuardedBlock}, which goes to a {@link Quarantine} when the arena is closed. Replaces pooled
 * arenas if {@link SwitchSetting#CHECK} is on, at the cost of speed.
 *
 * <p>Segments have the scope of a regular arena of the JDK, so the JDK alone checks lifetime and
 * confinement, as in {@link PooledArena}. Invalid requests, and requests for which the system has
 * no memory, go to the regular arena, which throws the JDK's own exception.
 *
 * <p>Only {@code owner} writes fields.
 */
final class CheckedArena implements Arena {
  private final Arena regular = NativeMemory.confinedArena();
  private final Thread owner = Thread.currentThread();
  private final @Nullable StackTraceElement opener = Opener.find();
  private final Quarantine quarantine;

  /** All blocks, the last one first. */
  private @Nullable GuardedBlock blocks;

  private int allocations;

  /** Whether {@code regular} is closed or being closed, so that no block is allocated any more. */
  private boolean closed;

  CheckedArena(Quarantine quarantine) {
    this.quarantine = quarantine;
  }

  /** Returns whether arenas can be checked; if not, prints the reason on standard error once. */
  static State stateOfThisJvm() {
    return Found.STATE;
  }

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
      return NativeMemory.allocating(regular).allocate(byteSize, byteAlignment);
    }
    allocations++;
    block.next = blocks;
    blocks = block;
    return block.segment(regular);
  }

  /**
   * {@inheritDoc}
   *
   * <p>All array forms end here. The inherited method would not do, because it refuses other
   * layouts and counts than the JDK's own arenas do, with other messages.
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
      return NativeMemory.allocating(regular)
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
    return regular.scope();
  }

  /**
   * {@inheritDoc}
   *
   * <p>First closes {@code regular}, so that cleanup actions see all memory unchanged, and then
   * releases the memory. If a cleanup action closes this arena again, {@code regular} refuses.
   *
   * @throws AssertionError if native code wrote beside a segment; then this arena is closed and its
   *     memory released. If a cleanup action threw, its exception is thrown, with this error
   *     suppressed
   */
  @Override
  public void close() {
    if (!isUsable()) {
      NativeMemory.close(regular);
      return;
    }
    closed = true;
    try {
      NativeMemory.close(regular);
    } catch (Throwable failure) {
      afterFailedClose(failure);
      throw failure;
    }
    AssertionError overrun = letGo();
    if (overrun != null) {
      throw overrun;
    }
  }

  /** Reopens this arena if the JDK refused to close; releases memory if a cleanup action threw. */
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

  /** Releases all blocks; returns an error for the first allocated block that has an overrun. */
  private @Nullable AssertionError letGo() {
    String first = null;
    for (GuardedBlock block = blocks; block != null; block = blocks) {
      blocks = block.next; // before the quarantine owns the block and changes next
      String found = quarantine.take(block);
      first = found != null ? found : first;
    }
    return first == null ? null : new AssertionError(first);
  }

  /** Finds the opener of an arena: the first caller outside this package. */
  private static final class Opener
      implements Function<Stream<StackFrame>, Optional<StackFrame>>, Predicate<StackFrame> {
    private static final StackWalker WALKER = StackWalker.getInstance();

    /** Prefix of our class names: in the library a package, under the agent the start of a name. */
    private static final String OURS = Quarantine.class.getName().replace("Quarantine", "");

    /** Prefix of the agent's classes that programs call. */
    private static final String ENTRIES = "java.lang.foreign.Rockpool";

    /**
     * Returns null if stack or heap is exhausted, or there is no such caller. The result holds
     * names only. A frame would hold a class, and so keep an undeployed application reachable while
     * its blocks are in quarantine.
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

  /** Holds the state, determined once. */
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
        return State.UNSUITED; // NativeMemory has printed the reason
      }
      if (!Usability.canReplaceDirectBuffers()) {
        Notices.print(
            "Checked arenas need addresses of 64 bits, and allocations that may start within a"
                + " page: arenas are the JDK's own. Start java on a 64-bit JVM, without"
                + " -Dsun.nio.PageAlignDirectMemory=true.");
        return State.UNSUITED;
      }
      Quarantine.SHARED.verifyAtExit();
      // Initializes all classes on the way: if that fails there is no pool, and no arena that
      // might fail. This quarantine keeps nothing, so blocks are verified and freed here, too.
      try (Arena arena = new CheckedArena(new Quarantine(1 << 10, 0))) {
        arena.allocate(1);
      }
      return State.CHECKED;
    }
  }
}
