package jdk.internal.foreign;

import java.util.function.BiConsumer;
import jdk.internal.access.SharedSecrets;

/**
 * Defines classes in java.base, by name and class file, as the JVM does: a lookup parses each of
 * them first, with classes that most programs have no other use for.
 *
 * <p>A power, so the one object of this class is held by the agent's transformers alone.
 */
final class RockpoolDefiner implements BiConsumer<String, byte[]> {
  RockpoolDefiner() {}

  @Override
  public void accept(String name, byte[] classFile) {
    SharedSecrets.getJavaLangAccess()
        .defineClass(null, name.replace('/', '.'), classFile, null, null);
  }
}
