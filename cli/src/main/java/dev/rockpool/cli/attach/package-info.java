/**
 * The subcommands for the agent in a running JVM: {@code attach}, {@code detach}, {@code status},
 * {@code record}.
 */
@NullMarked
package dev.rockpool.cli.attach;

import org.jspecify.annotations.NullMarked;
