package dev.rockpool.agent;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/** Has the JDK's linker take the buffers of native calls from the pool. */
final class LinkerTransformer implements ClassFileTransformer {
  private final boolean verbose;
  private final PooledClasses pooled;

  LinkerTransformer(boolean verbose, PooledClasses pooled) {
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
    if (loader != null || !LinkerMethod.OWNER.equals(className)) {
      return null;
    }
    try {
      return rewrite(classFile);
    } catch (Throwable failure) {
      Console.print(WITHOUT, failure);
      return null;
    }
  }

  private static final String WITHOUT =
      "buffers of native calls can't be pooled on this JDK, which goes on with its own";

  private byte @Nullable [] rewrite(byte[] classFile) throws Exception {
    byte[] rewritten = LinkerMethod.rewrite(classFile);
    if (rewritten == null) {
      say(WITHOUT + ": it has no method as expected");
      return null;
    }
    // Called when the linker is first used, maybe by these very classes: none is initialized here.
    pooled.define();
    say("the linker's buffers for structs by value are pooled");
    return rewritten;
  }

  private void say(String line) {
    if (verbose) {
      Console.print(line);
    }
  }

  /** Has the JVM look at the class again, if it is loaded already. */
  static void retransform(Instrumentation instrumentation) {
    String name = LinkerMethod.OWNER.replace('/', '.');
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      if (loaded.getClassLoader() == null && loaded.getName().equals(name)) {
        LoadedClasses.retransform(instrumentation, loaded);
        return;
      }
    }
  }
}
