/**
 * The programs that {@code ./rockpool demo} and {@code report} run in JVMs of their own, without
 * and with the agent.
 *
 * <p>{@link dev.rockpool.demo.Call} has calls of C functions as bindings make them, with {@code
 * Arena.ofConfined()} and nothing of Rockpool, and one of them as the library makes it. {@link
 * dev.rockpool.demo.CallTimer} times one of them and prints figures. {@code examples/sqlite} packs
 * {@link dev.rockpool.demo.Timer}, too. {@link dev.rockpool.demo.Calibrator} times an arena without
 * any call, for the verdict of a report.
 */
@NullMarked
package dev.rockpool.demo;

import org.jspecify.annotations.NullMarked;
