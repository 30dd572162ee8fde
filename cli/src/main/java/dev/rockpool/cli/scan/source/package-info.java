/**
 * Class files out of what a user names: jars, jars within them, folders, class paths.
 *
 * <p>{@link dev.rockpool.cli.scan.source.ClassPath} takes arguments apart; {@code Jar}, {@code
 * NestedJar} and {@code Folder} read. Only classes that name a type of {@code java.lang.foreign}
 * are kept: a quick look at the bytes tells, and nearly all classes end there.
 */
@NullMarked
package dev.rockpool.cli.scan.source;

import org.jspecify.annotations.NullMarked;
