/**
 * Rewriting at build time: programs that can't use the agent get pooled arenas, too.
 *
 * <p>{@link dev.rockpool.pool.Pooler} rewrites a jar, a folder of classes or a class file, and
 * returns a {@link dev.rockpool.pool.PoolResult}. The agent's {@code PooledClass} rewrites each
 * class. {@code Zip} splices new entries into the bytes of a jar, and {@code ModuleInfo} makes a
 * module read the library.
 */
@NullMarked
package dev.rockpool.pool;

import org.jspecify.annotations.NullMarked;
