/**
 * Access to everything that depends on the platform or on how this JVM was started: native memory,
 * system properties, and messages on standard error. Not exported.
 *
 * <p>The packages of the library also share:
 *
 * <ul>
 *   <li>{@code NativeMemory}: allocates, zeroes and frees native memory. Under the agent, classes
 *       of {@code agent/src/java.base} take the place of this class, {@code Carrier} and {@code
 *       BareBuffers}.
 *   <li>{@code ThreadRegistry}: one entry for each platform thread. Like its {@code LongTable}, it
 *       never fails half-way for lack of heap.
 *   <li>{@code Housekeeper}: the one background thread, which runs tasks once a second.
 *   <li>{@code SizeSetting} and {@code SwitchSetting}: the tables of system properties. {@code
 *       Usability} and {@code Foundations} tell whether this JVM suits, and has room for a first
 *       use.
 *   <li>{@code Notices}: lines on standard error, printed by a thread of its own.
 *   <li>{@code Callbacks}: lets the JDK call us without keeping our class loader reachable. {@code
 *       MBeans} does so for JMX.
 * </ul>
 */
@NullMarked
package dev.rockpool.internal;

import org.jspecify.annotations.NullMarked;
