/**
 * Arenas in recordings: read file by file, added up, kept as counts in buckets.
 *
 * <p>{@link dev.rockpool.cli.report.recording.Merge} takes one file after the other. {@code Chunks}
 * tells which parts of a file are whole and new. New {@link
 * dev.rockpool.cli.report.recording.Figures} read their events: those about confined arenas into
 * {@code Histogram}s, those about all holders into {@code Holders}. They are added to the sum only
 * after the whole file was read, so a damaged file adds nothing.
 *
 * <p>Memory is bounded by what is distinct (buckets, call sites, JVMs, and 40 bytes or so for each
 * chunk), not by events or by the length of files.
 */
@NullMarked
package dev.rockpool.cli.report.recording;

import org.jspecify.annotations.NullMarked;
