package jdk.internal.foreign;

import java.lang.foreign.Arena;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import jdk.internal.misc.InnocuousThread;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * Leaves arenas to the JDK until the program has opened some thousands of them, and then starts the
 * pool. A program that opens fewer does not pay for the start. The start precedes the second
 * compiler's look at the callers, which would otherwise have to be compiled twice.
 *
 * <p>The pool is of no use to virtual threads that open a few arenas and wait: the waiting ones may
 * hold all slabs. Nor is it to platform threads that open a few and end. A thread's switch takes
 * microseconds, its start more, and the pool saves nanoseconds. So once enough arenas are counted,
 * the threads of the next {@link #RECENT} ones are noted. If three of four are such, the start is
 * put off: its thread sleeps, and until then arenas are not even counted. With a setting below
 * {@value #PERIOD} no thread is noted, and no start is put off.
 *
 * <pre>
 *   (none)    -- prepare ------------------------------------&gt;  COUNTING
 *   COUNTING  -- enough arenas -------------------------------&gt;  NOTING
 *             -- enough arenas, and fewer than PERIOD are due -&gt;  STARTING
 *   NOTING    -- enough notes: a thread starts the pool ------&gt;  STARTING
 *   STARTING  -- pool initialized ----------------------------&gt;  STARTED
 *             -- most recent threads gain nothing,
 *                or no heap or stack left -------------------&gt;  PUT OFF
 *             -- too few arenas by the setting ---------------&gt;  COUNTING
 *             -- any other failure ---------------------------&gt;  (none)
 *   PUT OFF   -- has slept -----------------------------------&gt;  COUNTING
 * </pre>
 *
 * <p>NOTING and PUT OFF are COUNTING to {@code state}; {@code recent} and {@code isPutOff} tell.
 *
 * <p>The start also defines the classes of the pool, unless an option needed them before. This
 * class names them only in code that runs afterwards.
 */
final class RockpoolStart implements Runnable {
  /** Threads count in a few places, by id, so that they seldom write to the same cache line. */
  private static final int COUNTERS = 8;

  private static final int LONGS_IN_CACHE_LINE = 8;
  private static final long[] COUNTS = new long[COUNTERS * LONGS_IN_CACHE_LINE];

  /** Arenas of one counter between two looks at the sum. If fewer are due, each arena looks. */
  private static final int PERIOD = 1 << 10;

  /** Most digits of a number that always fits an int, and the setting's range. */
  private static final int MOST_DIGITS = 9;

  /** Least arenas before the next start, after one that hangs or has no thread. */
  private static final int RETRY = 64;

  /** Most of these arenas. */
  private static final int LONGEST_RETRY = 1 << 20;

  /** Sleep of a start that is put off; doubled each time. */
  private static final long FIRST_SLEEP_MILLIS = 1000;

  private static final long LONGEST_SLEEP_MILLIS = 64_000;

  /** As {@link #LONGEST_SLEEP_MILLIS}, of a start that found no heap or stack. */
  private static final long LONGEST_WITHOUT_ROOM_MILLIS = 8000;

  /** Starts without room that are told of: after some forty seconds. */
  private static final int MANY_WITHOUT_ROOM = 8;

  /** Bytes of heap that a start takes. */
  private static final int HEAP_BYTES = 2 << 20;

  /** Tries to tell of a failure, and the pause between two. */
  private static final int NOTICE_TRIES = 60;

  private static final long NOTICE_PAUSE_MILLIS = 1000;

  /** Not -Xss: a class that meets the end of a small stack while it is initialized stays broken. */
  private static final long STACK_BYTES = 1 << 20;

  /** Longest time that an arena waits for a start that is to precede it. */
  private static final long PATIENCE_MILLIS = 5000;

  /**
   * Arenas that are noted before the start: several for each processor, because threads that run
   * have their last arenas open, too.
   */
  private static final int RECENT = Math.max(64, 8 * Runtime.getRuntime().availableProcessors());

  /**
   * The threads that opened the arenas since enough were counted. The array is null while no arenas
   * are noted. Races lose some.
   */
  private static WeakReference<Thread>[] recent;

  /** Ids of the threads in {@link #recent}, those of virtual threads negative. */
  private static final long[] IDS = new long[RECENT];

  /** Arenas of a platform thread that shared slabs serve. */
  private static final int FEW_OF_PLATFORM = RockpoolSizeSetting.FIRST_ARENAS_DEFAULT;

  /** Arenas that take less time, even if they are the JDK's, than the switch to another thread. */
  private static final int FEW_OF_VIRTUAL = 4;

  /** Number of noted arenas. */
  private static int noted;

  /** Whether the start is put off. Then nothing is counted: carriers would contend for counters. */
  private static boolean isPutOff;

  /** Sleep of the next start that is put off. */
  private static long sleepMillis = FIRST_SLEEP_MILLIS;

  /** Starts that found no heap or stack. */
  private static int withoutRoom;

  /**
   * COUNTING: the action that defines the pool's classes. STARTING: the start itself. Null in all
   * other states.
   */
  private static volatile Runnable state;

  /**
   * The lock of changes to {@code state}. Not an AtomicReference, whose class initializes slowly.
   */
  private static final Object LOCK = new Object();

  /**
   * Arenas to count before a start. 0: the first arena starts, and awaits the start, which then
   * reads the settings.
   */
  private static volatile long after = RockpoolSizeSetting.START_AFTER_DEFAULT;

  /** Called when the pool is ready. */
  private static volatile Runnable listener;

  /** State STARTED. Once true, a constant to the compilers, which then drop the JDK's way. */
  @Stable private static boolean isStarted;

  private final Runnable definition;
  private final Thread thread;
  private final CountDownLatch end = new CountDownLatch(1);

  private RockpoolStart(Runnable definition) {
    this.definition = definition;
    thread =
        InnocuousThread.newSystemThread("rockpool-start", this, STACK_BYTES, Thread.NORM_PRIORITY);
    thread.setDaemon(true);
  }

  /** Lets the agent call {@link #prepare} without naming this class, which is defined later. */
  static final class Preparation implements BiConsumer<Runnable, Runnable> {
    @Override
    public void accept(Runnable definition, Runnable ready) {
      prepare(definition, ready);
    }
  }

  /**
   * Lets the count of arenas start the pool, unless a start is under way. Keeps an action that is
   * there already, because an arena may be about to start it. Loads no further class if the
   * settings are absent.
   *
   * @param definition defines the pool's classes
   * @param ready called when the pool is ready
   */
  static void prepare(Runnable definition, Runnable ready) {
    if (!isStarted && !(state instanceof RockpoolStart)) {
      boolean mayBeChecked = System.getProperty(RockpoolSwitchSetting.CHECK_PROPERTY) != null;
      after =
          mayBeChecked ? 0 : number(System.getProperty(RockpoolSizeSetting.START_AFTER_PROPERTY));
      listener = ready;
      recent = null;
      isPutOff = false; // arenas that are to be checked do not wait for others
      replace(null, definition);
      if (isStarted) { // just now, by the start that an arena began before
        replace(definition, null);
        listener = null;
      }
    }
  }

  private static boolean isCounting(Runnable state) {
    return state != null && !(state instanceof RockpoolStart);
  }

  private static boolean replace(Runnable known, Runnable next) {
    synchronized (LOCK) {
      if (state != known) {
        return false;
      }
      state = next;
      return true;
    }
  }

  /** Returns 0 for other than a plain number: the start then lets the setting read or refuse it. */
  private static int number(String text) {
    if (text == null) {
      return RockpoolSizeSetting.START_AFTER_DEFAULT;
    }
    int number = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9 || i == MOST_DIGITS) {
        return 0;
      }
      number = 10 * number + digit;
    }
    return number;
  }

  /**
   * As {@link Arena#ofConfined()}. No arena of the JDK is passed to another method, so that C2
   * takes them apart here as well.
   */
  @ForceInline
  public static Arena ofConfined() {
    if (!isStarted && !isPutOff) {
      count();
    }
    return isStarted
        ? RockpoolPool.Shared.POOL.open(RockpoolNativeMemory.confinedArena())
        : Arena.ofConfined();
  }

  /** Opens the arena of one native call; null if the linker's own arena is to serve. */
  @ForceInline
  public static Arena open(long byteSize) {
    if (!isStarted && !isPutOff) {
      count();
    }
    return isStarted ? RockpoolCallArenas.open(byteSize) : null;
  }

  /** Counts plainly. A race may lose counts, which only delays the start. */
  private static void count() {
    int at = ((int) Thread.currentThread().threadId() & (COUNTERS - 1)) * LONGS_IN_CACHE_LINE;
    long due = after;
    if (++COUNTS[at] % PERIOD == 0 || due < PERIOD) {
      look(due);
    }
    WeakReference<Thread>[] threads = recent;
    if (threads != null) {
      note(threads);
    }
  }

  /** Starts the pool once all are noted. */
  private static void note(WeakReference<Thread>[] threads) {
    try {
      int at = noted;
      if (at >= RECENT) {
        start();
        return;
      }
      noted = at + 1;
      Thread thread = Thread.currentThread();
      threads[at] = new WeakReference<>(thread);
      IDS[at] = thread.isVirtual() ? -thread.threadId() : thread.threadId();
    } catch (VirtualMachineError noSpace) {
      return; // one note less
    }
  }

  /**
   * Whether three of four recent arenas gain nothing from the pool. Also true if the notes are
   * gone, because another start was put off just now.
   */
  private static boolean mostGainNothing() {
    if (after < PERIOD) {
      return false;
    }
    WeakReference<Thread>[] threads = recent;
    if (threads == null) {
      return true;
    }
    int useless = 0;
    for (int i = 0; i < RECENT; i++) {
      Thread thread = threads[i] == null ? null : threads[i].get();
      useless += gainsNothing(thread != null && thread.isAlive(), i) ? 1 : 0;
    }
    return useless >= RECENT - RECENT / 4;
  }

  /**
   * Whether an arena is among the first few noted ones of a platform thread that has ended, or of a
   * virtual thread that lives. {@link #RECENT} is eight for each processor. So virtual threads that
   * run open at least half of the noted arenas beyond their first four; if fewer are, threads wait.
   */
  private static boolean gainsNothing(boolean isAlive, int at) {
    long id = IDS[at];
    boolean isVirtual = id < 0;
    int before = 0;
    for (int i = 0; i < at; i++) {
      before += IDS[i] == id ? 1 : 0;
    }
    int few = isVirtual ? FEW_OF_VIRTUAL : FEW_OF_PLATFORM;
    return id != 0 && isAlive == isVirtual && before < few;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static void takeNotes() {
    noted = 0;
    Arrays.fill(IDS, 0);
    recent = new WeakReference[RECENT];
  }

  private static void look(long due) {
    if (sum() < due) {
      return;
    }
    if (due < PERIOD) {
      start();
    } else if (recent == null && isCounting(state)) {
      try {
        takeNotes();
      } catch (OutOfMemoryError noHeap) {
        return; // still counting
      }
    }
    if (due == 0) {
      awaitStart();
    }
  }

  private static long sum() {
    long sum = 0;
    for (int at = 0; at < COUNTS.length; at += LONGS_IN_CACHE_LINE) {
      sum += COUNTS[at];
    }
    return sum;
  }

  /** Starts the pool on a thread of its own, whose stack is empty. */
  private static void start() {
    Runnable due = state;
    if (!isCounting(due)) {
      return;
    }
    try {
      RockpoolStart start = new RockpoolStart(due);
      if (replace(due, start)) {
        start.startThread();
      }
    } catch (OutOfMemoryError noHeap) {
      return; // still counting
    }
  }

  private void startThread() {
    try {
      thread.start();
    } catch (VirtualMachineError noThread) {
      recent = null; // else the next arena would try again
      postpone();
      backToCounting();
      end.countDown();
    }
  }

  /**
   * Has a start that hangs, or has no thread, wait for twice as many arenas: each attempt takes
   * time, and where the system has no thread left, the JVM prints two lines.
   */
  private static void postpone() {
    long sum = sum();
    after = Math.max(after, sum + Math.clamp(sum, RETRY, LONGEST_RETRY));
  }

  private void backToCounting() {
    replace(this, definition);
  }

  /** Waits for a start under way, though not for ever. */
  private static void awaitStart() {
    if (state instanceof RockpoolStart start && start.thread != Thread.currentThread()) {
      try {
        if (!start.end.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
          postpone();
        }
      } catch (InterruptedException early) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Makes the pools, and opens an arena of each kind, because a caller's stack or heap may be at
   * its end. Classes that fail to initialize for lack of room would be broken for good, so this
   * requires room first. Other threads may fill the heap meanwhile; making the pools again is then
   * no harm.
   */
  private static void initialize() {
    RockpoolFoundations.requireMoreRoom();
    RockpoolPool.Made.shared();
    RockpoolPool.Made.ofCalls();
    RockpoolPool.Shared.POOL.open().close();
    Arena ofCall = RockpoolCallArenas.open(1);
    if (ofCall != null) {
      ofCall.close();
    }
  }

  /** Has no arena counted for a while. After an attach, another start may begin meanwhile. */
  private void putOff(long longestMillis) {
    recent = null;
    isPutOff = true;
    backToCounting();
    end.countDown();
    long millis = sleepMillis;
    sleepMillis = Math.min(2 * millis, LONGEST_SLEEP_MILLIS);
    sleep(Math.min(millis, longestMillis));
  }

  /**
   * Throws unless there is heap for a start. An error of the JVM's own would end a program that
   * runs with -XX:+ExitOnOutOfMemoryError.
   */
  private static void requireHeap() {
    if (freeHeap() < HEAP_BYTES) {
      System.gc();
      if (freeHeap() < HEAP_BYTES) {
        throw new OutOfMemoryError("a full heap");
      }
    }
  }

  private static long freeHeap() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
  }

  @Override
  public void run() {
    Throwable failure = tryOnce();
    if (failure != null) {
      tell(failure);
    }
  }

  /**
   * Returns a failure to tell of: the pool is off until an attach prepares it again, or a start has
   * found no room for long. Else null.
   */
  private Throwable tryOnce() {
    boolean isDefined = false;
    try {
      if (mostGainNothing()) {
        putOff(LONGEST_SLEEP_MILLIS);
        return null;
      }
      requireHeap();
      definition.run();
      isDefined = true;
      if (after == 0 && !RockpoolSwitchSetting.CHECK.isOn()) {
        after = RockpoolSizeSetting.START_AFTER.read();
      }
      if (sum() < after) {
        backToCounting();
        return null;
      }
      initialize();
      listener.run();
      isStarted = true;
      listener = null; // leads to the agent's Instrumentation
      replace(this, null);
      return null;
    } catch (OutOfMemoryError | StackOverflowError noRoom) {
      putOff(LONGEST_WITHOUT_ROOM_MILLIS);
      return ++withoutRoom == MANY_WITHOUT_ROOM ? noRoom : null;
    } catch (Throwable failure) {
      replace(this, null);
      return isDefined || failure instanceof Error ? failure : null; // else it was reported
    } finally {
      isPutOff = false;
      recent = null;
      end.countDown();
    }
  }

  /** Tries again until there is heap: most failures are due to a full one. */
  private static void tell(Throwable failure) {
    for (int tries = 0; tries < NOTICE_TRIES && !isTold(failure); tries++) {
      sleep(NOTICE_PAUSE_MILLIS);
    }
  }

  private static boolean isTold(Throwable failure) {
    try {
      RockpoolFoundations.requireMoreRoomSeldomCollecting();
      return RockpoolNotices.print("Arenas are the JDK's: the pool's start failed", failure);
    } catch (OutOfMemoryError noRoom) {
      return false;
    } catch (LinkageError undefined) {
      return true; // the definition failed, so nobody can tell
    }
  }

  /**
   * Sleeps at a full heap: the first use of Thread.sleep would allocate, and that of LockSupport
   * might break that class for the program. An interrupt only ends the sleep.
   */
  private static void sleep(long millis) {
    Thread.interrupted(); // a set flag would end each sleep at once
    Unsafe.getUnsafe().park(false, millis * 1_000_000);
  }
}
