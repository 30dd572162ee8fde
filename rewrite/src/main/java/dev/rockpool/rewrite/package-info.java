/**
 * The rewriting of single class files: what the agent, the command {@code pool} and the Maven
 * plugin have in common.
 *
 * <p>{@link dev.rockpool.rewrite.RedirectedMethod} lists the methods of the JDK whose uses are
 * redirected, {@link dev.rockpool.rewrite.CallSites} finds and redirects them in one class file,
 * and {@link dev.rockpool.rewrite.Skip} has the reasons not to. {@link
 * dev.rockpool.rewrite.JdkClasses} rewrites classes of the JDK whose callers can't be rewritten.
 * {@link dev.rockpool.rewrite.OwnerClass} has objects counted that own C memory; an {@code
 * Insertion} puts its calls into constructors and closing methods, the only code that is moved. All
 * of them read class files by {@link dev.rockpool.rewrite.ClassBytes}.
 *
 * <p>The agent's build moves these classes into {@code java.base}, where they may be what first
 * uses a class of the JDK. They have no dependency, and no lambdas, which would slow down the start
 * of each program.
 */
@NullMarked
package dev.rockpool.rewrite;

import org.jspecify.annotations.NullMarked;
