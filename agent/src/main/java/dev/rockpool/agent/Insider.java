package dev.rockpool.agent;

import java.lang.invoke.MethodHandles;

/**
 * Whom java.base is opened to. The agent itself is in one module with the program's class path, so
 * what is opened to it is opened to them; this class is loaded by a class loader of its own, which
 * makes it a module of its own.
 */
public final class Insider {
  private Insider() {}

  /**
   * A lookup from a new module with nothing else in it.
   *
   * @param classFile of this class
   */
  static MethodHandles.Lookup alone(byte[] classFile) throws ReflectiveOperationException {
    return (MethodHandles.Lookup) new Loader().define(classFile).getMethod("lookup").invoke(null);
  }

  /**
   * Called by {@link #alone} on the class that it loaded.
   *
   * @return a lookup from this class
   */
  public static MethodHandles.Lookup lookup() {
    return MethodHandles.lookup();
  }

  private static final class Loader extends ClassLoader {
    Loader() {
      super(null);
    }

    Class<?> define(byte[] classFile) {
      return defineClass(Insider.class.getName(), classFile, 0, classFile.length);
    }
  }
}
