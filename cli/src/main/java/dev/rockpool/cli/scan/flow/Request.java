package dev.rockpool.cli.scan.flow;

import java.util.OptionalLong;

/**
 * A call that asks an arena for memory, or leads to one that does.
 *
 * @param bytes how much, if the code tells
 * @param repeated whether it is in a loop that the creation of the arena is not in
 * @param line in the source, or -1
 */
public record Request(OptionalLong bytes, boolean repeated, int line) {}
