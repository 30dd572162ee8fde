package dev.rockpool.direct;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * A garbage collection that is asked for.
 *
 * @param event what tells of it, or null
 * @param garbage an object that nothing reaches, to see whether the collection took place
 */
record ForcedCollection(DirectMonitor.@Nullable Event event, WeakReference<Object> garbage) {
  /** One that is to be run at once. */
  static ForcedCollection prepared() {
    DirectMonitor.@Nullable Event event = Monitoring.current().beginCollection();
    return new ForcedCollection(event, new WeakReference<>(new Object()));
  }

  /**
   * Asks for a collection of everything and waits until it is done. What it found arrives in the
   * queue of {@link Reclaimer} with a delay.
   *
   * @return false if it did not take place ({@code -XX:+DisableExplicitGC})
   */
  boolean run() {
    System.gc();
    return garbage.refersTo(null);
  }
}
