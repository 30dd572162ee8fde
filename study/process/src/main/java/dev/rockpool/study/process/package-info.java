/**
 * Programs whose native memory is known, to compare with what a report says of them: libraries that
 * take memory in C code, map files or take direct buffers, and one that does nothing of it. {@code
 * study/process/run} starts them; README.md there explains what comes out.
 */
@NullMarked
package dev.rockpool.study.process;

import org.jspecify.annotations.NullMarked;
