package dev.rockpool.agent;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;

/**
 * Whom java.base is opened to. The agent itself is in one module with the program's class path, so
 * what is opened to it is opened to them; this class is loaded by a class loader of its own, which
 * makes it a module of its own.
 */
public final class Insider {
  private Insider() {}

  /** A lookup from a new module with nothing else in it. */
  static MethodHandles.Lookup alone() throws IOException, ReflectiveOperationException {
    return (MethodHandles.Lookup) new Loader().load().getMethod("lookup").invoke(null);
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

    Class<?> load() throws IOException {
      String name = Insider.class.getName();
      try (InputStream in = Insider.class.getResourceAsStream("Insider.class")) {
        if (in == null) {
          throw new IOException("the agent's jar lacks " + name);
        }
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      }
    }
  }
}
