/**
 * Limits of native memory: what is charged, who waits, who is refused. And direct memory of
 * Rockpool's own under such a limit, which is freed without a wait for the JVM's cleaner.
 *
 * <p>{@link dev.rockpool.direct.DirectMemory} is the public API; the rest is not public. The limit:
 *
 * <ul>
 *   <li>{@code Budget} counts the bytes in use, exactly: they are charged before memory is
 *       allocated, and refunded after it was freed.
 *   <li>{@code Waiters} are the threads whose request does not fit. Each has a deadline of its own.
 *   <li>{@code Collector} collects garbage for them, one collection at a time.
 *   <li>{@code CountedArena} is an arena of the JDK whose memory is charged.
 * </ul>
 *
 * <p>Direct memory:
 *
 * <ul>
 *   <li>{@code Block} is a piece of memory that is handed out. {@code Blocks} has all of them.
 *   <li>{@code Reclaimer} is a thread that frees unreachable blocks, in batches.
 *   <li>{@code MemorySource} allocates and frees memory.
 *   <li>{@code DirectMonitor} holds all classes that need JMX or JDK Flight Recorder.
 * </ul>
 *
 * <p>{@code DirectMemory} stands on {@code Budget}, that on {@code Waiters}, these on {@code
 * Collector} and {@code Reclaimer}. What knows each other:
 *
 * <pre>
 *   DirectMemory  &lt;-&gt; Block, Blocks, Reclaimer   a block is freed by the memory that it came from
 *   Block         &lt;-&gt; Blocks, Reclaimer          which hold and free it; a new one starts the thread
 *   Budget        &lt;-&gt; Waiters                    which charge the budget where it has room
 *   Waiters       &lt;-&gt; Collector                  which asks a waiter whether it needs a collection
 *   DirectMonitor &lt;-&gt; DirectMemory, Budget       whose figures it shows
 * </pre>
 *
 * <p>The agent's option {@code limit} uses the first part only: {@code RockpoolLimit} charges
 * arenas and buffers of the JDK, by call site. Option {@code direct} uses all of it: {@code
 * RockpoolBuffers} serves programs, which do not know {@code DirectMemory}, from the global one.
 *
 * <p>A charge ({@code Budget.charge}):
 *
 * <pre>
 *   fits -------------------------------------------------------------------&gt; charged
 *   does not: helps to free what the collector has found -- now it fits ----&gt; charged
 *     asks for a collection, unless one has just found nothing
 *     waits: is offered what others refund, oldest first, if it fits -------&gt; charged
 *     the deadline has passed; or nothing was found, nor refunded since ----&gt; refused
 * </pre>
 *
 * <p>The life of a block. Whoever removes it from {@code Blocks} frees it, so it is freed once:
 *
 * <pre>
 *                                        no memory: refunded
 *                                              ^
 *                                              |
 *   bytes charged to the budget ----------&gt; allocated ----&gt; handed out, in Blocks
 *                                                             |
 *                                                             | scope closed, or nothing
 *                                                             v reaches the memory
 *                     refunded &lt;------ freed &lt;------ removed from Blocks
 * </pre>
 *
 * <p>Where stack or heap ends within these steps, bytes are refunded all the same, or found again:
 * a server must not lose its limit for good. No memory is ever in two hands.
 */
@NullMarked
package dev.rockpool.direct;

import org.jspecify.annotations.NullMarked;
