/**
 * An echo server of Netty. {@link dev.rockpool.examples.netty.BudgetedAllocator} takes its buffers
 * from a {@code DirectMemory}; Netty's own allocators do so under the agent's option {@code
 * direct}.
 */
@NullMarked
package dev.rockpool.examples.netty;

import org.jspecify.annotations.NullMarked;
