/**
 * The Java agent: programs that call {@link java.lang.foreign.Arena#ofConfined()} get pooled arenas
 * without being changed, and those that call {@link java.nio.ByteBuffer#allocateDirect} buffers of
 * our direct memory, if that is asked for.
 *
 * <ul>
 *   <li>{@code Agent} is where the JVM comes in, at its start or by attach.
 *   <li>{@code AgentOption} is the table of options; {@code AgentOptions} are their values.
 *   <li>{@code CallSiteTransformer} decides which classes of the program are looked at, {@code
 *       RedirectedMethod} is what is looked for, {@code CallSites} rewrites one class.
 *   <li>{@code JdkMethodTransformer} rewrites methods of the JDK that are called from everywhere:
 *       {@code JdkMethod} lists them, {@code LinkerMethod} and {@code CleanerMethod} are how.
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
