package dev.rockpool.agent;

import dev.rockpool.internal.Notices;
import dev.rockpool.rewrite.ClassPatterns;
import dev.rockpool.rewrite.OwnerClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which classes have objects that own C memory, as option {@code record.owners} says. A class that
 * the user names is as the user says; then come the known ones, then those that look alike.
 */
final class OwnerRules {
  /** The class with our methods, which the program's classes call, in internal form. */
  static final String TARGET = "java/lang/foreign/RockpoolOwner";

  /** A pattern for names of classes, and the names of their closing methods. */
  private record Named(String pattern, OwnerClass owner) {}

  private final List<Named> named = new ArrayList<>();
  private final boolean known;
  private final boolean alike;

  /** The classes of which it was printed that they lack a closing method. */
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  OwnerRules(AgentOptions options) {
    known = options.countsKnownOwners();
    alike = options.guessesOwners();
    for (String each : options.recordOwners()) {
      int hash = each.indexOf('#');
      if (hash >= 0) {
        List<String> closing = List.of(each.substring(hash + 1).split("\\+", -1));
        named.add(new Named(each.substring(0, hash), OwnerClass.named(closing)));
      }
    }
  }

  /** Whether a loaded class with these constants may be one. */
  boolean wants(String className, Set<String> texts) {
    return named(className) != null
        || (known && OwnerClass.known(className) != null)
        || (alike && OwnerClass.mayHaveShape(texts));
  }

  private @Nullable OwnerClass named(String className) {
    if (named.isEmpty()) {
      return null;
    }
    String name = className.replace('/', '.');
    for (Named each : named) {
      if (ClassPatterns.matches(each.pattern(), name)) {
        return each.owner();
      }
    }
    return null;
  }

  /**
   * Returns how the class has its objects counted, or null if they are not.
   *
   * @throws RuntimeException if {@code classFile} is no class file
   */
  @Nullable OwnerClass of(String className, byte[] classFile) {
    OwnerClass byUser = named(className);
    OwnerClass owner = byUser;
    if (owner == null && known) {
      owner = OwnerClass.known(className);
    }
    if (owner == null && alike) {
      owner = OwnerClass.ofShape(classFile);
    }
    if (owner == null || owner.closesIn(classFile)) { // else none would ever be closed
      return owner;
    }
    if (byUser != null && told.add(className)) {
      Notices.print(
          className.replace('/', '.')
              + " has no method "
              + String.join(" or ", owner.closing())
              + ", which option record.owners names, so its objects are not counted");
    }
    return null;
  }
}
