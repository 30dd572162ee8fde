package dev.rockpool.agent;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A class file transformer of the agent, which can leave.
 *
 * <p>Only the JVM's own list refers to a transformer, and so to the agent's Instrumentation. An
 * uninstall must reach the transformer through the JVM: the uninstalling thread notes its id in the
 * report, and has the JVM retransform {@link Leaving}. The JVM then calls each transformer on that
 * thread. A transformer leaves only if it sees that class and that id. Retransforming takes an
 * {@link Instrumentation}, which the JVM gives only to those who may attach.
 */
abstract class AgentTransformer implements ClassFileTransformer {
  /** Takes some 8 KiB once C2 has compiled {@link #descend}, and more before. */
  private static final int FRAMES = 256;

  /**
   * Retransformed to make the transformers leave. Empty, because the JVM links the lambdas of a
   * retransformed class anew, and never unloads them.
   */
  static final class Leaving {}

  private final Instrumentation instrumentation;
  private final AgentReport report;

  /** 1 once this has left. Not an AtomicBoolean, whose class takes longer to initialize. */
  private final AtomicInteger gone = new AtomicInteger();

  AgentTransformer(Instrumentation instrumentation, AgentReport report) {
    this.instrumentation = instrumentation;
    this.report = report;
  }

  @Override
  public final byte @Nullable [] transform(
      Module module,
      @Nullable ClassLoader loader,
      @Nullable String className,
      @Nullable Class<?> redefined,
      ProtectionDomain domain,
      byte[] classFile) {
    if (redefined == Leaving.class && report.isLeaving()) {
      leave();
    }
    if (gone.get() != 0) {
      return null;
    }
    byte[] rewritten = rewrite(module, loader, className, classFile);
    // Checked again after the report has noted the class, so that an uninstall restores the class
    // or the class is not rewritten. A class that the JVM is defining just then stays rewritten.
    return gone.get() != 0 ? null : rewritten;
  }

  /**
   * Returns the rewritten class file, or null to leave the class unchanged. Throws nothing.
   *
   * @param className in internal form; null if the loader did not pass a name
   */
  abstract byte @Nullable [] rewrite(
      Module module, @Nullable ClassLoader loader, @Nullable String className, byte[] classFile);

  /** Starts to rewrite classes. */
  final void join(List<AgentTransformer> all) {
    all.add(this);
    report.transformers.incrementAndGet();
    instrumentation.addTransformer(this, true);
  }

  /** Stops rewriting classes. */
  final void leave() {
    if (gone.compareAndSet(0, 1)) {
      report.transformers.decrementAndGet();
    }
    instrumentation.removeTransformer(this);
  }

  /** Throws a StackOverflowError unless there is stack for the caller's next calls. */
  static void requireStack() {
    descend(FRAMES);
  }

  /** Adds after the recursive call, so that no compiler can turn the recursion into a loop. */
  private static int descend(int frames) {
    return frames == 0 ? 0 : 1 + descend(frames - 1);
  }
}
