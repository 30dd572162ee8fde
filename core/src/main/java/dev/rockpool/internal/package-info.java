/**
 * The one door to what depends on the platform or on how this JVM was started: native memory,
 * system properties, and the messages to standard error. Not exported.
 *
 * <p>And what the packages of the library share:
 *
 * <ul>
 *   <li>{@code ThreadRegistry}, one thing for each platform thread; with {@code LongTable}, which
 *       never fails half-way for lack of heap.
 *   <li>{@code Housekeeper}, the one thread, and what is done once a second.
 *   <li>{@code Callbacks}, how the JDK calls us without keeping our class loader reachable; {@code
 *       MBeans}, how it does so for JMX.
 * </ul>
 */
@NullMarked
package dev.rockpool.internal;

import org.jspecify.annotations.NullMarked;
