package dev.rockpool.record;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Set;

/**
 * Garbage collections of this JVM so far.
 *
 * @param all of any kind; 0 if module java.management is missing
 * @param full those that looked at the whole heap, and so have found all that was unreachable
 */
record GarbageCollections(long all, long full) {
  private static final boolean ARE_KNOWN =
      ModuleLayer.boot().findModule("java.management").isPresent();

  /** The collectors of whole heaps: G1, Parallel, Serial, ZGC, Shenandoah. */
  private static final Set<String> WHOLE_HEAP =
      Set.of(
          "G1 Old Generation",
          "PS MarkSweep",
          "MarkSweepCompact",
          "ZGC Major Cycles",
          "ZGC Cycles",
          "Shenandoah Cycles");

  static GarbageCollections now() {
    long all = 0;
    long full = 0;
    if (ARE_KNOWN) {
      for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
        String name = each.getName();
        if (!name.endsWith(" Pauses")) { // which are parts of others
          all += each.getCollectionCount();
          full += WHOLE_HEAP.contains(name) ? each.getCollectionCount() : 0;
        }
      }
    }
    return new GarbageCollections(all, full);
  }
}
