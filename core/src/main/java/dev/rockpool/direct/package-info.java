/**
 * Direct memory under a budget, freed without anybody having to wait for the JVM's own cleaner.
 *
 * <p>{@link dev.rockpool.direct.DirectMemory} is the way in. The rest of the package is how it
 * works:
 *
 * <ul>
 *   <li>{@code Budget} counts what is handed out, exactly; {@code WaitingLine} is where threads
 *       wait, in order, when it is spent, and what they do meanwhile ({@code ForcedCollection}).
 *   <li>{@code Block} is one piece of memory, and the phantom reference that tells when nothing can
 *       reach it any more; {@code Blocks} are all of them.
 *   <li>{@code Reclaimer} frees those, on a thread of its own and on those that wait.
 *   <li>{@code KeptMemory} keeps freed memory for the next request of its size, a {@code Shelf} for
 *       each.
 *   <li>{@code MemorySource} is where the memory comes from and goes back to.
 *   <li>{@code BudgetedArena} and {@code AutomaticArena} are the arenas under a budget.
 *   <li>{@code DirectMonitor} is what is asked of JMX and of JDK Flight Recorder: the default limit
 *       ({@code JvmLimit}), to show the global budget ({@code BufferPool}, {@code BufferPoolBean}),
 *       and to write events of waits and of collections. {@code JvmMonitor} does it.
 *   <li>{@code Buffers} is what the agent has programs call that know nothing of all this.
 * </ul>
 *
 * <p>The life of a block, where the count says how many bytes are reserved:
 *
 * <pre>
 *   in Blocks --&gt; reserve: count += n --&gt; allocate --&gt; handed out
 *                                                        |      |
 *                                    free: scope closed  |      |  nothing reaches the scope
 *                                                        v      v
 *       abandoned &lt;-- stack or heap ends half-way -- claimed, by the one who comes first
 *           |                                            |
 *           '-- claimed again: by the reclaimer, or -----|
 *               by a thread that waits                   v
 *               memory kept or freed --&gt; credit: count -= n --&gt; out of Blocks
 *                                               '--&gt; next in line served
 * </pre>
 */
@NullMarked
package dev.rockpool.direct;

import org.jspecify.annotations.NullMarked;
