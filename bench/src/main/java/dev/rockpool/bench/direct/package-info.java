/**
 * Costs of direct memory under a limit: {@code rockpool} is {@link
 * dev.rockpool.direct.DirectMemory}, {@code jdk} is {@link
 * java.nio.ByteBuffer#allocateDirect(int)}, both with a limit of 1024 MiB.
 *
 * <p>The workloads are those by which the JDK's own change of its cleaning was judged: buffers that
 * come and go ({@code DirectByteBufferChurn}), a collection with many of them alive ({@code
 * DirectByteBufferGC}), and the time of an allocation where the limit is reached over and over
 * ({@code DirectByteBufferAlloc}). {@code DirectByteBufferClean} is a program that frees its
 * buffers by hand, without and with the agent.
 */
@NullMarked
package dev.rockpool.bench.direct;

import org.jspecify.annotations.NullMarked;
