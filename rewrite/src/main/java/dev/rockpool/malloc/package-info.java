/**
 * Live memory of C code by line of Java, out of recordings of async-profiler: what the agent and
 * the command {@code report} have in common.
 *
 * <p>{@code Samples} reads a recording, and an {@code Origin} says where a sample comes from.
 * {@code LiveMallocs} keeps what {@code malloc} gave and nobody freed, and {@code PageFaults} adds
 * up the pages that C code touched. {@code Libraries} lists classes whose callers are named
 * instead: the sites of recordings and limits have them from here, too.
 *
 * <p>The agent's build moves these classes into {@code java.base}.
 */
@NullMarked
package dev.rockpool.malloc;

import org.jspecify.annotations.NullMarked;
