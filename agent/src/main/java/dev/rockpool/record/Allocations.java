package dev.rockpool.record;

import dev.rockpool.record.Site.Kind;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Memory that Java code takes and gives back by address: by {@code sun.misc.Unsafe}, and by {@link
 * LinkedAllocators}. It counts for the line of the program that takes it, for which the stack is
 * walked.
 *
 * <p>An address is forgotten before its memory is freed, because another thread may get it at once.
 * So memory whose reallocation fails is no longer known. Memory that other code frees stays.
 */
final class Allocations {
  private static final Map<Long, Holding> OPEN = new ConcurrentHashMap<>();

  private Allocations() {}

  /** Notes memory; nothing if none was allocated, as the address 0 tells. */
  static void took(long address, long byteSize, Kind kind) {
    if (address == 0) {
      return;
    }
    Holding holding = new Holding(null, Site.get(Site.of(Holdings.taker(), kind)), true, true);
    Holding before = OPEN.put(address, holding);
    if (before != null) {
      before.closed(0); // else its memory would not be in use again
    }
    holding.opened().allocated(byteSize);
  }

  /** Call before memory is freed; does nothing for memory that is not known. */
  static void give(long address) {
    Holding holding = OPEN.remove(address);
    if (holding != null) {
      holding.closed(0);
    }
  }
}
