/**
 * Arenas for as long as one likes, as mixed as can be, each byte of them checked: {@code SoakIT}.
 *
 * <p>{@code Soak} is the program. It starts threads of all kinds, long-lived, short-lived and
 * virtual, each on a {@code Walk}: it opens arenas, nests them, asks for memory of all sizes,
 * waits, and closes them in any order. {@code Checker} knows all memory in use by its {@code
 * Owner}, whose mark is in each byte of it. It fails as soon as memory is handed out that is not
 * zero or somebody else's already, or memory in use changes.
 */
package dev.rockpool.bench.soak;
