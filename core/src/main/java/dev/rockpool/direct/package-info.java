/**
 * Direct memory under a budget, freed without anybody having to wait for the JVM's own cleaner.
 *
 * <p>{@link dev.rockpool.direct.DirectMemory} is the way in. The rest of the package is how it
 * works:
 *
 * <ul>
 *   <li>{@code Budget} counts handed-out bytes, exactly. When the budget is spent, threads wait in
 *       {@code WaitingLine}, first come, first served; the line asks for garbage collections.
 *   <li>{@code Block} owns one piece of memory and its share of the budget. It is the phantom
 *       reference that tells when nothing can reach that memory any more. {@code Blocks} are all
 *       blocks; {@code Reclaimer} frees the unreachable ones, on a thread of its own and on threads
 *       that wait.
 *   <li>{@code MemorySource} allocates and frees memory. {@code KeptMemory} keeps freed memory for
 *       the next request of its size.
 *   <li>{@code BudgetedArena} is an arena under a budget.
 *   <li>{@code Obstacle} tells why a JVM can have none of this.
 *   <li>{@code DirectMonitor} is all that needs JMX or JDK Flight Recorder.
 *   <li>{@code Buffers} serves programs under the agent, which know nothing of all this.
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
