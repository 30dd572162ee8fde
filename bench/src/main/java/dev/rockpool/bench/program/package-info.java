/**
 * Whole programs, to be measured from their start to their end: {@code Programs} runs them, for
 * {@code ./rockpool bench --start} and {@code --load}. None knows of Rockpool; each runs as it is,
 * with an agent that does nothing, and with ours.
 */
@NullMarked
package dev.rockpool.bench.program;

import org.jspecify.annotations.NullMarked;
