package dev.rockpool.agent;

/**
 * A pattern for class names: {@code *} stands for any characters, dots included, {@code ?} for one.
 *
 * @param pattern the user's text, see {@link #isValid}
 */
record Glob(String pattern) {
  /** Whether {@code text} could match any class name: parts of names, dots and wild cards only. */
  static boolean isValid(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Character.isJavaIdentifierPart(c) && ".-*?".indexOf(c) < 0) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  /** Whether {@code name} as a whole matches. */
  boolean matches(String name) {
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
