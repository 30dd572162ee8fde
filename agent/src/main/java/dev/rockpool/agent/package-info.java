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
 * </ul>
 *
 * <p>Nothing thrown in here reaches the program: a class that can't be rewritten stays as it is.
 */
@NullMarked
package dev.rockpool.agent;

import org.jspecify.annotations.NullMarked;
