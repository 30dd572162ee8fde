package dev.rockpool.record;

import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.ThreadRegistry;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tallies of one platform thread, for itself and for the virtual threads that it carries. Only
 * that thread writes here, plainly. Between finding the tallies and counting a virtual thread must
 * not wait, see {@code Carrier}.
 *
 * <p>A hash table by shape with open addressing, at most a quarter full, so that nearly every shape
 * is in its first place. Entries are never moved within a table nor removed, so a reader finds each
 * tally that was in the current table when the reader began. A thread has at most {@value #MOST}
 * shapes; beyond them, or if the heap is exhausted, the thread counts in {@link TallyRegistry}. A
 * table that can't grow for lack of heap fills up to a half.
 */
final class ThreadTallies extends ThreadRegistry.Entry<ThreadTallies> {
  static final int MOST = 1024;
  private static final int FIRST_LENGTH = 64;
  private static final int FIRST_SITES = 16;
  private static final int SPARSE = 4;
  private static final int FULL = 2;

  private final TallyRegistry registry;
  private @Nullable Tally[] table = new Tally[FIRST_LENGTH];
  private int size;

  /** Number of open arenas of the thread itself. */
  int open;

  private @Nullable ThreadSite[] sites = new ThreadSite[FIRST_SITES];

  ThreadTallies(Thread thread, TallyRegistry registry) {
    super(thread);
    this.registry = registry;
  }

  /** Notes that the thread itself opens an arena; returns how many it had open before. */
  @ForceInline
  int opened() {
    // A branch, so that the new value does not depend on the store of the last close.
    if (open == 0) {
      open = 1;
      return 0;
    }
    return open++;
  }

  /**
   * Notes that the thread has closed an arena.
   *
   * @param before number that it had open when it opened this one; below 0 for one that is not
   *     among the open ones any more
   */
  @ForceInline
  void closed(int before) {
    if (open == before + 1) {
      open = before;
    } else if (before >= 0) {
      open--;
    }
  }

  /** Returns where the arenas of a site are counted; null if there is no memory for a new place. */
  @ForceInline
  @Nullable ThreadSite at(int site) {
    @Nullable ThreadSite[] known = sites;
    // So that C2 needs no second comparison for the access.
    if (Integer.compareUnsigned(site, known.length) < 0) {
      ThreadSite found = known[site];
      if (found != null) {
        return found;
      }
    }
    return added(site);
  }

  /** Takes no lock, see above. */
  private @Nullable ThreadSite added(int site) {
    try {
      @Nullable ThreadSite[] longer = sites;
      if (site >= longer.length) {
        longer = Arrays.copyOf(longer, 2 * Integer.highestOneBit(site));
      }
      ThreadSite added = new ThreadSite(this);
      VarHandle.releaseFence(); // readers use both without synchronization
      longer[site] = added;
      VarHandle.releaseFence();
      sites = longer;
      return added;
    } catch (VirtualMachineError full) {
      return null;
    }
  }

  void addOpenedTo(int[] sums) {
    @Nullable ThreadSite[] known = sites;
    for (int site = 0; site < known.length && site < sums.length; site++) {
      ThreadSite each = known[site];
      sums[site] += each == null ? 0 : each.opened - each.moved;
    }
  }

  /**
   * Returns the tally to count an arena with that was opened at {@code at}; null if there are too
   * many shapes, or no memory for another.
   */
  @Nullable Tally tally(long shape, ThreadSite at) {
    Tally known = find(shape);
    if (known == null) {
      known = findOrAdd(registry.toBeAdded(shape));
      if (known != null && Shape.site(known.shape()) != Shape.site(shape)) {
        moveOpened(at, Shape.site(known.shape()));
      }
    }
    return known;
  }

  /**
   * Counts an opened arena at another site than before. The number of those opened stays, because
   * {@link Holdings#isChosen} takes the first.
   */
  private void moveOpened(ThreadSite from, int to) {
    ThreadSite other = at(to);
    if (other != null) {
      from.moved++;
      other.moved--;
    }
  }

  private @Nullable Tally findOrAdd(long shape) {
    Tally known = find(shape);
    try {
      return known != null ? known : add(shape);
    } catch (VirtualMachineError full) {
      return null;
    }
  }

  private @Nullable Tally find(long shape) {
    return table[place(table, shape)];
  }

  private static int place(@Nullable Tally[] places, long shape) {
    int place = Shape.hash(shape) & (places.length - 1);
    Tally there = places[place];
    while (there != null && there.shape() != shape) {
      place = (place + 1) & (places.length - 1);
      there = places[place];
    }
    return place;
  }

  private @Nullable Tally add(long shape) {
    if (size == MOST) {
      return null;
    }
    Tally added = new Tally(shape);
    if (size * SPARSE >= table.length) {
      grow();
    }
    if (size * FULL >= table.length) {
      return null;
    }
    VarHandle.releaseFence(); // readers use the table without synchronization
    table[place(table, shape)] = added;
    size++;
    return added;
  }

  private void grow() {
    @Nullable Tally[] longer;
    try {
      longer = new Tally[2 * table.length];
    } catch (OutOfMemoryError full) {
      return;
    }
    for (Tally tally : table) {
      if (tally != null) {
        longer[place(longer, tally.shape())] = tally;
      }
    }
    VarHandle.releaseFence();
    table = longer;
  }

  void forEach(Consumer<Tally> reader) {
    for (Tally tally : table) {
      if (tally != null) {
        reader.accept(tally);
      }
    }
  }
}
