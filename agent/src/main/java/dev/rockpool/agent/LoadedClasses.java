package dev.rockpool.agent;

import dev.rockpool.agent.AgentReport.Skip;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

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

  /** Returns the loaded classes of the application that are {@code wanted}. */
  List<Class<?>> matching(Predicate<Class<?>> wanted) {
    List<Class<?>> found = new ArrayList<>();
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      if (CallSiteTransformer.isApplication(loaded.getModule(), loaded.getClassLoader())
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
      if (!accepts(batch)) {
        batch.forEach(this::retransformAlone);
      }
    }
  }

  /** Retransforms the class that declares a method of the JDK, if it is loaded. */
  void retransform(JdkMethod method) {
    String name = method.owner().replace('/', '.');
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      if (loaded.getClassLoader() == null && loaded.getName().equals(name)) {
        retransformAlone(loaded);
        return;
      }
    }
  }

  private boolean accepts(List<Class<?>> batch) {
    try {
      instrumentation.retransformClasses(batch.toArray(new Class<?>[0]));
      return true;
    } catch (Throwable refused) {
      return false;
    }
  }

  private void retransformAlone(Class<?> loaded) {
    try {
      instrumentation.retransformClasses(loaded);
    } catch (Throwable refused) {
      report.skips(internalName(loaded), Skip.REFUSED, refused);
    }
  }
}
