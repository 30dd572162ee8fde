/**
 * Live memory of C code by line of Java, out of recordings of async-profiler: what the agent and
 * the command {@code report} have in common.
 *
 * <p>The agent's build moves these classes into {@code java.base}.
 */
@NullMarked
package dev.rockpool.malloc;

import org.jspecify.annotations.NullMarked;
