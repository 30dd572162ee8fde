/**
 * {@code ./rockpool pool}: jars whose arenas are pooled without the agent. The rewriting itself is
 * {@link dev.rockpool.pool.Pooler}, which the Maven plugin uses, too.
 */
@NullMarked
package dev.rockpool.cli.pool;

import org.jspecify.annotations.NullMarked;
