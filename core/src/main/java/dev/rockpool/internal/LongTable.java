package dev.rockpool.internal;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A hash table of entries that hold their own {@code long} key and chain link: to add or remove one
 * allocates nothing, and so does not fail half-way.
 *
 * <p>Changes need a lock, always the same. {@link #find} needs none. Without the lock it returns
 * only entries that were added, but may miss one while the table grows or while a neighbour is
 * removed. Callers that must know for certain then look again with the lock.
 */
public final class LongTable<E extends LongTable.Entry<E>> {
  private static final int FIRST_LENGTH = 16;

  /** An entry of at most one table. */
  public abstract static class Entry<E extends Entry<E>> {
    /** Next entry in the chain; written with the lock. */
    volatile @Nullable E chained;

    /** Returns the key, which never changes. */
    protected abstract long key();
  }

  /** First entries of the chains; the length is a power of two. */
  private volatile AtomicReferenceArray<@Nullable E> chains =
      new AtomicReferenceArray<>(FIRST_LENGTH);

  /** Guarded by the lock. */
  private int size;

  public @Nullable E find(long key) {
    AtomicReferenceArray<@Nullable E> now = chains;
    E entry = now.get(index(key, now.length()));
    while (entry != null && entry.key() != key) {
      entry = entry.chained;
    }
    return entry;
  }

  /** Spreads neighbouring keys over different chains. */
  private static int index(long key, int length) {
    return (int) ((key * 0x9E3779B97F4A7C15L) >>> Integer.SIZE) & (length - 1);
  }

  /** Adds an entry whose key is new. */
  public void add(E entry) {
    link(chains, entry);
    size++;
    if (size >= 2 * chains.length() && Integer.bitCount(size) == 1) {
      growTo(size);
    }
  }

  private static <E extends Entry<E>> void link(AtomicReferenceArray<@Nullable E> chains, E entry) {
    int index = index(entry.key(), chains.length());
    entry.chained = chains.get(index);
    chains.set(index, entry); // volatile: publishes the entry's fields to find
  }

  /** If memory runs out, the chains get longer until the number of entries has doubled. */
  private void growTo(int length) {
    AtomicReferenceArray<@Nullable E> more;
    try {
      more = new AtomicReferenceArray<>(length);
    } catch (OutOfMemoryError full) {
      return;
    }
    AtomicReferenceArray<@Nullable E> few = chains;
    for (int i = 0; i < few.length(); i++) {
      E entry = few.get(i);
      while (entry != null) {
        E behind = entry.chained;
        link(more, entry);
        entry = behind;
      }
    }
    chains = more;
  }

  public void remove(E entry) {
    int index = index(entry.key(), chains.length());
    E behind = entry.chained;
    E before = null;
    for (E next = chains.get(index); next != null && !next.equals(entry); next = next.chained) {
      before = next;
    }
    if (before == null) {
      chains.set(index, behind);
    } else {
      before.chained = behind;
    }
    entry.chained = null; // a removed entry must not keep others reachable
    size--;
  }

  /** Needs the lock. */
  public int size() {
    return size;
  }

  /** Needs the lock. */
  public void forEach(Consumer<? super E> reader) {
    for (int i = 0; i < chains.length(); i++) {
      for (E entry = chains.get(i); entry != null; entry = entry.chained) {
        reader.accept(entry);
      }
    }
  }
}
