/**
 * Arenas in recordings: read file by file, added up, kept as counts in buckets.
 *
 * <p>{@link dev.rockpool.cli.report.recording.Merge} takes one file after the other. Its {@code
 * Chunks} tell what is whole, and new; then {@link dev.rockpool.cli.report.recording.Figures} of
 * their own read the events: those of confined arenas into {@code Histogram}s, those of all holders
 * into {@code Holders}. The sum gets these only when all of them were read, therefore a damaged
 * file adds nothing.
 *
 * <p>Memory is bounded by what is distinct (buckets, call sites, JVMs, and 40 bytes or so for each
 * chunk), not by events or by the length of files.
 */
@NullMarked
package dev.rockpool.cli.report.recording;

import org.jspecify.annotations.NullMarked;
