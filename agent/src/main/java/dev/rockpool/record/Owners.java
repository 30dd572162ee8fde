package dev.rockpool.record;

import dev.rockpool.internal.Usability;
import dev.rockpool.record.HolderEvents.HolderStackEvent;
import dev.rockpool.record.Site.Kind;
import java.lang.ref.Reference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The Java objects that own C memory, each with a {@link Holding} from the normal end of its
 * constructor to its close. The agent has constructors and closing methods call this class.
 *
 * <p>An object counts once, even if the constructors of its class and of a superclass tell of it,
 * or if it is closed twice. No method of the object is called: it is found by its identity.
 *
 * <p>All objects are counted. Finding the line takes longer than all else, so of a class that makes
 * many objects a second, only some lines are noted: {@value #LINES} a second, then those of 1 in
 * {@value #EVERY} objects. The others have a site for all lines of the class. Once one of these was
 * not closed, more lines are noted.
 *
 * <p>Nothing is thrown: the program's constructors and closing methods have done their work, or are
 * to do it. Where stack or heap ends in here, an object may go uncounted.
 */
public final class Owners {
  static final int LINES = 1000;
  static final int EVERY = 16;

  /** For classes with objects that were not closed, and of which the line is not known. */
  private static final int LINES_OF_LEAK = 10 * LINES;

  private static final int EVERY_OF_LEAK = EVERY / 4;

  private static final String WITHOUT_LINE = "(lines not noted)";
  private static final long SECOND_NANOS = 1_000_000_000;

  /** Calls that take more stack than a note without its line. */
  private static final int CALLS = 24;

  /** The class of the thread that runs finalizers. */
  private static final String FINALIZER = "java.lang.ref.Finalizer$FinalizerThread";

  /** The name of the thread that helps it in {@code System.runFinalization}. */
  private static final String SECOND_FINALIZER = "Secondary finalizer";

  private static final Map<Object, Owned> OPEN = new ConcurrentHashMap<>();

  /** Keeps no class alive: a class has its value, which has names. */
  private static final ClassValue<Type> TYPES =
      new ClassValue<>() {
        @Override
        protected Type computeValue(Class<?> type) {
          return new Type(type.getName());
        }
      };

  /**
   * A class of objects. Its fields are read and written by all threads: a lost count is no harm.
   */
  private static final class Type {
    final String name;
    private long secondNanos = System.nanoTime();
    private int lines;
    private boolean leaks;

    /** The site for all lines that was asked for last. */
    private @Nullable Site withoutLine;

    Type(String name) {
      this.name = name;
    }

    RecordedSite site(String line, Kind kind) {
      return RecordedSite.get(Site.find(name + " at " + line, kind).number);
    }

    RecordedSite siteWithoutLine(Kind kind) {
      Site known = withoutLine;
      if (known == null || known.kind != kind) {
        known = Site.find(name + " at " + WITHOUT_LINE, kind);
        withoutLine = known;
      }
      return RecordedSite.get(known.number);
    }

    /** Hashes are random, so what they choose does not depend on what the program does in turn. */
    boolean wantsLine(int hash) {
      long now = System.nanoTime();
      if (now - secondNanos > SECOND_NANOS) {
        secondNanos = now;
        lines = 0;
      }
      if (lines < (leaks ? LINES_OF_LEAK : LINES)) {
        lines++;
        return true;
      }
      return hash % (leaks ? EVERY_OF_LEAK : EVERY) == 0 || Holdings.followsAll();
    }
  }

  /** An open object; finds itself in the map. */
  private static final class Owned extends Holding {
    private final int hash;
    private final @Nullable Type withoutLine;

    Owned(
        Object owner,
        int hash,
        RecordedSite site,
        @Nullable HolderStackEvent stack,
        @Nullable Type withoutLine) {
      super(owner, site, true, true, stack);
      this.hash = hash;
      this.withoutLine = withoutLine;
    }

    @Override
    void unreachable() {
      if (OPEN.remove(this) != null && withoutLine != null) {
        withoutLine.leaks = true;
      }
      super.unreachable();
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }
  }

  @SuppressWarnings("EqualsHashCode")
  private static final class Identity {
    private final Object owner;
    private final int hash;

    Identity(Object owner) {
      this.owner = owner;
      this.hash = System.identityHashCode(owner);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Owned owned && owned.refersTo(owner);
    }
  }

  private Owners() {}

  /**
   * Does once what counting does, without a count: the first object may be made where the stack is
   * about to end, and a class whose initialization fails there would never count.
   */
  static void prepare() {
    Object any = new Object();
    Type type = TYPES.get(Object.class);
    Identity identity = new Identity(any);
    Callers.maker(type.name);
    RecordedSite site = RecordedSite.get(Site.find(Site.OTHERS, Kind.OWNER).number);
    Owned owned = new Owned(any, identity.hash, site, null, null);
    OPEN.put(owned, owned);
    OPEN.remove(identity);
    owned.clear();
  }

  /**
   * Call at the end of a constructor of a class whose objects own C memory until they are closed.
   */
  public static void opened(Object owner) {
    open(owner, Kind.OWNER);
  }

  /** As above, where the collector frees the memory of objects that are not closed. */
  public static void openedCollected(Object owner) {
    open(owner, Kind.OWNER_COLLECTED);
  }

  /** As above, where the class only looks like one of those. */
  public static void openedGuessed(Object owner) {
    open(owner, Kind.OWNER_GUESSED);
  }

  private static void open(Object owner, Kind kind) {
    try {
      Usability.requireStack(CALLS);
      Identity identity = new Identity(owner);
      if (OPEN.containsKey(identity)) {
        return;
      }
      openAnew(owner, identity.hash, kind);
    } catch (RuntimeException | Error uncounted) {
      return;
    }
  }

  private static void openAnew(Object owner, int hash, Kind kind) {
    try {
      Type type = TYPES.get(owner.getClass());
      boolean hasLine = type.wantsLine(hash);
      RecordedSite site =
          hasLine ? type.site(Callers.maker(type.name), kind) : type.siteWithoutLine(kind);
      HolderStackEvent stack = hasLine ? site.takeStack() : null;
      Owned owned = new Owned(owner, hash, site, stack, hasLine ? null : type);
      OPEN.put(owned, owned);
      owned.opened();
    } finally {
      Reference.reachabilityFence(owner); // else it might be unreachable before it is open
    }
  }

  /** Call at the start of a method that closes. */
  public static void closed(Object owner) {
    try {
      Usability.requireStack(CALLS);
      Owned owned = OPEN.remove(new Identity(owner));
      if (owned == null) {
        return;
      }
      if (owned.site.kind == Kind.OWNER_COLLECTED && isFinalizer(Thread.currentThread())) {
        owned.unreachable();
      } else {
        owned.closed(0);
      }
    } catch (RuntimeException | Error uncounted) {
      return;
    }
  }

  private static boolean isFinalizer(Thread thread) {
    return thread.getClass().getName().equals(FINALIZER)
        || thread.getName().equals(SECOND_FINALIZER);
  }
}
