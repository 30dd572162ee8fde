package dev.rockpool.agent;

import dev.rockpool.rewrite.Skip;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Retransforms loaded classes, when the agent is installed or uninstalled. */
final class LoadedClasses {
  /**
   * Classes to retransform at once. The JVM swaps classes in a safepoint, in which it goes through
   * all loaded classes: some 15 ms for 16,000. A hundred classes at once take a quarter more; a
   * thousand take eight times as long.
   */
  private static final int BATCH = 100;

  private final Instrumentation instrumentation;
  private final AgentReport report;

  LoadedClasses(Instrumentation instrumentation, AgentReport report) {
    this.instrumentation = instrumentation;
    this.report = report;
  }

  List<Class<?>> matching(Predicate<Class<?>> wanted) {
    List<Class<?>> found = new ArrayList<>();
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      if (AgentTransformer.isApplication(loaded.getModule(), loaded.getClassLoader())
          && instrumentation.isModifiableClass(loaded)
          && wanted.test(loaded)) {
        found.add(loaded);
      }
    }
    return found;
  }

  static String internalName(Class<?> loaded) {
    return loaded.getName().replace('.', '/');
  }

  /**
   * Retransforms classes, many at once. If the JVM refuses a batch for the sake of one class,
   * retransforms each alone.
   */
  void retransform(List<Class<?>> classes) {
    for (int from = 0; from < classes.size(); from += BATCH) {
      List<Class<?>> batch = classes.subList(from, Math.min(from + BATCH, classes.size()));
      if (refusal(batch) != null) {
        for (Class<?> each : batch) {
          retransformAlone(each);
        }
      }
    }
  }

  void retransform(JdkMethod method) {
    Class<?> loaded = ofJdk(instrumentation, method.owner.replace('/', '.'));
    if (loaded != null) {
      retransformAlone(loaded);
    }
  }

  private void retransformAlone(Class<?> loaded) {
    Throwable refusal = refusal(List.of(loaded));
    if (refusal != null) {
      report.addSkipped(internalName(loaded), Skip.REFUSED, refusal);
    }
  }

  /** Retransforms classes; returns what the JVM throws if it refuses, or null. */
  private @Nullable Throwable refusal(List<Class<?>> classes) {
    try {
      instrumentation.retransformClasses(classes.toArray(new Class<?>[0]));
      return null;
    } catch (UnmodifiableClassException | RuntimeException | LinkageError | InternalError refusal) {
      return refusal; // InternalError: what the JVM throws for a class file that it can't merge
    }
  }

  /** Returns the class of the JDK of that binary name, or null if it is not loaded. */
  static @Nullable Class<?> ofJdk(Instrumentation instrumentation, String name) {
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      if (loaded.getClassLoader() == null && loaded.getName().equals(name)) {
        return loaded;
      }
    }
    return null;
  }
}
