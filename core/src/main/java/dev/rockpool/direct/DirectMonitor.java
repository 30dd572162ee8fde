package dev.rockpool.direct;

import org.jspecify.annotations.Nullable;

/**
 * What direct memory asks of modules that may be missing: of JMX, and of JDK Flight Recorder.
 * {@link Monitoring} has the one of this JVM.
 */
interface DirectMonitor {
  /**
   * The value of {@code -XX:MaxDirectMemorySize}.
   *
   * @return bytes; 0 if that flag was not given, or there is no way to ask for it
   */
  long jvmLimit();

  /**
   * Shows figures to JMX, if somebody has started that.
   *
   * @return whether that is done; else to be called again
   */
  boolean show(Figures figures);

  /** Begins the event of a reservation that has to wait, or returns null if nobody records. */
  @Nullable Event beginWait(long bytesAsked);

  /** Begins the event of a collection that is asked for, or returns null if nobody records. */
  @Nullable Event beginCollection();

  /** Of the global direct memory, right now. */
  interface Figures {
    /** How many blocks are handed out. */
    long blocks();

    /** How many bytes are handed out. */
    long reserved();

    /** How many bytes the system has given. */
    long used();
  }

  /** An event that has begun. */
  interface Event {
    /**
     * Writes it. Each kind of event has use for some of the figures.
     *
     * @param bytesReserved what is handed out
     * @param limit of the budget (in bytes)
     * @param waiting threads that wait for memory of it
     * @param succeeded whether what it tells of came about
     */
    void end(long bytesReserved, long limit, int waiting, boolean succeeded);
  }
}
