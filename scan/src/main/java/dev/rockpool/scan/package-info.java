/**
 * Static analysis of class files: where jars, folders and class paths create arenas, and what
 * becomes of them. It reads the code, and runs none of it.
 *
 * <pre>{@code
 * Scan scan = Scan.of(new ClassPath(List.of("lib/*", "target/classes")));
 * scan.artifacts().stream()
 *     .flatMap(artifact -> artifact.findings().stream())
 *     .filter(finding -> finding.closing() == Finding.Closing.SOME_PATHS)
 *     .forEach(finding -> System.out.println(finding.place()));
 * }</pre>
 *
 * <p>{@link dev.rockpool.scan.ClassPath} lists what to read, {@link dev.rockpool.scan.Scan} is the
 * result, and a {@link dev.rockpool.scan.Finding} is one place in the code. {@link
 * dev.rockpool.scan.Pooling} is the agent's answer to it. A {@link dev.rockpool.scan.Verdict}
 * judges a scan by {@link dev.rockpool.scan.Condition}s and a {@link dev.rockpool.scan.Baseline}.
 * All else is not public, and works in this order:
 *
 * <ul>
 *   <li>{@code Contents} reads one jar or folder. It keeps each {@code ClassFile} that may matter:
 *       a quick look at the bytes tells, and nearly all classes end there.
 *   <li>{@code ArenaSearch} finds the creations in a class and makes a {@code Finding} of each;
 *       {@code SourceLines} tells the line that somebody wrote.
 *   <li>{@code Life} follows one arena from its creation on all paths; {@code Uses} is what happens
 *       to it there. {@code Graph} says where control goes after an instruction, by exceptions,
 *       too.
 *   <li>{@code Fact} is what is known of a value: the arenas it may be, a constant, a layout.
 *       {@code Facts} works facts out, an instruction at a time.
 *   <li>{@code Library} knows methods and constants of the JDK and of other languages' libraries,
 *       {@code Constants} those of the scan. {@code Program} finds classes of all jars by name.
 *   <li>{@code Sarif} writes places down.
 * </ul>
 *
 * <p>Within one method nothing is guessed: not from names of variables, not from what code usually
 * looks like. Where an arena leaves the method, {@code Program} looks one step further, in three
 * cases:
 *
 * <ul>
 *   <li>A method is called with the arena, and nothing can override the method. Its requests count,
 *       and so does its close.
 *   <li>The arena is stored in a field. If other code of the class closes it there, the arena is
 *       left to its holder.
 *   <li>A lambda captures the arena. It holds the arena if its body closes it.
 * </ul>
 *
 * <p>Other code that is given the arena may close it, or not: that is unknown, and said so. It is
 * no reason to fail a build.
 */
@NullMarked
package dev.rockpool.scan;

import org.jspecify.annotations.NullMarked;
