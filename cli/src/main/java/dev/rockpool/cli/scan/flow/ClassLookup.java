package dev.rockpool.cli.scan.flow;

import org.jspecify.annotations.Nullable;

/** Finds other classes of the artifact in which a class was found. */
@FunctionalInterface
public interface ClassLookup {
  /**
   * The class file of the class with that internal name, such as {@code com/acme/Point}, or null if
   * there is none.
   */
  byte @Nullable [] find(String internalName);
}
