/**
 * Rewriting at build time: programs that can't use the agent get pooled arenas, too.
 *
 * <p>{@link dev.rockpool.pool.Pooler} rewrites a jar, a folder of classes or a class file, and
 * returns a {@link dev.rockpool.pool.PoolResult}. It decides which files to read and write, and
 * {@code Rewriting} what changes in them. {@code Jar} writes a jar with other contents of some
 * entries, and {@code ModuleInfo} makes a module read the library.
 */
@NullMarked
package dev.rockpool.pool;

import org.jspecify.annotations.NullMarked;
