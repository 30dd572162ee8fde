package dev.rockpool.watch;

import java.util.function.Supplier;

/** The memory that Java code has in use under a limit: what {@link Watch} needs of it. */
public interface LimitedMemory {
  /** Returns the bytes in use. */
  long inUse();

  /** Returns the limit in bytes, the largest number if memory is only counted. */
  long limit();

  /** Returns the number of requests beyond the limit. */
  long refused();

  /** Bounds the bytes in use by the ceiling, too, which may be negative. */
  void setCeiling(long byteSize);

  /** Asks for a garbage collection, unless one has just found nothing. */
  void askForCollection();

  /**
   * Attaches the watch.
   *
   * @param figures returns the process's figures for messages
   * @param toldOfRefusals runs after each refusal, on the refused thread
   */
  void attachWatch(Supplier<String> figures, Runnable toldOfRefusals);
}
