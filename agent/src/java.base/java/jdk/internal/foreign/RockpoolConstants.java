package jdk.internal.foreign;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import jdk.internal.access.SharedSecrets;
import jdk.internal.reflect.ConstantPool;

/**
 * Reads the texts in the constant pool of a loaded class. The JVM has them, so no class loader is
 * asked for the class file, which may block, fail, or return that of another loader's class.
 */
final class RockpoolConstants implements Function<Class<?>, Set<String>> {
  @Override
  public Set<String> apply(Class<?> loaded) {
    ConstantPool pool = SharedSecrets.getJavaLangAccess().getConstantPool(loaded);
    Set<String> texts = new HashSet<>();
    for (int at = 1; at < pool.getSize(); at++) {
      if (pool.getTagAt(at) == ConstantPool.Tag.UTF8) {
        texts.add(pool.getUTF8At(at));
      }
    }
    return texts;
  }
}
