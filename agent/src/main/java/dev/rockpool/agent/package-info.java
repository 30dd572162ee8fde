/**
 * The Java agent: programs that call {@link java.lang.foreign.Arena#ofConfined()} get pooled arenas
 * without being changed.
 *
 * <ul>
 *   <li>{@code Agent} is where the JVM comes in, at its start or by attach.
 *   <li>{@code AgentOption} is the table of options; {@code AgentOptions} are their values.
 *   <li>{@code ArenaTransformer} decides which classes are looked at, {@code ArenaCallSites}
 *       rewrites one.
 *   <li>{@code PooledClasses} puts the library where every class can reach it: into java.base.
 *   <li>{@code ArenaRecorder} has arenas counted, where that is asked for: {@code RecordedSites}
 *       gives each class a way to {@code ofConfined()} of its own, {@code ArenaRecording} is the
 *       flight recording that shows the figures.
 * </ul>
 *
 * <p>Nothing thrown in here reaches the program: a class that can't be rewritten stays as it is.
 */
@NullMarked
package dev.rockpool.agent;

import org.jspecify.annotations.NullMarked;
