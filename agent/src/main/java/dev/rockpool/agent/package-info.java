/**
 * The Java agent: programs that call {@link java.lang.foreign.Arena#ofConfined()} get pooled arenas
 * without being changed, and those that call {@link java.nio.ByteBuffer#allocateDirect} buffers of
 * our direct memory, if that is asked for.
 *
 * <ul>
 *   <li>{@code AgentEntry} is where the JVM comes in, at its start or by attach: a class for Java
 *       8, so that JVMs too old for the rest say so and run their programs. {@code Agent} comes and
 *       goes.
 *   <li>{@code AgentOption} is the table of options; {@code AgentOptions} are their values.
 *   <li>{@code CallSiteTransformer} decides which classes of the program are looked at, {@code
 *       RedirectedMethod} is what is looked for, {@code CallSites} rewrites one class, and {@code
 *       ClassBytes} is how it is read. What both transformers have in common, which is how they
 *       leave, is {@code AgentTransformer}.
 *   <li>{@code LoadedClasses} has classes looked at that were there before the agent; {@code
 *       ClassFiles} tells beforehand which may have something to rewrite.
 *   <li>{@code AgentReport} is what was rewritten and what was not; {@code AgentMonitor} shows it
 *       to JMX, and {@code Console} prints it.
 *   <li>{@code JdkMethodTransformer} rewrites methods of the JDK that are called from everywhere:
 *       {@code JdkMethod} lists them, {@code LinkerMethod} and {@code CleanerMethod} are how.
 *   <li>{@code PooledClasses} puts the library where every class can reach it: into java.base.
 *   <li>{@code ArenaRecorder} has arenas counted, where that is asked for: {@code RecordedSites}
 *       gives each class a way to {@code ofConfined()} of its own, {@code ArenaRecording} is the
 *       flight recording that shows the figures.
 * </ul>
 *
 * <p>The agent in a JVM. Each change of state is one write, and no lock is held from one to the
 * next: to come and to go has classes loaded, by loaders of the program.
 *
 * <pre>
 *          premain, agentmain                all transformers added
 *   none ----------------------&gt; COMING ------------------------------&gt; THERE
 *    ^ ^                            |                                      | uninstall: all
 *    | '-- whatever fails ----------'                                      v transformers left
 *    '------------------- classes went back ---------------------------- GOING
 * </pre>
 *
 * <p>Power, which is an {@code Instrumentation} or what leads to one, is in no static field: any
 * class of the program could read that. What is static is data.
 *
 * <p>Nothing thrown in here reaches the program: a class that can't be rewritten stays as it is.
 */
@NullMarked
package dev.rockpool.agent;

import org.jspecify.annotations.NullMarked;
