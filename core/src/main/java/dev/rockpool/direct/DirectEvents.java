package dev.rockpool.direct;

import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Begins events of JDK Flight Recorder where a recording was started in this JVM. Its module is
 * optional, and starting it costs a tenth of a second, which is not ours to spend; so classes of
 * events are loaded after both questions were asked.
 */
final class DirectEvents {
  private static final boolean PRESENT = isPresent();

  private DirectEvents() {}

  static @Nullable SlowReservationEvent beginSlowReservation() {
    return isRunning() ? SlowReservationEvent.started() : null;
  }

  static @Nullable ForcedCollectionEvent beginForcedCollection() {
    return isRunning() ? ForcedCollectionEvent.started() : null;
  }

  private static boolean isRunning() {
    return PRESENT && FlightRecorder.isInitialized();
  }

  private static boolean isPresent() {
    try {
      return FlightRecorder.isAvailable();
    } catch (LinkageError noModule) {
      return false;
    }
  }
}
