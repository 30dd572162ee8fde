/**
 * Arenas in recordings: read file by file, added up, kept as counts in buckets.
 *
 * <p>{@link dev.rockpool.cli.report.recording.Merge} takes one file after the other. Of each it
 * first looks at the {@link dev.rockpool.cli.report.recording.Chunk}s, which tells whole ones from
 * one that is cut off, and what is new from what another file had; then {@code RecordingReader}
 * reads the events into {@link dev.rockpool.cli.report.recording.Figures} of their own. Only when
 * all whole chunks of a file were read are these added to the sum, so a damaged file adds nothing.
 *
 * <p>Memory is bounded by what is distinct (buckets, call sites, JVMs, and 40 bytes or so for each
 * chunk), not by events or by the length of files.
 */
@NullMarked
package dev.rockpool.cli.report.recording;

import org.jspecify.annotations.NullMarked;
