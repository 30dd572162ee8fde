package dev.rockpool.direct;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/** A garbage collection that is asked for. */
final class ForcedCollection {
  private ForcedCollection() {}

  /**
   * Asks for a collection of everything and waits until it is done. What it found arrives in the
   * queue of {@link Reclaimer} with a delay.
   *
   * @param budget on whose behalf
   * @return false if it did not take place ({@code -XX:+DisableExplicitGC})
   */
  static boolean ask(Budget budget) {
    DirectMonitor.@Nullable Event event = Monitoring.current().beginCollection();
    WeakReference<Object> garbage = garbage();
    System.gc();
    boolean tookPlace = garbage.refersTo(null);
    if (event != null) {
      event.end(budget.reserved(), budget.limit(), budget.line().length(), tookPlace);
    }
    return tookPlace;
  }

  /** In a method of its own, so that no local variable holds it. */
  private static WeakReference<Object> garbage() {
    return new WeakReference<>(new Object());
  }
}
