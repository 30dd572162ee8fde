/**
 * What becomes of an arena in the method that creates it: data flow over bytecode, by ASM.
 *
 * <ul>
 *   <li>{@code Fact} is what is known of a value: the arenas it may be, a constant, a layout.
 *   <li>{@code Facts} works facts out, an instruction at a time; {@code Calls} does so for the
 *       methods of the JDK that make layouts, {@code Constants} for fields and methods of the
 *       artifact that hold them. {@code Frames} are the facts before each instruction.
 *   <li>{@code Callees} looks into methods of the artifact that are given an arena.
 *   <li>{@code Classes} parses, of other classes of the artifact, the methods that these ask for.
 *   <li>{@code Graph} says where control goes after an instruction, by exceptions, too.
 *   <li>{@code Life} follows one arena from its creation on all paths; {@code Uses} is what happens
 *       to it there.
 *   <li>{@link dev.rockpool.cli.scan.flow.ArenaSearch} finds the creations in a class and makes a
 *       {@link dev.rockpool.cli.scan.flow.Site} of each.
 * </ul>
 *
 * <p>Within one method nothing is guessed: not from names of variables, not from what code usually
 * looks like. What leaves the method is out of sight, and the {@code Site} says so; except for how
 * much it is asked for by a method to which it is passed, if nothing can override that.
 */
@NullMarked
package dev.rockpool.cli.scan.flow;

import org.jspecify.annotations.NullMarked;
