package dev.rockpool.internal;

import java.lang.ref.WeakReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One thing for each platform thread, found by the thread's id, and taken out after its end.
 *
 * <p>There is no hook at the end of a thread. So whoever adds an entry looks at a few that were not
 * looked at for longest ({@link #looks}, {@link #look}). No thread is kept reachable from here.
 *
 * <p>Entries are linked by themselves, into a table and into a {@link Queue}: none of the methods
 * allocates anything that it needs, so an entry is in both or in neither, wherever the heap ends.
 * Whoever changes anything has a lock, and has made sure of the stack ({@link StackSpace#require}).
 * {@link #find} needs neither.
 */
public final class ThreadRegistry<E extends ThreadRegistry.Entry<E>> {
  /**
   * Entries looked at for one that is added. By the time that all have been looked at, a quarter as
   * many were added, so there are at most 4/3 as many as there were threads alive at once.
   */
  private static final int LOOKS = 4;

  /** Belongs to one platform thread. In one registry or one queue at most. */
  public abstract static class Entry<E extends Entry<E>> extends LongTable.Entry<E> {
    /** The id of the thread. */
    public final long threadId;

    private final WeakReference<Thread> thread;

    /** Behind it in its queue. */
    private @Nullable E next;

    /** Something of {@code thread}. */
    protected Entry(Thread thread) {
      this.threadId = thread.threadId();
      this.thread = new WeakReference<>(thread);
    }

    @Override
    protected final long key() {
      return threadId;
    }

    /** Whether the thread has ended. Then what it did here is complete, and seen by who asks. */
    public final boolean isOfEndedThread() {
      Thread owner = thread.get();
      return owner == null || !owner.isAlive();
    }
  }

  /** Entries, first in, first out. */
  public static final class Queue<E extends Entry<E>> {
    private @Nullable E first;
    private @Nullable E last;
    private int size;

    /** Makes an empty one. */
    public Queue() {}

    /** How many entries are in. */
    public int size() {
      return size;
    }

    /** The one that was added first, or null. */
    public @Nullable E first() {
      return first;
    }

    /** Adds an entry that is in no queue. */
    public void add(E entry) {
      Entry<E> end = last;
      if (end == null) {
        first = entry;
      } else {
        end.next = entry;
      }
      last = entry;
      size++;
    }

    /** Takes the first entry out; null if there is none. */
    public @Nullable E poll() {
      E taken = first;
      if (taken != null) {
        Entry<E> link = taken;
        first = link.next;
        link.next = null;
        if (first == null) {
          last = null;
        }
        size--;
      }
      return taken;
    }

    /** Passes on each entry. */
    public void forEach(Consumer<? super E> reader) {
      Entry<E> link;
      for (E entry = first; entry != null; entry = link.next) {
        link = entry;
        reader.accept(entry);
      }
    }
  }

  private final LongTable<E> byThreadId = new LongTable<>();

  /** The one that was not looked at for longest is the first. */
  private final Queue<E> all = new Queue<>();

  /** Makes an empty one. */
  public ThreadRegistry() {}

  /** The entry of a thread. Without the lock it may be missed, see {@link LongTable}. */
  public @Nullable E find(long threadId) {
    return byThreadId.find(threadId);
  }

  /** Adds the entry of a thread that has none. */
  public void add(E entry) {
    all.add(entry);
    byThreadId.add(entry);
  }

  /** How often to {@link #look} before an entry is added. */
  public int looks() {
    return Math.min(LOOKS, all.size());
  }

  /**
   * Looks at the entry that was not looked at for longest.
   *
   * @return this entry, taken out, if its thread has ended; else null
   */
  public @Nullable E look() {
    E oldest = all.first();
    if (oldest != null && oldest.isOfEndedThread()) {
      return poll();
    }
    all.poll();
    if (oldest != null) {
      all.add(oldest);
    }
    return null;
  }

  /** Takes out the entry that was not looked at for longest; null if there is none. */
  public @Nullable E poll() {
    E taken = all.poll();
    if (taken != null) {
      byThreadId.remove(taken);
    }
    return taken;
  }

  /** How many entries are in. */
  public int size() {
    return all.size();
  }

  /** Passes on each entry. */
  public void forEach(Consumer<? super E> reader) {
    all.forEach(reader);
  }

  /** Fails if an entry is not found by its thread. */
  public void checkInvariants() {
    if (all.size() != byThreadId.size()) {
      throw new AssertionError("known: " + all.size() + ", by thread: " + byThreadId.size());
    }
    all.forEach(
        entry -> {
          if (!entry.equals(byThreadId.find(entry.threadId))) {
            throw new AssertionError("not known by its thread: " + entry.threadId);
          }
        });
  }
}
