package jdk.internal.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import jdk.internal.misc.ScopedMemoryAccess;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Replaces the library's class {@code Lifetime}, which states the rules of use: a confined session
 * without an arena.
 *
 * <p>Where C2 has no profile yet, it inlines next to nothing but constructors, and methods that are
 * marked and whose owner it knows. Each object passed to another method is then garbage. So all
 * that a pooled arena needs of a lifetime is done here, on fields of known classes.
 */
final class RockpoolLifetime {
  /**
   * Least bytes of an allocation that is an entry in the session's list of cleanup actions. JDK 28
   * pools smaller ones.
   */
  private static final int LEAST_IN_LIST = Runtime.version().feature() < 28 ? 0 : 65;

  final ConfinedSession session;

  @ForceInline
  private RockpoolLifetime(ConfinedSession session) {
    this.session = session;
  }

  @ForceInline
  static RockpoolLifetime open() {
    return new RockpoolLifetime(new ConfinedSession(Thread.currentThread()));
  }

  static RockpoolLifetime openFor(Thread owner) {
    return new RockpoolLifetime(new ConfinedSession(owner));
  }

  @ForceInline
  MemorySegment.Scope scope() {
    return session;
  }

  /** Checks that the session is open and the current thread's, before a segment is made. */
  @ForceInline
  MemorySegment segment(long address, long byteSize) {
    try {
      session.checkValidStateRaw();
    } catch (ScopedMemoryAccess.ScopedAccessError refusal) {
      throw refusal.newRuntimeException();
    }
    if (LEAST_IN_LIST == 0 || byteSize >= LEAST_IN_LIST) {
      takeFirstPlace((ConfinedSession.ConfinedResourceList) session.resourceList);
    }
    return new NativeMemorySegmentImpl(address, byteSize, false, session);
  }

  /**
   * Takes the place of the memory in the list of cleanup actions. That list runs the action that
   * came first before all others, and those in LIFO order. In the JDK's arenas, memory nearly
   * always comes first.
   */
  @ForceInline
  private static void takeFirstPlace(ConfinedSession.ConfinedResourceList list) {
    if (list.cache == null) {
      list.cache = Nothing.ACTION;
    }
  }

  /** A cleanup action that does nothing. */
  static final class Nothing extends MemorySessionImpl.ResourceList.ResourceCleanup {
    static final Nothing ACTION = new Nothing();
    static final Nothing OTHER = new Nothing();

    @Override
    @ForceInline
    public void cleanup() {}
  }

  /**
   * Closes the session, nearly always by one store: the JDK's methods check the same, and walk an
   * empty list. Where C2 has no profile yet, it would not inline them, and each session would be
   * garbage.
   */
  @ForceInline
  void close() {
    if (endsByOneStore()) {
      session.state = MemorySessionImpl.CLOSED;
    } else if (!SlowClose.never) {
      session.close();
    }
  }

  /** Whether its owner closes an open session that no call keeps and that has nothing to do. */
  @ForceInline
  boolean endsByOneStore() {
    ConfinedSession.ConfinedResourceList list =
        (ConfinedSession.ConfinedResourceList) session.resourceList;
    return session.state == MemorySessionImpl.OPEN
        && session.owner == Thread.currentThread()
        && session.acquireCount == 0
        && list.fst == null
        && (list.cache == null || list.cache == Nothing.ACTION);
  }

  /**
   * Not initialized before its field is read, for the reason that BlockArena's fallback has such a
   * class. A field, because C2 takes a call that has no profile yet for rare.
   */
  private static final class SlowClose {
    static boolean never;
  }

  @ForceInline
  boolean isOpen() {
    return session.state >= MemorySessionImpl.OPEN;
  }

  @ForceInline
  boolean isOpenAndOwned() {
    return session.state == MemorySessionImpl.OPEN && session.owner == Thread.currentThread();
  }

  @ForceInline
  boolean isClosedAndOwned() {
    return session.state < MemorySessionImpl.OPEN && session.owner == Thread.currentThread();
  }

  /**
   * Not the session's own arena: on JDK 28 that takes a block from a pool of the JDK, which only
   * its own close gives back.
   */
  Arena ofJdk() {
    return new ArenaImpl(session);
  }

  static void runAtEnd(Arena arena, Runnable action) {
    MemorySessionImpl session = MemorySessionImpl.toMemorySession(arena);
    if (session.resourceList instanceof ConfinedSession.ConfinedResourceList list) {
      takeFirstPlace(list);
    }
    session.addInternal(new AtEnd(action)); // does not run the action if it can't be added
  }

  /** An action that is run in its turn. */
  private static final class AtEnd extends MemorySessionImpl.ResourceList.ResourceCleanup {
    private final Runnable action;

    AtEnd(Runnable action) {
      this.action = action;
    }

    @Override
    public void cleanup() {
      action.run();
    }
  }
}
