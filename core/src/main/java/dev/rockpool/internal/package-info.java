/**
 * The one door to what depends on the platform or on how this JVM was started: native memory,
 * system properties, and the messages to standard error. Not exported.
 */
@NullMarked
package dev.rockpool.internal;

import org.jspecify.annotations.NullMarked;
