package dev.rockpool.agent;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A transformer of the agent's, until the agent goes.
 *
 * <p>Nothing but the JVM's own list refers to it: a static field that did would hand the agent's
 * power to any class that reads it by reflection. So whoever takes the agent out has to reach it
 * through the JVM, by retransforming {@link Agent}. That takes an {@link Instrumentation}, which
 * the JVM gives to those alone who may attach.
 */
abstract class AgentTransformer implements ClassFileTransformer {
  /** Some 8 KiB where C2 compiled {@link #descend}, and more elsewhere. */
  private static final int FRAMES = 256;

  private final Instrumentation instrumentation;
  private final AgentReport report;

  /** 1 once it has left. Not an AtomicBoolean, which takes longer to start. */
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
    if (redefined == Agent.class && report.isLeaving()) {
      leave();
    }
    if (gone.get() != 0) {
      return null;
    }
    byte[] rewritten = rewrite(module, loader, className, classFile);
    // Told of before it is looked at once more: whoever goes knows of it, or it stays as it is.
    return gone.get() != 0 ? null : rewritten;
  }

  /**
   * The class file rewritten, or null to leave it as it is. Does not fail.
   *
   * @param className in internal form; null if the loader left it to the JVM to read it
   */
  abstract byte @Nullable [] rewrite(
      Module module, @Nullable ClassLoader loader, @Nullable String className, byte[] classFile);

  /** Rewrites classes from now on. */
  final void join(List<AgentTransformer> all) {
    all.add(this);
    report.transformerJoins();
    instrumentation.addTransformer(this, true);
  }

  /** Rewrites nothing from now on. */
  final void leave() {
    if (gone.compareAndSet(0, 1)) {
      report.transformerLeaves();
    }
    instrumentation.removeTransformer(this);
  }

  /**
   * Fails unless there is stack for what follows: classes are loaded where a stack ends, too, and
   * what is first used there may stay broken.
   */
  static void requireStack() {
    descend(FRAMES);
  }

  /** Not to be turned into a loop: it still has to add when it comes back. */
  private static int descend(int frames) {
    return frames == 0 ? 0 : 1 + descend(frames - 1);
  }
}
