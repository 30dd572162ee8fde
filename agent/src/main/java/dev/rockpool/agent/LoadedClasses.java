package dev.rockpool.agent;

import dev.rockpool.agent.AgentReport.Skip;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Has the transformer look at classes again that were loaded before it came, or when it goes. */
final class LoadedClasses {
  /**
   * All threads stand still while the JVM swaps classes, and each time it goes through all that are
   * loaded: some 15 ms with 16,000 of them. A hundred classes at once add a quarter to that, a
   * thousand make it eight times as long.
   */
  private static final int BATCH = 100;

  private final Instrumentation instrumentation;
  private final AgentReport report;

  LoadedClasses(Instrumentation instrumentation, AgentReport report) {
    this.instrumentation = instrumentation;
    this.report = report;
  }

  /** The loaded classes of the application that {@code wanted} holds for. */
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
   * Has the JVM look at them again, many at a time. Where it refuses those, one of them is why, and
   * each goes alone.
   */
  void retransform(List<Class<?>> classes) {
    for (int from = 0; from < classes.size(); from += BATCH) {
      List<Class<?>> batch = classes.subList(from, Math.min(from + BATCH, classes.size()));
      if (!accepts(batch)) {
        batch.forEach(this::retransformAlone);
      }
    }
  }

  /** The same for the class with a method of the JDK, if it is loaded already. */
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
