package dev.rockpool.examples.sqlite.workload;

/** Work that can be done over and over, each time with the same result. */
interface Batch extends AutoCloseable {
  /** The number of rows that it goes through. */
  int rows();

  /** Does the work. */
  void run();

  /** The result of the work, a number that depends on every row; not part of the work. */
  long result();

  /** Undoes what would make the next time another; not part of the work either. */
  default void undo() {}

  @Override
  void close();
}
