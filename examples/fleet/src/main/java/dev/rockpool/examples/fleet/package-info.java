/**
 * A job for Apache Spark: scans many jars, and merges the recordings of many JVMs.
 *
 * <p>{@link dev.rockpool.examples.fleet.Main} has two commands, {@code ScanJob} and {@code
 * ReportJob}. Both list their {@code Input}s on the driver, and read each in a task of its own.
 */
@NullMarked
package dev.rockpool.examples.fleet;

import org.jspecify.annotations.NullMarked;
