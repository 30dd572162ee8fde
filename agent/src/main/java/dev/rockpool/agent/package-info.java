/**
 * The Java agent. Unchanged programs that call {@link java.lang.foreign.Arena#ofConfined()} get
 * pooled arenas. By option, unchanged programs that call {@link java.nio.ByteBuffer#allocateDirect}
 * get buffers of our direct memory.
 *
 * <ul>
 *   <li>{@code AgentEntry} is the entry point of the JVM, at its start or by attach. It is a class
 *       for Java 8, so that an older JVM prints a line and runs its program. {@code Gate} waits for
 *       the first class that concerns the agent, and asks {@code Switch} then.
 *   <li>{@code Door} defines the agent's other classes in java.base, with the prefix {@code
 *       Rockpool}, where no program reaches them. {@code Agent} installs and uninstalls the agent.
 *   <li>{@code AgentOptions} has the table of options and their values.
 *   <li>{@code AgentTransformer} selects the classes to rewrite, and defines how the agent leaves.
 *       {@code RedirectedMethod} lists the methods to find, {@code CallSites} rewrites one class,
 *       and {@code ClassBytes} reads it.
 *   <li>{@code PooledClass} lends the rewrite to build-time tools.
 *   <li>{@code LoadedClasses} retransforms classes that were loaded before the agent, after a look
 *       into their class files for call sites.
 *   <li>{@code AgentReport} counts rewritten and skipped classes; {@code AgentMonitor} shows the
 *       counts to JMX, and {@code Console} prints lines.
 *   <li>{@code JdkMethod} lists the methods of the JDK that are rewritten, and rewrites them.
 *   <li>{@code LibraryInJavaBase} defines the library in java.base, because every class loader
 *       reaches java.base; {@code agent/src/java.base} has the classes that use java.base from
 *       within. In the build, {@code JavaBaseClasses} names the few classes that programs may call.
 *   <li>{@code ArenaRecorder} records arenas, by option.
 * </ul>
 *
 * <p>From the JVM's start to the first pooled arena, without options:
 *
 * <ol>
 *   <li>The JVM calls {@code AgentEntry.premain}, which calls {@code Gate.premain}. {@code Gate}
 *       becomes a transformer and waits.
 *   <li>A class of the program names {@code ofConfined}, or the linker's class of buffers is
 *       loaded. {@code Gate.transform} has {@code Door} define the agent in java.base. With
 *       options, or too small a stack, {@code Gate.premain} does so at once.
 *   <li>{@code Agent} parses {@code AgentOptions}. {@code AgentTransformer} takes the place of
 *       {@code Gate}.
 *   <li>{@code LibraryInJavaBase} defines {@code jdk.internal.foreign.RockpoolStart} and its entry
 *       {@code java.lang.foreign.RockpoolArenas}. {@code CallSites} has the program's class call
 *       that entry.
 *   <li>{@code RockpoolStart} opens arenas of the JDK and counts them. After 4,000 it notes the
 *       threads of the next ones. While three of four belong to threads that open a few and end, or
 *       to virtual ones that open a few and wait, the pool does not start.
 *   <li>Else thread {@code rockpool-start} runs {@code LibraryInJavaBase.Definition}, which defines
 *       the pool's classes. {@code RockpoolStart} initializes them and sets {@code isStarted}.
 *   <li>From then on, {@code RockpoolStart.ofConfined} calls {@code Pool.open}, which makes an
 *       {@code InlinedArena}.
 *   <li>{@code Admission} has the first sixteen arenas of each platform thread take shared slabs.
 *       The next one takes a slab of {@code ThreadSlabs}.
 * </ol>
 *
 * <p>The states of the agent in a JVM. One thread at a time enters COMING or GOING, by a
 * compare-and-set, and only that thread makes the next transition. It holds no lock meanwhile,
 * because installing and uninstalling load classes, by the program's loaders.
 *
 * <pre>
 *          premain, agentmain                   transformer added
 *   none ----------------------&gt; COMING ------------------------------&gt; THERE
 *    ^ ^                            |                                      | uninstall:
 *    | '-- any failure -------------'                                      v transformer left
 *    '------------------- classes restored ----------------------------- GOING
 * </pre>
 *
 * <p>{@code AgentOptions} and {@code Console} are on the class path, too, for help and for lines
 * that are printed before the agent is defined. Classes in java.base name no class of the class
 * path.
 *
 * <p>No exception in here reaches the program: a class that can't be rewritten stays unchanged.
 */
@NullMarked
package dev.rockpool.agent;

import org.jspecify.annotations.NullMarked;
