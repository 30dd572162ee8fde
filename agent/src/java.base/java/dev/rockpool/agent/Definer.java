package dev.rockpool.agent;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import jdk.internal.misc.Unsafe;

/**
 * Defines classes in java.base, by name and class file, and makes objects of them, by name. Needs
 * neither a lookup, which parses each class file first, nor a method handle: these load classes
 * that most programs do not load otherwise.
 *
 * <p>Not a class of java.base, but the one class of the agent's class loader, {@code
 * AgentInJavaBase}. The program's class path has the agent's jar, so a package exported to the
 * module of that jar would be exported to the program. The object can define any class in
 * java.base, therefore only the class loader gets the object, and only the agent has the class
 * loader.
 */
final class Definer implements BiConsumer<String, byte[]>, Function<String, Object> {
  static {
    handOver(Definer.class.getClassLoader());
  }

  private Definer() {}

  @SuppressWarnings("unchecked") // the agent's class loader is one
  private static void handOver(Object classLoader) {
    ((Consumer<Object>) classLoader).accept(new Definer());
  }

  @Override
  public void accept(String name, byte[] classFile) {
    Unsafe.getUnsafe().defineClass(name, classFile, 0, classFile.length, null, null);
  }

  /** Makes an object without a constructor, of a class that has no state. */
  @Override
  public Object apply(String name) {
    try {
      Class<?> type = Class.forName(name.replace('/', '.'), true, null);
      return Unsafe.getUnsafe().allocateInstance(type);
    } catch (ReflectiveOperationException impossible) {
      throw new LinkageError(name, impossible);
    }
  }
}
