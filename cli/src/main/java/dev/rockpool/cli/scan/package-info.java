/**
 * {@code ./rockpool scan}: where jars, folders and class paths create arenas, and what becomes of
 * them.
 *
 * <ul>
 *   <li>{@link dev.rockpool.cli.scan.ScanCommand} is the command line. The library {@code
 *       dev.rockpool.scan} reads, follows arenas, judges, and writes SARIF and CSV.
 *   <li>{@code Tally} counts what was found. {@code ScanReport} shows that as text and as a page,
 *       {@code ScanJson} as JSON.
 * </ul>
 */
@NullMarked
package dev.rockpool.cli.scan;

import org.jspecify.annotations.NullMarked;
