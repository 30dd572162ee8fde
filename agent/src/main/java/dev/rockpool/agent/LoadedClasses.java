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
          && CallSiteTransformer.isApplication(loaded.getModule(), loaded.getClassLoader())
          && wanted.test(loaded.getName().replace('.', '/'))) {
        found.add(loaded);
      }
    }
    return found;
  }

  /**
   * Those of {@code classes} whose bytes may have something to rewrite. Retransforming makes the
   * JVM parse and link a class again even if nothing changes, so the others are better passed over.
   */
  static List<Class<?>> withCallSites(List<Class<?>> classes, Predicate<byte[]> mayRewrite) {
    List<Class<?>> found = new ArrayList<>();
    for (Class<?> loaded : classes) {
      if (mayHaveCallSites(loaded, mayRewrite)) {
        found.add(loaded);
      }
    }
    return found;
  }

  /** Retransforms them one by one, so that one the JVM refuses does not keep the others from it. */
  void retransform(List<Class<?>> classes) {
    for (Class<?> loaded : classes) {
      retransform(instrumentation, loaded);
    }
  }

  static void retransform(Instrumentation instrumentation, Class<?> loaded) {
    try {
      instrumentation.retransformClasses(loaded);
    } catch (Throwable refused) {
      Console.print("could not rewrite " + loaded.getName() + ", which goes on as it is", refused);
    }
  }

  private static boolean mayHaveCallSites(Class<?> loaded, Predicate<byte[]> mayRewrite) {
    String file = loaded.getName().replace('.', '/') + ".class";
    ClassLoader loader = loaded.getClassLoader();
    try (InputStream in = loader == null ? null : loader.getResourceAsStream(file)) {
      return loader == null
          || in == null
          || mayRewrite.test(in.readAllBytes())
          || mayBeOfParent(loader, file);
    } catch (IOException | RuntimeException unreadable) {
      return true;
    }
  }

  /**
   * Whether what a loader says to be the file of one of its classes may be another class's: loaders
   * that load their own classes first often look for files at their parent's first.
   */
  @SuppressWarnings("ReferenceEquality") // there is one system class loader
  private static boolean mayBeOfParent(ClassLoader loader, String file) {
    ClassLoader parent = loader.getParent();
    return loader != ClassLoader.getSystemClassLoader()
        && parent != null
        && parent.getResource(file) != null;
  }
}
