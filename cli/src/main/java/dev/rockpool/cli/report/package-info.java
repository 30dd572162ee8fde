/**
 * {@code ./rockpool report}: where the memory of a process is, who holds native memory in it, and
 * what pooling its arenas can gain, from recordings.
 *
 * <p>The way of a figure, from {@code ReportCommand}:
 *
 * <ol>
 *   <li>{@link dev.rockpool.cli.report.recording} reads the events, and adds them up.
 *   <li>{@code Report} has the sums, and puts a page together: sentences of {@code Headlines} and
 *       {@code Advice}, tables of {@code ReportTables}. The page is the text for the terminal, too.
 *   <li>{@code ReportJson} has the figures whole.
 * </ol>
 *
 * <p>A {@code Residency} is a resident set told apart at one look; the {@code ProcessSummary} has
 * them all, from the first to the last.
 *
 * <p>An {@code OwnerSection} has the objects that own C memory, a {@code CCodeSection} what C code
 * allocates by line. Where both have the same line, each tells of the other.
 *
 * <p>{@code NotInlined} are the calls of native memory that the compiler C2 refused.
 *
 * <p>Each sentence rests on exact counts, or says "at most" or "at least".
 *
 * <p>Whether the agent is worth it is arithmetic. A {@code Saving} is what one arena saves on this
 * machine, which two pairs of JVMs measure. Times the recorded arenas it is the {@code Gain}, set
 * against the recorded processor time and the agent's start.
 *
 * <p>{@code Compared} sets two recordings side by side.
 */
@NullMarked
package dev.rockpool.cli.report;

import org.jspecify.annotations.NullMarked;
