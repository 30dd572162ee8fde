package dev.rockpool.call;

import dev.rockpool.internal.Carrier;
import dev.rockpool.internal.Foundations;
import dev.rockpool.internal.Housekeeper;
import dev.rockpool.internal.Malloc;
import dev.rockpool.internal.NativeMemory;
import dev.rockpool.internal.Usability;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A line of native memory for each platform thread that makes adapted calls, to capture call state
 * into. All lines are one block; a thread's is found from its id, without a table.
 *
 * <pre>
 *   a line: the captured state, from byte 0 | the id of its owner, at byte 32
 *
 *           claim: CAS, by the thread, or on it
 *   free ----------------------------------------&gt; owned
 *   id 0 &lt;---------------------------------------- id of a platform thread
 *           release: the thread has ended; once a second
 * </pre>
 *
 * <p>A thread looks for its line at its id modulo their number, and in the few behind that; one
 * that finds them owned by others does without. Only the owner, and virtual threads while it
 * carries them, write to a line or read what was captured. Ids are not used twice, so what is found
 * to have the right id is owned by the right thread, without synchronisation.
 *
 * <p>The block is never given back. The system has memory for those pages alone that were touched.
 */
final class CaptureLines {
  static final int LINES = 4096;

  /** Lines in which an owner looks for its own. */
  static final int TRIES = 8;

  /** Owner and state share a cache line. */
  static final int LINE = NativeMemory.CACHE_LINE;

  private static final long OWNER = 32;
  private static final long NOBODY = 0;

  /** No line at all. */
  private static final long NONE = 0;

  /** Where the lines start; {@link #NONE} if there is no memory for them, or no right to use it. */
  private static final long BASE = allocate();

  /** Exact, because any other use would be slow. */
  private static final VarHandle ID = ValueLayout.JAVA_LONG.varHandle().withInvokeExactBehavior();

  private static final long STATE_BYTE_SIZE = CallState.LAYOUT.byteSize();

  /** Who owned each line last. */
  private static final AtomicReferenceArray<@Nullable WeakReference<Thread>> OWNERS =
      new AtomicReferenceArray<>(LINES);

  static {
    if (BASE != NONE) {
      Foundations.initialize();
      Housekeeper.add(CaptureLines::releaseOfEnded);
    }
  }

  private CaptureLines() {}

  private static long allocate() {
    if (STATE_BYTE_SIZE > OWNER || Usability.ofThisJvm() != Usability.USABLE) {
      return NONE;
    }
    long allocation = Malloc.allocateZeroed((LINES + 1L) * LINE);
    return (allocation + LINE - 1) & -LINE;
  }

  /**
   * Whether the line that {@code current}, the current thread, looks at first is its own; never so
   * on a virtual thread.
   */
  static boolean isFirstChoice(Thread current) {
    long id = current.threadId();
    return isOwner(line(id), id);
  }

  /** Whether a platform thread, the current one or its carrier, has a line, or can have one. */
  static boolean hasOne(Thread thread) {
    return BASE != NONE && find(thread) != NONE;
  }

  /** As {@link #hasOne}, on a virtual thread. */
  static boolean carrierHasOne() {
    return Carrier.isReachable() && hasOne(java.util.Objects.requireNonNull(Carrier.current()));
  }

  /** The line of the current thread or its carrier, zeroed as far as state is captured into it. */
  static MemorySegment zeroed() {
    Thread current = Thread.currentThread();
    long line = isFirstChoice(current) ? line(current.threadId()) : otherLine(current);
    if (line == NONE) {
      return lineOfItsOwn();
    }
    MemorySegment captured = NativeMemory.slice(line, STATE_BYTE_SIZE);
    for (long word = 0; word < STATE_BYTE_SIZE; word += Integer.BYTES) {
      captured.set(ValueLayout.JAVA_INT_UNALIGNED, word, 0);
    }
    return captured;
  }

  private static long otherLine(Thread current) {
    return find(
        current.isVirtual() ? java.util.Objects.requireNonNull(Carrier.current()) : current);
  }

  /** For a virtual thread that was moved to another carrier just now, which finds none. */
  private static MemorySegment lineOfItsOwn() {
    return Arena.ofAuto().allocate(CallState.LAYOUT);
  }

  private static long line(long id) {
    return BASE + (id & (LINES - 1)) * LINE;
  }

  private static boolean isOwner(long line, long id) {
    return BASE != NONE && NativeMemory.getLong(line + OWNER) == id;
  }

  /** The line of a platform thread, the current one or its carrier, made its own if need be. */
  private static long find(Thread owner) {
    long id = owner.threadId();
    for (int i = 0; i < TRIES; i++) {
      if (isOwner(line(id + i), id)) {
        return line(id + i);
      }
    }
    return claim(owner);
  }

  private static long claim(Thread owner) {
    long id = owner.threadId();
    for (int i = 0; i < TRIES; i++) {
      if (claim(line(id + i), owner)) {
        return line(id + i);
      }
    }
    return NONE;
  }

  private static boolean claim(long line, Thread owner) {
    MemorySegment memory = NativeMemory.slice(line, LINE);
    if ((long) ID.get(memory, OWNER) != NOBODY) {
      return false;
    }
    WeakReference<Thread> reference = new WeakReference<>(owner); // before the claim: it may fail
    if (!ID.compareAndSet(memory, OWNER, NOBODY, owner.threadId())) {
      return false;
    }
    OWNERS.set(index(line), reference);
    return true;
  }

  private static int index(long line) {
    return (int) ((line - BASE) / LINE);
  }

  /** Makes the lines of ended threads free. */
  static boolean releaseOfEnded() {
    for (int i = 0; i < LINES; i++) {
      WeakReference<Thread> owner = OWNERS.get(i);
      if (owner != null && isEnded(owner.get())) {
        OWNERS.set(i, null);
        ID.setRelease(NativeMemory.slice(line(i), LINE), OWNER, NOBODY);
      }
    }
    return true;
  }

  private static boolean isEnded(@Nullable Thread thread) {
    return thread == null || !thread.isAlive();
  }

  /** How many lines are owned. */
  static int owned() {
    int owned = 0;
    for (int i = 0; i < LINES; i++) {
      owned += OWNERS.get(i) == null ? 0 : 1;
    }
    return owned;
  }
}
