package dev.rockpool.agent;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Has the transformer look at classes again that were loaded before it came, or is about to go. */
final class LoadedClasses {
  private final Instrumentation instrumentation;

  LoadedClasses(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /** The loaded classes of the application that {@code wanted} holds for, by internal name. */
  List<Class<?>> matching(Predicate<String> wanted) {
    List<Class<?>> found = new ArrayList<>();
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      if (instrumentation.isModifiableClass(loaded)
          && ArenaTransformer.isApplication(loaded.getModule(), loaded.getClassLoader())
          && wanted.test(loaded.getName().replace('.', '/'))) {
        found.add(loaded);
      }
    }
    return found;
  }

  /**
   * Retransforms them one by one, so that one the JVM refuses does not keep the others from it.
   *
   * <p>Retransforming makes the JVM parse and link a class again even if nothing changes, so those
   * that can be seen not to mention {@code ofConfined} are passed over.
   */
  void retransform(List<Class<?>> classes) {
    for (Class<?> loaded : classes) {
      try {
        if (mayHaveCallSites(loaded)) {
          instrumentation.retransformClasses(loaded);
        }
      } catch (Throwable refused) {
        Console.print(
            "could not rewrite " + loaded.getName() + ", which goes on as it is", refused);
      }
    }
  }

  private static boolean mayHaveCallSites(Class<?> loaded) {
    String file = loaded.getName().replace('.', '/') + ".class";
    ClassLoader loader = loaded.getClassLoader();
    try (InputStream in = loader == null ? null : loader.getResourceAsStream(file)) {
      return in == null || ArenaCallSites.mayBeIn(in.readAllBytes());
    } catch (IOException unreadable) {
      return true;
    }
  }
}
