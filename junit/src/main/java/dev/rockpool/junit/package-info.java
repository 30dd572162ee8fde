/**
 * Tests that fail if native memory is not freed, or if too much is held at a time. Start at {@link
 * dev.rockpool.junit.NativeMemory}.
 */
@NullMarked
package dev.rockpool.junit;

import org.jspecify.annotations.NullMarked;
