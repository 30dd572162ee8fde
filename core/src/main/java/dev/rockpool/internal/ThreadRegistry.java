package dev.rockpool.internal;

import java.lang.ref.WeakReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One entry for each platform thread, found by the thread's id, and removed after the thread's end.
 *
 * <p>The JDK has no hook at the end of a thread. So before adding an entry, a caller checks the few
 * entries that were unchecked for longest ({@link #looks}, {@link #look}). The registry keeps no
 * thread reachable.
 *
 * <p>Each entry is its own node in a table and in a {@link Queue}. No method depends on an
 * allocation, so an entry is in both or in neither even if the heap is exhausted. All methods but
 * {@link #find} need the caller's lock, and those that change anything a prior {@link
 * StackSpace#require}.
 */
public final class ThreadRegistry<E extends ThreadRegistry.Entry<E>> {
  /**
   * Entries checked for each one added. While all entries are checked once, a quarter as many are
   * added. So there are at most 4/3 as many entries as threads were alive at once.
   */
  private static final int LOOKS = 4;

  /** An entry of one platform thread, in at most one registry or one queue. */
  public abstract static class Entry<E extends Entry<E>> extends LongTable.Entry<E> {
    public final long threadId;

    private final WeakReference<Thread> thread;

    /** Next entry in the queue. */
    private @Nullable E next;

    protected Entry(Thread thread) {
      this.threadId = thread.threadId();
      this.thread = new WeakReference<>(thread);
    }

    @Override
    protected final long key() {
      return threadId;
    }

    /** Whether the thread has ended. If so, all its writes are visible to the caller. */
    public final boolean isOfEndedThread() {
      Thread owner = thread.get();
      return owner == null || !owner.isAlive();
    }
  }

  /** A FIFO queue of entries. */
  public static final class Queue<E extends Entry<E>> {
    private @Nullable E first;
    private @Nullable E last;
    private int size;

    public int size() {
      return size;
    }

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

    /** Removes and returns the first entry; null if there is none. */
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

    public void forEach(Consumer<? super E> reader) {
      Entry<E> link;
      for (E entry = first; entry != null; entry = link.next) {
        link = entry;
        reader.accept(entry);
      }
    }
  }

  private final LongTable<E> byThreadId = new LongTable<>();

  /** All entries; the first is the one that was unchecked for longest. */
  private final Queue<E> all = new Queue<>();

  /** Returns a thread's entry, or null. May miss it without the lock, see {@link LongTable}. */
  public @Nullable E find(long threadId) {
    return byThreadId.find(threadId);
  }

  /** Adds the entry of a thread that has none. */
  public void add(E entry) {
    all.add(entry);
    byThreadId.add(entry);
  }

  /** Returns how often to {@link #look} before an entry is added. */
  public int looks() {
    return Math.min(LOOKS, all.size());
  }

  /**
   * Checks the entry that was unchecked for longest; removes and returns it if its thread has
   * ended.
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

  /** Removes and returns the entry that was unchecked for longest; null if there is none. */
  public @Nullable E poll() {
    E taken = all.poll();
    if (taken != null) {
      byThreadId.remove(taken);
    }
    return taken;
  }

  public int size() {
    return all.size();
  }

  public void forEach(Consumer<? super E> reader) {
    all.forEach(reader);
  }

  /** Checks that each entry is found by its thread's id. */
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
