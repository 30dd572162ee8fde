package dev.rockpool.rewrite;

import java.util.List;

/**
 * The user's choice of classes, by patterns for their names: {@code *} stands for any characters,
 * dots included, {@code ?} for one.
 *
 * @param include patterns of which a name must match one; empty for any
 * @param exclude patterns of which a name must match none
 */
public record ClassPatterns(List<String> include, List<String> exclude) {
  /** Whether a pattern could match any class: parts of names, dots and wild cards only. */
  public static boolean isPattern(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Character.isJavaIdentifierPart(c) && ".-*?".indexOf(c) < 0) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  /** Whether a class is chosen, by its binary name, with dots. */
  public boolean covers(String className) {
    return (include.isEmpty() || anyMatches(include, className)) && !anyMatches(exclude, className);
  }

  private static boolean anyMatches(List<String> patterns, String name) {
    for (String pattern : patterns) { // a lambda slows startup
      if (matches(pattern, name)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a name as a whole matches a pattern. */
  public static boolean matches(String pattern, String name) {
    int at = 0;
    int in = 0;
    int star = -1; // the last * seen, and where in name it began to match
    int starIn = 0;
    while (in < name.length()) {
      char wanted = at < pattern.length() ? pattern.charAt(at) : 0;
      if (wanted == '*') {
        star = at++;
        starIn = in;
      } else if (wanted == '?' || wanted == name.charAt(in)) {
        at++;
        in++;
      } else if (star >= 0) {
        at = star + 1;
        in = ++starIn;
      } else {
        return false;
      }
    }
    while (at < pattern.length() && pattern.charAt(at) == '*') {
      at++;
    }
    return at == pattern.length();
  }
}
