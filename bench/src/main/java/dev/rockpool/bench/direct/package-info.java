/**
 * Costs of direct memory under a limit: {@code rockpool} is {@link
 * dev.rockpool.direct.DirectMemory}, {@code jdk} is {@link
 * java.nio.ByteBuffer#allocateDirect(int)}, both with a limit of 1024 MiB.
 *
 * <p>The workloads are two of those by which the JDK's own change of its cleaning was judged: a
 * collection with many buffers alive ({@code DirectByteBufferGC}), and the time of an allocation
 * when the limit is reached over and over ({@code DirectByteBufferAlloc}).
 */
@NullMarked
package dev.rockpool.bench.direct;

import org.jspecify.annotations.NullMarked;
