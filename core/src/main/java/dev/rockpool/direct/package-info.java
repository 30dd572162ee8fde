/**
 * Direct memory under a budget, freed without anybody having to wait for the JVM's own cleaner.
 *
 * <p>{@link dev.rockpool.direct.DirectMemory} is the way in. The rest of the package is how it
 * works:
 *
 * <ul>
 *   <li>{@code Budget} counts what is handed out, exactly; {@code WaitingLine} is where threads
 *       wait, each a {@code Waiter}, in order, when it is spent, and what they do meanwhile ({@code
 *       ForcedCollection}).
 *   <li>{@code Block} owns one piece of memory and its share of the budget, and is the phantom
 *       reference that tells when nothing can reach that memory any more; {@code Blocks} are all of
 *       them.
 *   <li>{@code Reclaimer} frees those, on a thread of its own and on those that wait.
 *   <li>{@code KeptMemory} keeps freed memory for the next request of its size, a {@code Shelf} for
 *       each.
 *   <li>{@code MemorySource} is where the memory comes from and goes back to.
 *   <li>{@code BudgetedArena} and {@code AutomaticArena} are the arenas under a budget.
 *   <li>{@code Obstacle} is why there may be none of this in a JVM.
 *   <li>{@code DirectMonitor} is what is asked of JMX and of JDK Flight Recorder: the default limit
 *       ({@code JvmLimit}), to show the global budget ({@code BufferPool}, {@code BufferPoolBean}),
 *       and to write events of waits and of collections. {@code JvmMonitor} does it.
 *   <li>{@code Buffers} is what the agent has programs call that know nothing of all this: its
 *       buffers have no scope where there are bare ones.
 * </ul>
 *
 * <p>The life of a block, where the count says how many bytes are reserved, and brackets have what
 * the block owns. Each step is one effect, and the write to a field that notes it; a step that
 * fails has had no effect:
 *
 * <pre>
 *   linked []
 *     | reserve: count += n
 *   [bytes] -------------------------+
 *     | allocate                     |
 *   [bytes, memory] -----------------+
 *     | hand out                     |
 *   [bytes, memory]                  | the allocation fails
 *     | scope closed,                |
 *     | or nothing reaches it        v
 *     v                          abandoned: anybody may claim it
 *   claimed by one thread  &lt;---------+
 *     | memory kept or freed         ^
 *   [bytes]                          |
 *     | credit: count -= n, and      | freeing fails
 *     | the next in line is served   |
 *   [] ------------------------------+
 *     | unlink
 *   garbage
 * </pre>
 */
@NullMarked
package dev.rockpool.direct;

import org.jspecify.annotations.NullMarked;
