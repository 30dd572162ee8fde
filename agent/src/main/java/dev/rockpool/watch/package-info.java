/**
 * Watches the memory of the whole process while memory is limited, or evidence is to be left.
 *
 * <p>One thread, {@code Watch}, reads the {@code Resident} memory: once a second while there is
 * room, up to 100 times a second where there is little. What it reads goes to three:
 *
 * <ul>
 *   <li>{@code ProcessBound}, option {@code limit.process}, moves the ceiling of what Java code may
 *       have in use, so that it never grows beyond what the rest of the process has left.
 *   <li>{@code Evidence}, option {@code evidence}, appends an entry to a file at each level that
 *       the process reaches, and after refusals. A kill leaves the file.
 *   <li>{@code Exit}, option {@code limit.action=exit}, ends the JVM after so many refusals.
 * </ul>
 *
 * <pre>
 *              more than the bound is resident: free malloc memory goes back to the system,
 *              a collection is asked for
 *   ROOM ------------------------------------------------------------------------&gt; FULL
 *   ceiling = bound - rest of the process                     nothing is charged
 *        &lt;------------------------------------------------------------------------
 *              a sixteenth of the bound is free again, or it was kept for ten seconds
 * </pre>
 *
 * <p>The rest of the process is what is resident beside what Java code has in use; the most of the
 * last tenths of a second, because memory that was just charged is not resident yet. Files do not
 * count: the system takes their pages back instead of ending the process.
 */
@NullMarked
package dev.rockpool.watch;

import org.jspecify.annotations.NullMarked;
