package dev.rockpool.watch;

import java.util.function.Supplier;

/** The memory that Java code has in use under a limit, as far as who watches it needs to know. */
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
   * Says what messages have of the process, and who is told of each refusal, on the refused thread.
   */
  void attachWatch(Supplier<String> figures, Runnable toldOfRefusals);
}
