/**
 * Native calls with structs by value, checked against C, whoever serves the linker's buffers.
 *
 * <p>{@link dev.rockpool.structs.CType} describes a type. From one description come the declaration
 * in C ({@link dev.rockpool.structs.CSource}), the memory layout, and the fields that Java reads
 * and writes ({@link dev.rockpool.structs.CStruct}). {@link dev.rockpool.structs.Structs} is the
 * list of all that are checked.
 *
 * <p>The test writes the C source, has it compiled, and starts the programs of this package in JVMs
 * of their own: {@link dev.rockpool.structs.StructCalls} one struct at a time, {@link
 * dev.rockpool.structs.LibcCalls} the C library's own functions, {@link
 * dev.rockpool.structs.ChainCalls} calls inside calls, {@link dev.rockpool.structs.Unmounts}
 * virtual threads that wait inside a call, {@link dev.rockpool.structs.ForeignThreads} threads that
 * C has started, {@link dev.rockpool.structs.Lifetimes} the end of the buffers, {@link
 * dev.rockpool.structs.Mallocs} what they cost. A program prints what it found wrong and ends with
 * exit code 1.
 *
 * <p>Not below {@code dev.rockpool.agent}, whose classes the agent leaves alone.
 */
package dev.rockpool.structs;
