/**
 * Direct memory under a budget, freed without a wait for the JVM's own cleaner.
 *
 * <p>{@link dev.rockpool.direct.DirectMemory} is the public API; the rest is not public:
 *
 * <ul>
 *   <li>{@code Budget} counts the bytes that are taken from the system, exactly.
 *   <li>{@code Block} is a piece of memory that is handed out. {@code Blocks} has all of them.
 *   <li>{@code Reclaimer} is a thread that frees unreachable blocks, in batches, and drives {@code
 *       WaitingLine}, where threads wait in FIFO order when the budget is spent.
 *   <li>{@code MemorySource} allocates and frees memory. {@code KeptMemory} keeps freed memory for
 *       the next request of its size.
 *   <li>{@code BudgetedArena} is an arena under a budget.
 *   <li>{@code Holder} counts the bytes of a budget that are in use for one purpose: all of the
 *       library's users together, or under the agent's limit one call site, or the pool. {@code
 *       Holders} has all that have a name.
 *   <li>{@code Obstacle} tells why a JVM has no direct memory.
 *   <li>{@code DirectMonitor} holds all classes that need JMX or JDK Flight Recorder.
 * </ul>
 *
 * <p>Programs under the agent do not know {@code DirectMemory}. A class of the agent's in
 * java.base, {@code RockpoolBuffers}, serves them from the global one. With option {@code limit},
 * the budget of the global one bounds native memory of all kinds. Arenas, the pool and memory that
 * is taken by address reserve through the interface {@code Account}, which {@code Holder}
 * implements; {@code RockpoolLimit} has the arenas of rewritten calls.
 *
 * <p>A request ({@code DirectMemory.acquire}) first tries kept memory of its size. Otherwise:
 *
 * <ol>
 *   <li>it takes bytes from the budget; kept memory of other sizes gives way;
 *   <li>at the limit, it helps to free what the collector has found unreachable;
 *   <li>then it waits in line, until the bytes are taken for the request, or it is refused;
 *   <li>it allocates.
 * </ol>
 *
 * <p>The life of a block. Whoever removes it from {@code Blocks} frees it, so it is freed once.
 * Bytes of the budget are taken before memory is allocated, and credited after it was freed:
 *
 * <pre>
 *                                        no memory: credited
 *                                              ^
 *                                              |
 *   bytes taken from the budget ----------&gt; allocated ----&gt; handed out, in Blocks
 *                                                             ^          |
 *                                             zeroed, if its  |          | scope closed, or nothing
 *                                             size is asked   |          | reaches the memory
 *                                             for again       |          v
 *                                                            kept &lt;--- removed from Blocks
 *                                                             |          |
 *                                                 given up    +----------+--&gt; freed, then credited
 * </pre>
 *
 * <p>If stack or heap ends within these steps, bytes may stay taken, as the JDK loses its own. No
 * memory is ever in two hands.
 */
@NullMarked
package dev.rockpool.direct;

import org.jspecify.annotations.NullMarked;
