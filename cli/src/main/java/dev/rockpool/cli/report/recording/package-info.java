/**
 * Recordings: read file by file, added up.
 *
 * <p>{@link dev.rockpool.cli.report.recording.Merge} takes one file after the other. {@code Chunks}
 * tells which parts of a file are whole and new. A {@code Reading} takes their events: those about
 * confined arenas into {@code Histogram}s, those about all holders into {@code Holders}, those
 * about the process into {@code ProcessLooks}, those of C code into {@code CMemory}, which also
 * folds files of async-profiler's own, those of the compilers into {@code Inlining}. Only then its
 * {@link dev.rockpool.cli.report.recording.Figures} are added to the sum, so a damaged file adds
 * nothing.
 *
 * <p>Files may be damaged or forged. {@code Sums} refuses numbers that no JVM can have.
 *
 * <p>Memory is bounded by what is distinct (buckets, call sites, JVMs, and 40 bytes or so for each
 * chunk), not by events or by the length of files.
 */
@NullMarked
package dev.rockpool.cli.report.recording;

import org.jspecify.annotations.NullMarked;
