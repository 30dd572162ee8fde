/**
 * A program that uses the binding, and measures itself: {@link
 * dev.rockpool.examples.sqlite.workload.Main}. It is the same with the agent and without.
 */
@NullMarked
package dev.rockpool.examples.sqlite.workload;

import org.jspecify.annotations.NullMarked;
