/**
 * {@code ./rockpool bench}: runs the benchmarks, or whole programs, and writes tables and pictures.
 *
 * <p>{@code Bench} is the command. {@code Benchmarks} has JMH run the benchmarks in each {@code
 * Mode}, a kind of JVM and thread; {@code Figure} is one result, and {@code Report} shows results
 * beside those of the JDK's arena. {@code Programs} runs programs from start to end, and counts
 * their processor time. {@code Picture} draws lines as SVG.
 */
@NullMarked
package dev.rockpool.bench.command;

import org.jspecify.annotations.NullMarked;
