package dev.rockpool.agent;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/** Rewrites one method of the JDK when its class is loaded, or again if it was loaded before. */
final class JdkMethodTransformer implements ClassFileTransformer {
  private final JdkMethod method;
  private final boolean verbose;
  private final PooledClasses pooled;

  JdkMethodTransformer(JdkMethod method, boolean verbose, PooledClasses pooled) {
    this.method = method;
    this.verbose = verbose;
    this.pooled = pooled;
  }

  @Override
  public byte @Nullable [] transform(
      Module module,
      @Nullable ClassLoader loader,
      @Nullable String className,
      @Nullable Class<?> redefined,
      ProtectionDomain domain,
      byte[] classFile) {
    if (loader != null || !method.owner().equals(className)) {
      return null;
    }
    try {
      return rewrite(classFile);
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
    // Called when the class is first used, maybe by these very classes: none is initialized here.
    method.define(pooled);
    say(method.done());
    return rewritten;
  }

  private void say(String line) {
    if (verbose) {
      Console.print(line);
    }
  }

  /** Adds it to the JVM. */
  void install(Instrumentation instrumentation) {
    instrumentation.addTransformer(this, true);
    retransform(instrumentation);
  }

  /** Takes it out again; the method goes back to what it was. */
  void remove(Instrumentation instrumentation) {
    instrumentation.removeTransformer(this);
    retransform(instrumentation);
  }

  /** Has the JVM look at the class again, if it is loaded already. */
  private void retransform(Instrumentation instrumentation) {
    String name = method.owner().replace('/', '.');
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      if (loaded.getClassLoader() == null && loaded.getName().equals(name)) {
        LoadedClasses.retransform(instrumentation, loaded);
        return;
      }
    }
  }
}
