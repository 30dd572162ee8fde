package dev.rockpool.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassPatternsTest {
  @ParameterizedTest
  @CsvSource({
    "com.acme.Main, com.acme.Main, true",
    "com.acme.Main, com.acme.Main2, false",
    "com.acme.*, com.acme.sub.Main, true",
    "com.acme.*, com.acmex.Main, false",
    "*Main, com.acme.Main, true",
    "*Main, com.acme.Mains, false",
    "*a*b, xaxaxb, true",
    "*a*b, xbxa, false",
    "a?c, abc, true",
    "a?c, ac, false",
    "a**, a, true",
    "com.acme, com/acme, false"
  })
  void aPatternMatchesWholeNames(String pattern, String name, boolean expected) {
    assertThat(new ClassPatterns(List.of(pattern), List.of()).covers(name)).isEqualTo(expected);
    assertThat(new ClassPatterns(List.of(), List.of(pattern)).covers(name)).isEqualTo(!expected);
  }

  @Test
  void whatIsExcludedIsNotCoveredEvenIfIncluded() {
    ClassPatterns patterns = new ClassPatterns(List.of("a.*", "b.*"), List.of("*.Odd"));

    assertThat(patterns.covers("b.Even")).isTrue();
    assertThat(patterns.covers("b.Odd")).isFalse();
    assertThat(patterns.covers("c.Even")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"com.acme.Main$1, true", "*-?, true", "a/b, false", "'a b', false", "'', false"})
  void aPatternCouldMatchAClass(String text, boolean expected) {
    assertThat(ClassPatterns.isPattern(text)).isEqualTo(expected);
  }
}
