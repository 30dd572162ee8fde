/**
 * {@code ./rockpool scan}: where jars, folders and class paths create arenas, and what becomes of
 * them.
 *
 * <ul>
 *   <li>{@link dev.rockpool.cli.scan.ScanCommand} is the command line. The library {@code
 *       dev.rockpool.scan} reads, follows arenas, judges, and writes SARIF and CSV.
 *   <li>{@code Tally} counts what was found, {@code ScanTables} makes tables of that.
 *   <li>{@code ScanText}, {@code ScanJson} and {@code ScanPage} are three ways to show it.
 * </ul>
 */
@NullMarked
package dev.rockpool.cli.scan;

import org.jspecify.annotations.NullMarked;
