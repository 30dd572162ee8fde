package dev.rockpool.agent;

import dev.rockpool.agent.AgentReport.Skip;
import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/** Rewrites one method of the JDK when its class is loaded or retransformed. */
final class JdkMethodTransformer extends AgentTransformer {
  private final JdkMethod method;
  private final AgentReport report;
  private final PooledClasses pooled;

  JdkMethodTransformer(
      Instrumentation instrumentation, JdkMethod method, AgentReport report, PooledClasses pooled) {
    super(instrumentation, report);
    this.method = method;
    this.report = report;
    this.pooled = pooled;
  }

  @Override
  byte @Nullable [] rewrite(
      Module module, @Nullable ClassLoader loader, @Nullable String className, byte[] classFile) {
    if (loader != null || className == null || !method.owner().equals(className)) {
      return null;
    }
    try {
      return rewrite(classFile);
    } catch (StackOverflowError | OutOfMemoryError noSpace) {
      report.skips(className, Skip.NO_SPACE);
      return null;
    } catch (Throwable failure) {
      Console.print(method.without(), failure);
      return null;
    }
  }

  private byte @Nullable [] rewrite(byte[] classFile) throws Exception {
    byte[] rewritten = method.rewrite(classFile);
    if (rewritten == null) {
      say(method.without() + ": it has no method as expected");
      return null;
    }
    // Initializes no class, because our classes may be what first uses the rewritten class.
    method.define(pooled);
    say(method.done());
    return rewritten;
  }

  private void say(String line) {
    if (report.options().verbose()) {
      Console.print(line);
    }
  }
}
