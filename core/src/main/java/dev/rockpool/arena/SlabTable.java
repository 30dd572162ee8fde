package dev.rockpool.arena;

import dev.rockpool.internal.ForceInline;
import dev.rockpool.internal.NativeMemory;
import dev.rockpool.internal.SizeSetting;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * Where a pool keeps the slabs of its threads, and how an arena finds those of the current one.
 *
 * <p>{@code byThreadId} is a cache in front of {@code registry}: the slot for a thread is its id
 * modulo the length, and holds the slabs of the thread that came last. A slot is read and written
 * without synchronisation. That is sound because a reader uses what it finds only if {@code
 * threadId}, a final field, is its own id: then it is the very thread that made that object, or got
 * it from {@code registry}. Ids of threads are not used twice within a JVM, so what an ended thread
 * left in a slot is never mistaken for somebody's own.
 *
 * <p>A record, because C2 trusts the final fields of records: reached from a static final field,
 * sizes and the table are constants in compiled code.
 *
 * @param slabByteSize bytes in a slab, a power of two; 0 switches the pool off
 * @param byThreadId the cache, its length a power of two
 * @param registry the slabs of all threads
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and not seen outside this package
record SlabTable(int slabByteSize, @Nullable ThreadSlabs[] byThreadId, SlabRegistry registry) {
  /** With a hundred threads at work, most have a slot of their own; 4 KiB of heap. */
  private static final int SLOTS = 1024;

  /** Whether the agent defined these classes, in java.base, where {@link ForceInline} is heeded. */
  private static final boolean IN_JAVA_BASE =
      SlabTable.class.getModule() == Object.class.getModule();

  /** The pool that {@link Arenas} and {@link ArenaPool#shared()} use. */
  static final SlabTable SHARED =
      of(SizeSetting.SLAB_SIZE.read(), SizeSetting.SLABS_PER_THREAD.read());

  /**
   * A table for slabs of {@code slabByteSize}; off if either is 0 or slabs can't be used at all.
   */
  static SlabTable of(int slabByteSize, int slabsPerThread) {
    boolean on = slabByteSize != 0 && slabsPerThread != 0 && NativeMemory.isUsable();
    return new SlabTable(
        on ? slabByteSize : 0,
        new ThreadSlabs[SLOTS],
        new SlabRegistry(on ? slabByteSize : 0, slabsPerThread));
  }

  /** Opens an arena on this pool. */
  @ForceInline
  Arena open() {
    if (slabByteSize == 0) {
      return Arena.ofConfined();
    }
    return IN_JAVA_BASE ? new InlinedArena(this) : new PooledArena(this);
  }

  /** The slabs of {@code current}, the current thread; null if it has none and can't have any. */
  @ForceInline
  @Nullable ThreadSlabs slabsOf(Thread current) {
    long id = current.threadId();
    ThreadSlabs found = byThreadId[(int) id & (byThreadId.length - 1)];
    return found != null && found.threadId == id ? found : slabsOfSlow(current);
  }

  /** The first allocation of a thread, one whose slot another thread took, or a virtual thread. */
  private @Nullable ThreadSlabs slabsOfSlow(Thread current) {
    if (current.isVirtual()) {
      return null;
    }
    ThreadSlabs slabs = registry.slabsOf(current);
    if (slabs != null) {
      byThreadId[(int) slabs.threadId & (byThreadId.length - 1)] = slabs;
    }
    return slabs;
  }
}
