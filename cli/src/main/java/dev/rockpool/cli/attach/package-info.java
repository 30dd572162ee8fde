/** The subcommand {@code attach}: the agent into a JVM that is running. */
@NullMarked
package dev.rockpool.cli.attach;

import org.jspecify.annotations.NullMarked;
