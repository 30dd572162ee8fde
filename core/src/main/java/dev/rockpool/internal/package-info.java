/**
 * What the other packages need of the platform and of this JVM. Not exported.
 *
 * <ul>
 *   <li>{@code NativeMemory} allocates, zeroes and frees native memory. {@code Carrier} finds the
 *       carrier of a virtual thread. {@code Lifetime} checks lifetime and confinement of an arena's
 *       segments. Under the agent, classes of {@code agent/src/java.base} replace these three.
 *   <li>{@code Account} is charged with bytes before memory is allocated, by a {@code
 *       ChargedAllocator} for arenas; {@code Refund} gives them back once it was freed. {@code
 *       Request} is an allocation as the JDK's arenas check it. {@code ForceInline} is the JDK's,
 *       under the agent.
 *   <li>{@code CLibrary} links functions of the C library for all of these.
 *   <li>{@code Usability} tells what Rockpool can do in this JVM.
 *   <li>{@code Setting} is the table of the agent's options and of system properties.
 *   <li>{@code Housekeeper} runs background tasks once a second. {@code Notices} prints lines on
 *       standard error. {@code Daemon} makes their threads.
 *   <li>{@code MBeans} registers MBeans. {@code Callbacks} wraps those, and all else that the JDK
 *       holds, so that an undeployed application can be collected.
 * </ul>
 */
@NullMarked
package dev.rockpool.internal;

import org.jspecify.annotations.NullMarked;
