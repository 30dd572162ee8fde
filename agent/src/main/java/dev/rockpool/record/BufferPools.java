package dev.rockpool.record;

import dev.rockpool.record.HolderEvents.BufferPoolEvent;
import dev.rockpool.record.Site.Kind;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The JVM's own figures of direct and mapped buffers; none if module java.management is missing.
 */
final class BufferPools {
  private static final boolean ARE_KNOWN =
      ModuleLayer.boot().findModule("java.management").isPresent();

  private static final String DIRECT = "direct";
  private static final String MAPPED = "mapped";

  private static final Map<String, Long> MOST_USED = new ConcurrentHashMap<>();

  /** The bytes of Rockpool's direct buffers, which are in no pool of the JVM's. */
  private static volatile LongSupplier rockpools = () -> 0;

  private BufferPools() {}

  static void startAnew(LongSupplier bytesOfRockpools) {
    rockpools = bytesOfRockpools;
    MOST_USED.clear();
  }

  private static List<BufferPoolMXBean> pools() {
    if (!ARE_KNOWN) {
      return List.of();
    }
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> isDirect(pool) || pool.getName().equals(MAPPED))
        .toList();
  }

  private static boolean isDirect(BufferPoolMXBean pool) {
    return pool.getName().equals(DIRECT);
  }

  private static long ofRockpool(BufferPoolMXBean pool) {
    return isDirect(pool) ? rockpools.getAsLong() : 0;
  }

  private static long mostUsed(BufferPoolMXBean pool) {
    // Unlike the bytes that are used, which are rounded up for each automatic arena.
    long used = pool.getTotalCapacity() + ofRockpool(pool);
    return MOST_USED.merge(pool.getName(), used, Math::max);
  }

  static void look() {
    for (BufferPoolMXBean pool : pools()) { // a reference to a method would load the missing class
      mostUsed(pool);
    }
  }

  static void write() {
    for (BufferPoolMXBean pool : pools()) {
      long ofRockpool = ofRockpool(pool);
      new BufferPoolEvent(
              pool.getName(),
              pool.getCount(),
              pool.getTotalCapacity() + ofRockpool,
              pool.getMemoryUsed() + ofRockpool,
              Math.max(
                  mostUsed(pool),
                  RecordedSite.mostLiveBytes(isDirect(pool) ? Kind.DIRECT : Kind.MAPPED)))
          .commit();
    }
  }
}
