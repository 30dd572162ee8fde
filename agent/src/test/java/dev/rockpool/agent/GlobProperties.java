package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.rewrite.ClassPatterns;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.StringLength;

class GlobProperties {
  @Property(tries = 20_000)
  void matchesWhatTheRegularExpressionMatches(
      @ForAll("patterns") String pattern, @ForAll("names") String name) {
    StringBuilder regex = new StringBuilder();
    for (char c : pattern.toCharArray()) {
      regex.append(
          switch (c) {
            case '*' -> ".*";
            case '?' -> ".";
            default -> Pattern.quote(String.valueOf(c));
          });
    }

    assertThat(ClassPatterns.matches(pattern, name)).isEqualTo(name.matches(regex.toString()));
  }

  @Property
  void aNameMatchesItself(@ForAll @AlphaChars @StringLength(min = 1) String name) {
    assertThat(ClassPatterns.isPattern(name)).isTrue();
    assertThat(ClassPatterns.matches(name, name)).isTrue();
    assertThat(ClassPatterns.matches(name, name + "x")).isFalse();
  }

  /** Few letters, so that patterns nearly match, and often enough do. */
  @Provide
  Arbitrary<String> patterns() {
    return Arbitraries.strings().withChars("ab.**?").ofMinLength(1).ofMaxLength(8);
  }

  @Provide
  Arbitrary<String> names() {
    return Arbitraries.strings().withChars("ab.").ofMinLength(1).ofMaxLength(10);
  }
}
