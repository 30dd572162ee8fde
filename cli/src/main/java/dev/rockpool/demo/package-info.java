/**
 * The program that {@code ./rockpool demo} runs in JVMs of its own, without and with the agent.
 *
 * <p>{@link dev.rockpool.demo.Calls} has calls of C functions as bindings make them, with {@code
 * Arena.ofConfined()} and nothing of Rockpool, and one of them as the library makes it. {@link
 * dev.rockpool.demo.CallTimer} has one {@link dev.rockpool.demo.Call} timed and prints figures.
 * {@code examples/sqlite} packs {@link dev.rockpool.demo.Timer}, too.
 */
@NullMarked
package dev.rockpool.demo;

import org.jspecify.annotations.NullMarked;
