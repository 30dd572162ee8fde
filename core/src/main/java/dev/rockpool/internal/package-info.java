/**
 * The library's access to the platform and to this JVM: native memory, carriers of virtual threads,
 * system properties, background threads, and messages on standard error. Not exported.
 *
 * <ul>
 *   <li>{@code NativeMemory}: allocates, zeroes and frees native memory. {@code Carrier}: finds the
 *       carrier of a virtual thread. Under the agent, classes of {@code agent/src/java.base} take
 *       the place of these two.
 *   <li>{@code Usability}: whether this JVM suits, and if not, why. {@code Foundations}: whether
 *       the heap suffices for a first use. {@code CLibrary}: calls of the C library.
 *   <li>{@code Setting}: the table of the agent's options and of system properties.
 *   <li>{@code Pages}: maps whole pages.
 *   <li>{@code Housekeeper}: runs background tasks once a second. {@code Daemon}: makes its thread
 *       and others. {@code Notices}: lines on standard error, printed by a thread of their own.
 *   <li>{@code Callbacks}: lets the JDK call us without keeping our class loader reachable, so that
 *       an undeployed application is collected. {@code MBeans} does so for JMX.
 * </ul>
 */
@NullMarked
package dev.rockpool.internal;

import org.jspecify.annotations.NullMarked;
