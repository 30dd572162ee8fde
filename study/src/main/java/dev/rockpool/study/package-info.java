/**
 * Programs that put libraries to work which use {@code java.lang.foreign}, so that what their
 * arenas do can be recorded. {@code study/run} starts them, and docs/study.md has what came out.
 * Each does the same work whenever it runs; none opens arenas where the library does that itself.
 */
@NullMarked
package dev.rockpool.study;

import org.jspecify.annotations.NullMarked;
