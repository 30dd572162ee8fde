/**
 * Static analysis of class files: where a program creates arenas of {@code java.lang.foreign}, and
 * what becomes of them.
 *
 * <p>Start at {@link dev.rockpool.scan.Scan}.
 */
module dev.rockpool.scan {
  requires com.google.gson;
  requires static org.jspecify;
  requires org.objectweb.asm;
  requires org.objectweb.asm.tree;
  requires org.objectweb.asm.tree.analysis;

  exports dev.rockpool.scan;
}
