package dev.rockpool.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Lifetime and confinement of a pooled arena: a confined arena of the JDK, which also serves what
 * blocks don't. Segments have its scope, so the JDK checks each access to them.
 *
 * <p>Under the agent, {@code RockpoolLifetime} of {@code agent/src/java.base} takes the place of
 * this class, and holds a session of the JDK without an arena.
 */
public final class Lifetime {
  private final Arena arena;

  private Lifetime(Arena arena) {
    this.arena = arena;
  }

  /** Opens a lifetime, which the current thread owns. */
  @ForceInline
  public static Lifetime open() {
    return new Lifetime(Arena.ofConfined());
  }

  @ForceInline
  public MemorySegment.Scope scope() {
    return arena.scope();
  }

  /**
   * Returns a segment of {@code byteSize} bytes at {@code address} in this scope.
   *
   * @throws IllegalStateException if this is closed
   * @throws WrongThreadException if another thread owns this
   */
  @ForceInline
  @SuppressWarnings("restricted")
  public MemorySegment segment(long address, long byteSize) {
    return MemorySegment.ofAddress(address).reinterpret(byteSize, arena, null);
  }

  /** As {@link Arena#close}. */
  @ForceInline
  public void close() {
    arena.close();
  }

  @ForceInline
  public boolean isOpen() {
    return arena.scope().isAlive();
  }

  /** Whether this is open and the current thread may use it. */
  @ForceInline
  public boolean isOpenAndOwned() {
    try {
      return segment(0, 0) != null;
    } catch (IllegalStateException | WrongThreadException refusal) {
      return false;
    }
  }

  /** Whether this is closed, and its owner is the current thread. */
  public boolean isClosedAndOwned() {
    try {
      return segment(0, 0) == null; // never: then it is open
    } catch (IllegalStateException closed) {
      return true;
    } catch (WrongThreadException foreign) {
      return false;
    }
  }

  /** Returns the JDK's arena with the same scope, which allocates. */
  public Arena ofJdk() {
    return arena;
  }

  /**
   * Has an arena of the JDK run an action after it has freed all memory that is allocated from now
   * on. A confined arena runs the action that came first before all others, even before it frees;
   * the others it runs in LIFO order, as do other arenas.
   *
   * @throws IllegalCallerException if native access is denied
   */
  @SuppressWarnings("restricted") // the segments are not used
  public static void runAtEnd(Arena arena, Runnable action) {
    MemorySegment.NULL.reinterpret(arena, _ -> {});
    MemorySegment.NULL.reinterpret(arena, _ -> action.run());
  }
}
