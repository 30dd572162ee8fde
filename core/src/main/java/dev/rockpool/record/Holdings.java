package dev.rockpool.record;

import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.StackSpace;
import dev.rockpool.record.Holding.Closer;
import java.lang.StackWalker.StackFrame;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the confined arenas that get a {@link Holding}, takes the stacks, and looks after all
 * holdings once a second.
 *
 * <p>Chosen are the first arena that a platform thread or a carrier opens at a site, then one in so
 * many; and each arena once it has {@value #LARGE} bytes.
 */
final class Holdings {
  static final long LARGE = 1 << 16;

  static final ReferenceQueue<Object> UNREACHABLE = new ReferenceQueue<>();

  private static final String OURS = Holdings.class.getPackageName() + ".";

  /** The entries of rewritten code, and the methods of the JDK's that call {@code allocate}. */
  private static final String ENTRIES = "java.lang.foreign.";

  private static final StackWalker WALKER = StackWalker.getInstance();
  private static final Function<Stream<StackFrame>, String> TEXT = Holdings::text;
  private static final Function<Stream<StackFrame>, String> CALLER = Holdings::firstText;
  private static final BooleanSupplier ROUND = new Round();

  /** Selects chosen arenas by the number of those opened before. */
  private static int mask = -1;

  /** Whether arenas have holdings at all. */
  private static boolean chosen = true;

  private static int frames;

  private static boolean isStarted;

  private Holdings() {}

  /** Runs all code once that must not be first used near the end of a stack. */
  static void initialize() {
    Site site = new Site("", SiteKind.SHARED);
    Closer closer = new Closer(site);
    site.stack(new Site.Stack(""));
    closer.holding.allocated(0);
    closer.holding.closed(0);
    closer.holding.unreachable();
    Objects.requireNonNull(HoldingArena.global());
  }

  /**
   * Starts to look after holdings, or changes how.
   *
   * @param every chooses one confined arena in so many, a power of two; 0 for none
   * @param mostFrames of a stack
   */
  static void start(int every, int mostFrames) {
    mask = every - 1;
    chosen = every != 0;
    frames = mostFrames;
    WALKER.walk(TEXT); // first use, far from the end of a stack
    WALKER.walk(CALLER);
    synchronized (ROUND) {
      if (isStarted) {
        return;
      }
      isStarted = true;
    }
    Housekeeper.add(ROUND);
  }

  @ForceInline
  static boolean isChosen(int openedBefore) {
    return (openedBefore & mask) == 0;
  }

  /** Makes a holding for a confined arena; null if there is to be none, or no heap or stack. */
  @ForceInline
  static @Nullable Closer choose(int site) {
    try {
      return make(site);
    } catch (LinkageError | VirtualMachineError notCounted) {
      return null;
    }
  }

  private static @Nullable Closer make(int site) {
    return chosen ? Holding.ofClosed(site) : null;
  }

  /** Returns the stack to note for the next holding of a site, or null for none. */
  static Site.@Nullable Stack stackFor(Site site) {
    if (frames == 0 || (mask != 0 && !site.wantsStack())) {
      return null;
    }
    try {
      StackSpace.require();
      return site.stack(new Site.Stack(WALKER.walk(TEXT)));
    } catch (VirtualMachineError none) {
      return null;
    }
  }

  static String caller() {
    StackSpace.require();
    return WALKER.walk(CALLER);
  }

  private static String firstText(Stream<StackFrame> stack) {
    return stack
        .dropWhile(frame -> isOurs(frame.getClassName()))
        .findFirst()
        .map(Holdings::text)
        .orElse("");
  }

  private static String text(Stream<StackFrame> stack) {
    return stack
        .dropWhile(frame -> isOurs(frame.getClassName()))
        .limit(frames)
        .map(Holdings::text)
        .collect(Collectors.joining("\n"));
  }

  private static boolean isOurs(String className) {
    return className.startsWith(OURS) || className.startsWith(ENTRIES);
  }

  private static String text(StackFrame frame) {
    String place = frame.getClassName() + "." + frame.getMethodName();
    int line = frame.getLineNumber();
    return Sites.shortened(line < 0 ? place : place + ":" + line);
  }

  static void takeUnreachable() {
    for (Reference<?> each = UNREACHABLE.poll(); each != null; each = UNREACHABLE.poll()) {
      ((Holding) each).unreachable();
    }
  }

  private static final class Round implements BooleanSupplier {
    private final Recorder.BySite confined = new Recorder.BySite();

    @Override
    public boolean getAsBoolean() {
      takeUnreachable();
      Sites sites = Sites.SHARED;
      int size = sites.size();
      confined.read(Recorder.SHARED, size);
      for (int number = 0; number < size; number++) {
        sites.get(number).look(confined, number);
      }
      return true;
    }
  }
}
