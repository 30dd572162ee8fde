package dev.rockpool.testing;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.constant.ConstantDescs;
import java.util.Map;

/** Loads class files that a test has as bytes; everything else comes from the parent. */
public final class ClassesInMemory extends ClassLoader {
  private final Map<String, byte[]> classes;

  /**
   * Makes a child of the test's loader.
   *
   * @param classes by binary name
   */
  public ClassesInMemory(Map<String, byte[]> classes) {
    this(classes, ClassesInMemory.class.getClassLoader());
  }

  /** Makes a child of any loader. */
  public ClassesInMemory(Map<String, byte[]> classes, ClassLoader parent) {
    super(parent);
    this.classes = classes;
  }

  /** Adds a public constructor without parameters. */
  public static ClassBuilder withConstructor(ClassBuilder made) {
    return made.withMethodBody(
        ConstantDescs.INIT_NAME,
        ConstantDescs.MTD_void,
        ClassFile.ACC_PUBLIC,
        code ->
            code.aload(0)
                .invokespecial(
                    ConstantDescs.CD_Object, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                .return_());
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
