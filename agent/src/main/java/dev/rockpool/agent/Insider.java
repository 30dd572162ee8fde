package dev.rockpool.agent;

import java.lang.invoke.MethodHandles;

/**
 * The class to which packages of java.base are opened. The agent is in the same module as the
 * program's class path, so a package opened to the agent would be open to the program. Therefore
 * this class is loaded by a class loader of its own, and so is in a module of its own.
 */
public final class Insider {
  private Insider() {}

  /**
   * Returns a lookup from a new module with no other class.
   *
   * @param classFile the class file of this class
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
