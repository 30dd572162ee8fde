package dev.rockpool.record;

import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.ThreadRegistry;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one platform thread counts, for itself and for the virtual threads that it carries. Only it
 * writes here, plainly. Between finding these and {@link #count} a virtual thread must not wait;
 * see {@code Carrier} for what that means.
 *
 * <p>A table by shape, open addressing, at most a quarter full, so that nearly every shape is in
 * its first place. Entries are never moved within a table, nor taken out: a reader of the current
 * table finds each tally that was in it when it looked. At most {@value #MOST} shapes: beyond that,
 * and where there is no heap for another one, the thread counts where all threads do. A table that
 * can't grow for lack of heap becomes fuller, up to half of it.
 */
public final class ThreadTallies extends ThreadRegistry.Entry<ThreadTallies> {
  static final int MOST = 1024;
  private static final int FIRST_LENGTH = 64;
  private static final int SPARSE = 4;
  private static final int FULL = 2;

  private final TallyRegistry registry;
  private @Nullable Tally[] table = new Tally[FIRST_LENGTH];
  private int size;

  /** Arenas of the thread itself that are open. */
  private int open;

  ThreadTallies(Thread thread, TallyRegistry registry) {
    super(thread);
    this.registry = registry;
  }

  /**
   * Notes that the thread itself opens an arena.
   *
   * @return how many it had open before
   */
  @ForceInline
  public int opened() {
    // A branch, so that this does not wait for what was stored when the last arena was closed.
    if (open == 0) {
      open = 1;
      return 0;
    }
    return open++;
  }

  /** Notes that the thread itself has closed one. */
  @ForceInline
  public void closed() {
    if (open == 1) {
      open = 0;
    } else {
      open--;
    }
  }

  /**
   * Counts an arena.
   *
   * @return false if there are too many shapes, or no memory for another; then nothing was counted
   */
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
    }
    if (known == null) {
      return false;
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
    VarHandle.releaseFence(); // others read the table as it is
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
