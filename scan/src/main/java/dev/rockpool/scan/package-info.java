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
 * All else is not public:
 *
 * <ul>
 *   <li>{@code Contents} reads one jar or folder. It keeps each {@code ClassFile} that may matter:
 *       a quick look at the bytes tells, and nearly all classes end there.
 *   <li>{@code ArenaSearch} finds the creations in a class and makes a {@code Finding} of each.
 *   <li>{@code Life} follows one arena from its creation on all paths; {@code Uses} is what happens
 *       to it there. {@code Graph} says where control goes after an instruction, by exceptions,
 *       too.
 *   <li>{@code Fact} is what is known of a value: the arenas it may be, a constant, a layout.
 *       {@code Facts} works facts out, an instruction at a time.
 *   <li>{@code Library} knows methods and constants of the JDK, {@code Constants} those of the
 *       scan. {@code Program} finds classes of all jars by name, and looks into their methods that
 *       are given an arena.
 *   <li>{@code Sarif} writes places down.
 * </ul>
 *
 * <p>Within one method nothing is guessed: not from names of variables, not from what code usually
 * looks like. An arena that leaves the method is out of sight, and the finding says so. One
 * exception: a method to which the arena is passed, if nothing can override that method. Its
 * requests count, and so does its close.
 */
@NullMarked
package dev.rockpool.scan;

import org.jspecify.annotations.NullMarked;
