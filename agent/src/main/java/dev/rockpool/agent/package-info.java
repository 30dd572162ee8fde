/**
 * The Java agent. Unchanged programs that call {@link java.lang.foreign.Arena#ofConfined()} get
 * pooled arenas. By option, unchanged programs that call {@link java.nio.ByteBuffer#allocateDirect}
 * get buffers of our direct memory.
 *
 * <ul>
 *   <li>{@code AgentEntry} is the entry point of the JVM, at its start or by attach, and knows
 *       whether the agent is switched off. It is a class for Java 8, so that an older JVM prints a
 *       line and runs its program.
 *   <li>{@code AgentInJavaBase} defines the agent's other classes in java.base, with the prefix
 *       {@code Rockpool}, where no program reaches them. {@code Agent} installs and uninstalls the
 *       agent.
 *   <li>{@code AgentOptions} parses the options; the library's class {@code Setting} is their
 *       table. {@code AgentTool} lends both to {@code java -jar} and to {@code ./rockpool}.
 *   <li>{@code AgentTransformer} selects the classes to rewrite, and defines how the agent leaves.
 *       The classes of module {@code rewrite}, which go into java.base, too, rewrite one class.
 *   <li>{@code LoadedClasses} retransforms classes that were loaded before the agent, after a look
 *       at their constants for call sites.
 *   <li>{@code AgentReport} counts rewritten and skipped classes; {@code AgentMonitor} shows the
 *       counts to JMX.
 *   <li>{@code JdkMethod} lists the methods of the JDK that are rewritten.
 *   <li>{@code LibraryInJavaBase} defines the library in java.base, because every class loader
 *       reaches java.base, by the groups of {@code ClassGroup}; {@code agent/src/java.base} has the
 *       classes that use java.base from within. In the build, {@code JavaBaseClasses} names the few
 *       classes that programs may call.
 *   <li>{@code JdkPool} makes the JDK's own pool larger, to which arenas are left on JDK 28.
 *   <li>{@code ArenaRecorder} starts the recording of package {@code record}, by option. {@code
 *       SiteTargets} makes a class for each call that is recorded or limited.
 *   <li>{@code MemoryLimit} counts native memory, and may limit it, by options {@code limit} and
 *       {@code count}; {@code RockpoolLimit} in java.base implements it. {@code CountLog} writes
 *       what it counts.
 * </ul>
 *
 * <p>From the JVM's start to the first pooled arena, without options:
 *
 * <ol>
 *   <li>The JVM calls {@code AgentEntry.premain}. {@code AgentInJavaBase} defines the classes of
 *       group {@code agent}, and calls {@code Agent}.
 *   <li>{@code Agent} parses {@code AgentOptions}, and adds {@code AgentTransformer} to the JVM's
 *       list. A program without arenas gets no further.
 *   <li>A class of the program names {@code ofConfined}, or the linker's class of buffers is
 *       loaded. {@code LibraryInJavaBase} defines the agent's classes that rewrite, {@code
 *       jdk.internal.foreign.RockpoolStart}, and its entry {@code
 *       java.lang.foreign.RockpoolArenas}. {@code CallSites} has the program's class call that
 *       entry.
 *   <li>{@code RockpoolStart} opens arenas of the JDK and counts them. After 4,000, thread {@code
 *       rockpool-start} defines the pool's classes. {@code RockpoolInternals} tries this JDK's
 *       internal API; where that differs, one line says so, and the JDK serves on.
 *   <li>From then on, {@code RockpoolStart.ofConfined} calls {@code BlockPool.open}, which makes a
 *       {@code BlockArena}.
 * </ol>
 *
 * <p>The agent is in a JVM, or it is not: {@code Agent.report} tells. Installs and uninstalls wait
 * for each other by a lock. No class of the program takes it, because the transformer does not.
 *
 * <p>Classes in java.base name no class of the class path. No exception in here reaches the
 * program: a class that can't be rewritten stays unchanged.
 */
@NullMarked
package dev.rockpool.agent;

import org.jspecify.annotations.NullMarked;
