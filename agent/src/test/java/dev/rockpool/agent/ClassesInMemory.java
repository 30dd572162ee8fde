package dev.rockpool.agent;

import java.util.Map;

/** Loads class files that a test has as bytes; everything else comes from the test's loader. */
final class ClassesInMemory extends ClassLoader {
  private final Map<String, byte[]> classes;

  /**
   * @param classes by binary name
   */
  ClassesInMemory(Map<String, byte[]> classes) {
    super(ClassesInMemory.class.getClassLoader());
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
