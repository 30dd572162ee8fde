package jdk.internal.foreign;

import java.util.function.BiConsumer;
import jdk.internal.access.SharedSecrets;

/**
 * Defines classes in java.base, by name and class file. Faster than a lookup, which parses each
 * class file first, with classes that most programs do not load otherwise.
 *
 * <p>The object can define any class in java.base, so only the agent's transformers hold it.
 */
final class RockpoolDefiner implements BiConsumer<String, byte[]> {
  RockpoolDefiner() {}

  @Override
  public void accept(String name, byte[] classFile) {
    SharedSecrets.getJavaLangAccess()
        .defineClass(null, name.replace('/', '.'), classFile, null, null);
  }
}
