/**
 * Costs of arenas: Rockpool's, the JDK's own, and those of rivals, side by side.
 *
 * <p>One class is one workload. Its methods are the contestants, which all do the same work: {@code
 * jdk} is {@link java.lang.foreign.Arena#ofConfined()}, the one to compare with; {@code rockpool}
 * is {@link dev.rockpool.arena.Arenas#ofConfined()}; {@code lwjglStack} is LWJGL's {@code
 * MemoryStack}, which checks neither lifetime nor thread and leaves what was written for the next.
 *
 * <p>Options of JMH repeat a workload in another JVM or on another kind of thread and change
 * nothing else: {@code -jvmArgsAppend} with
 *
 * <pre>
 * -javaagent:agent/target/rockpool-agent.jar        jdk is the method to look at: the same source
 * -Djmh.executor=VIRTUAL                            on virtual threads, by public API only
 * "-Djmh.executor=VIRTUAL --add-opens=java.base/java.lang=ALL-UNNAMED"    rockpool reaches carriers
 * "-Djmh.executor=VIRTUAL -javaagent:agent/target/rockpool-agent.jar"
 * </pre>
 *
 * <p>Each benchmark first checks that it measures what its name and these options say; see {@code
 * ArenaBenchmark} and {@code Conditions}.
 *
 * <p>{@code ./rockpool bench} builds the benchmarks and the agent, and hands its arguments to JMH:
 *
 * <pre>
 * ./rockpool bench TwoOpenArenas -prof gc
 * ./rockpool bench TwoOpenArenas.jdk -jvmArgsAppend -javaagent:agent/target/rockpool-agent.jar
 * </pre>
 */
@NullMarked
package dev.rockpool.bench;

import org.jspecify.annotations.NullMarked;
