/**
 * {@code ./rockpool scan}: where jars, folders and class paths create arenas, and what becomes of
 * them.
 *
 * <ul>
 *   <li>{@link dev.rockpool.cli.scan.ScanCommand} is the command line.
 *   <li>Package {@code source} gets class files out of what was named, package {@code flow} follows
 *       arenas through the code of a class; {@code Scan} does one after the other.
 *   <li>{@code Finding} is one place that creates an arena, {@code Artifact} a jar with all of its,
 *       {@code Tally} counts.
 *   <li>{@code ScanText}, {@code ScanJson} and {@code ScanPage} are three ways to show it.
 * </ul>
 */
@NullMarked
package dev.rockpool.cli.scan;

import org.jspecify.annotations.NullMarked;
