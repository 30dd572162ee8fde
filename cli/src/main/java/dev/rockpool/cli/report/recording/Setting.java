package dev.rockpool.cli.report.recording;

import java.util.Comparator;

/**
 * Settings of a recorded JVM.
 *
 * @param version Rockpool's
 * @param pooled whether arenas were served from the pool
 * @param slabByteSize bytes in a slab
 * @param slabsPerThread slabs kept for a thread
 * @param state how Rockpool found itself: ON, OFF, DENIED, UNSUITED
 * @param jdk version of the Java runtime
 * @param processors that the JVM could use
 */
public record Setting(
    String version,
    boolean pooled,
    long slabByteSize,
    int slabsPerThread,
    String state,
    String jdk,
    int processors)
    implements Comparable<Setting> {
  private static final Comparator<Setting> ORDER =
      Comparator.comparing(Setting::version)
          .thenComparing(Setting::pooled)
          .thenComparingLong(Setting::slabByteSize)
          .thenComparingInt(Setting::slabsPerThread)
          .thenComparing(Setting::state)
          .thenComparing(Setting::jdk)
          .thenComparingInt(Setting::processors);

  /** Whether the pool served arenas. */
  public boolean isOn() {
    return pooled && state.equals("ON");
  }

  @Override
  public int compareTo(Setting other) {
    return ORDER.compare(this, other);
  }
}
