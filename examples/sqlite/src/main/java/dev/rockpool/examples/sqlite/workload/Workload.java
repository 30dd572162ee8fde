package dev.rockpool.examples.sqlite.workload;

import java.util.Locale;
import java.util.function.Supplier;

/** The workloads, each on a database of its own in memory. */
enum Workload {
  SHORT("a short statement: bind a string, step, reset", ShortStatements::new),
  INSERT("insert a row with two strings", Inserts::new),
  LOOKUP("look up a string by another one that is indexed", LookUps::new),
  SELECT("read a row with two strings, one query for all rows", Selects::new),
  SCAN("a query that looks at 20,000 rows and finds one number", Scans::new);

  private final String description;

  @SuppressWarnings("ImmutableEnumChecker") // a constructor does not change
  private final Supplier<Batch> batch;

  Workload(String description, Supplier<Batch> batch) {
    this.description = description;
    this.batch = batch;
  }

  /** The unit whose time is measured: one row. */
  String description() {
    return description;
  }

  /** Makes all that the work needs. */
  Batch prepare() {
    return batch.get();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
