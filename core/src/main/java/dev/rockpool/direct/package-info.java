/**
 * Direct memory under a budget, freed without a wait for the JVM's own cleaner.
 *
 * <p>{@link dev.rockpool.direct.DirectMemory} is the public API; the rest is not public:
 *
 * <ul>
 *   <li>{@code Budget} counts reserved bytes, exactly. When the budget is spent, threads wait in
 *       {@code WaitingLine}, in FIFO order; the line asks for garbage collections.
 *   <li>{@code Block} owns one piece of memory and its share of the budget. It is a phantom
 *       reference, which the garbage collector enqueues once the memory is unreachable. {@code
 *       Blocks} holds all blocks; {@code Reclaimer} frees the unreachable ones in batches, on a
 *       thread of its own and on threads that wait.
 *   <li>{@code MemorySource} allocates and frees memory. {@code KeptMemory} keeps freed memory for
 *       the next request of its size.
 *   <li>{@code BudgetedArena} is an arena under a budget.
 *   <li>{@code Obstacle} tells why a JVM has no direct memory.
 *   <li>{@code DirectMonitor} holds all classes that need JMX or JDK Flight Recorder.
 *   <li>{@code Buffers} serves programs under the agent, which do not know {@code DirectMemory}.
 * </ul>
 *
 * <p>The way of a request, from {@code DirectMemory.allocate}:
 *
 * <ol>
 *   <li>{@code Block.reserve} asks {@code Budget.reservesNow}, and at the limit {@code
 *       reservesInLine}.
 *   <li>There {@code WaitingLine.await} frees, collects, and gives up.
 *   <li>{@code Block.allocate} takes a kept block and zeroes it, or makes room for a new one.
 * </ol>
 *
 * <p>The life of a block. The count is the budget's reserved bytes; brackets list what the block
 * owns. Each step is one effect, followed by the write to the field that records it; a step that
 * fails has had no effect:
 *
 * <pre>
 *   added to Blocks []
 *     | reserve: count += n
 *   [bytes] -------------------------+
 *     | allocate                     |
 *   [bytes, memory] -----------------+
 *     | hand out                     |
 *   [bytes, memory]                  | the allocation fails
 *     | scope closed,                |
 *     | or nothing reaches it        v
 *     v                          abandoned: any thread may claim it
 *   claimed by one thread  &lt;---------+
 *     | memory kept or freed         ^
 *   [bytes]                          |
 *     | credit: count -= n, and      | freeing fails
 *     | the next in line is served   |
 *   [] ------------------------------+
 *     | remove from Blocks
 *   garbage
 * </pre>
 */
@NullMarked
package dev.rockpool.direct;

import org.jspecify.annotations.NullMarked;
