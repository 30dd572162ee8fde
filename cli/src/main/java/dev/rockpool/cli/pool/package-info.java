/** {@code ./rockpool pool}: jars whose arenas are pooled without the agent. */
@NullMarked
package dev.rockpool.cli.pool;

import org.jspecify.annotations.NullMarked;
