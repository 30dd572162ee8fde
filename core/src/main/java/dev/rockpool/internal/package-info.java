/**
 * The library's access to the platform and to this JVM: native memory, carriers of virtual threads,
 * system properties, background threads, and messages on standard error. Not exported.
 *
 * <ul>
 *   <li>{@code NativeMemory}: allocates, zeroes and frees native memory. {@code Carrier}: finds the
 *       carrier of a virtual thread. {@code BareBuffers}: makes direct buffers without a scope.
 *       Under the agent, classes of {@code agent/src/java.base} take the place of these three.
 *   <li>{@code ThreadRegistry}: one entry for each platform thread. Like its {@code LongTable}, it
 *       never fails half-way for lack of heap.
 *   <li>{@code Housekeeper}: the thread that runs tasks once a second.
 *   <li>{@code SizeSetting} and {@code SwitchSetting}: the tables of system properties.
 *   <li>{@code Usability}: whether this JVM suits. {@code Foundations}: whether there is room for a
 *       first use.
 *   <li>{@code Pages}: maps whole pages; {@code TouchedPages}: zeroes only touched ones.
 *   <li>{@code Notices}: lines on standard error, printed by a thread of its own.
 *   <li>{@code Callbacks}: lets the JDK call us without keeping our class loader reachable. {@code
 *       MBeans} does so for JMX.
 * </ul>
 */
@NullMarked
package dev.rockpool.internal;

import org.jspecify.annotations.NullMarked;
