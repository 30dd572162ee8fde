package dev.rockpool.agent;

import java.util.Map;

/** Loads class files that a test has as bytes; everything else comes from the parent. */
final class ClassesInMemory extends ClassLoader {
  private final Map<String, byte[]> classes;

  /**
   * Makes a child of the test's loader.
   *
   * @param classes by binary name
   */
  ClassesInMemory(Map<String, byte[]> classes) {
    this(classes, ClassesInMemory.class.getClassLoader());
  }

  ClassesInMemory(Map<String, byte[]> classes, ClassLoader parent) {
    super(parent);
    this.classes = classes;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = classes.get(name);
    if (bytes == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, bytes, 0, bytes.length);
  }
}
