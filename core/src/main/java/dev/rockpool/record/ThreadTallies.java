package dev.rockpool.record;

import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.ThreadRegistry;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tallies of one platform thread, for itself and for the virtual threads that it carries. Only
 * that thread writes here, plainly. Between finding the tallies and {@link #count} a virtual thread
 * must not wait, see {@code Carrier}.
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

  /** Arenas opened, by site; modulo 2^32, since only differences count. */
  int[] opened = new int[FIRST_SITES];

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

  @ForceInline
  void closed() {
    if (open == 1) {
      open = 0;
    } else {
      open--;
    }
  }

  /** Counts an opened arena; returns how many were opened at that site before. */
  @ForceInline
  int opens(int site) {
    int[] counts = opened;
    return site < counts.length ? counts[site]++ : opensBeyond(site);
  }

  private int opensBeyond(int site) {
    int[] counts = withRoomFor(site);
    return counts == null ? registry.opens(site, 1) : counts[site]++;
  }

  /** Counts an opened arena at another site than before. Takes no lock, see above. */
  private void moveOpened(int from, int to) {
    int[] counts = opened;
    int last = Math.max(from, to);
    if (last >= counts.length) {
      counts = withRoomFor(last);
    }
    if (counts != null) {
      counts[from]--;
      counts[to]++;
    }
  }

  private int @Nullable [] withRoomFor(int site) {
    int[] longer;
    try {
      longer = Arrays.copyOf(opened, 2 * Integer.highestOneBit(site));
    } catch (VirtualMachineError full) {
      return null;
    }
    VarHandle.releaseFence();
    opened = longer;
    return longer;
  }

  void addOpenedTo(int[] sums) {
    int[] counts = opened;
    for (int site = 0; site < counts.length && site < sums.length; site++) {
      sums[site] += counts[site];
    }
  }

  /** Counts an arena, or returns false if there are too many shapes, or no memory for another. */
  @ForceInline
  boolean count(long shape, long allocations, long bytes) {
    @Nullable Tally[] places = table;
    Tally first = places[Shape.hash(shape) & (places.length - 1)];
    if (first == null || first.shape() != shape) {
      return countElsewhere(shape, allocations, bytes);
    }
    first.add(allocations, bytes);
    return true;
  }

  private boolean countElsewhere(long shape, long allocations, long bytes) {
    Tally known = find(shape);
    if (known == null) {
      known = findOrAdd(registry.toBeAdded(shape));
      if (known == null) {
        return false;
      }
      if (Shape.site(known.shape()) != Shape.site(shape)) {
        moveOpened(Shape.site(shape), Shape.site(known.shape()));
      }
    }
    known.add(allocations, bytes);
    return true;
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
