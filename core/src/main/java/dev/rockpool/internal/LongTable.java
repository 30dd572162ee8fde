package dev.rockpool.internal;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A hash table of objects that know their key, a number, and link themselves into its chains: to
 * add one or to take it out allocates nothing, and so does not fail half-way.
 *
 * <p>Whoever changes the table has a lock, always the same. {@link #find} needs none. Without it,
 * it finds nothing but what was added, and may miss an entry while the table grows, or while a
 * neighbour is taken out: who has to know for certain then looks again with the lock.
 */
public final class LongTable<E extends LongTable.Entry<E>> {
  private static final int FIRST_LENGTH = 16;

  /** Something that is in one table at most, and in that once. */
  public abstract static class Entry<E extends Entry<E>> {
    /** Behind it in its chain; written with the lock. */
    volatile @Nullable E chained;

    /** For subclasses. */
    protected Entry() {}

    /** Never changes. */
    protected abstract long key();
  }

  /** Chains, as many as a power of two. */
  private volatile AtomicReferenceArray<@Nullable E> chains =
      new AtomicReferenceArray<>(FIRST_LENGTH);

  /** Needs the lock. */
  private int size;

  /** Makes an empty one. */
  public LongTable() {}

  /** The entry with that key, or null. */
  public @Nullable E find(long key) {
    AtomicReferenceArray<@Nullable E> now = chains;
    E entry = now.get(index(key, now.length()));
    while (entry != null && entry.key() != key) {
      entry = entry.chained;
    }
    return entry;
  }

  /** Neighbouring keys have different chains. */
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
    chains.set(index, entry); // with all that is in it, to those who find it
  }

  /** Where there is no memory chains become longer, until there are twice as many entries. */
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

  /** Takes out an entry that is in. */
  public void remove(E entry) {
    int index = index(entry.key(), chains.length());
    E behind = entry.chained;
    E before = before(entry, chains.get(index));
    if (before == null) {
      chains.set(index, behind);
    } else {
      before.chained = behind;
    }
    entry.chained = null; // it may be kept, and must not keep others
    size--;
  }

  private @Nullable E before(E entry, @Nullable E first) {
    E before = null;
    for (E next = first; next != null && !next.equals(entry); next = next.chained) {
      before = next;
    }
    return before;
  }

  /** How many entries are in. Needs the lock. */
  public int size() {
    return size;
  }

  /** Passes on each entry. Needs the lock. */
  public void forEach(Consumer<? super E> reader) {
    for (int i = 0; i < chains.length(); i++) {
      for (E entry = chains.get(i); entry != null; entry = entry.chained) {
        reader.accept(entry);
      }
    }
  }
}
