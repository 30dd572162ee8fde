package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.agent.AgentOptions.Glob;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GlobTest {
  @ParameterizedTest
  @CsvSource({
    "com.acme.Main,    com.acme.Main",
    "*,                com.acme.Main",
    "**,               com.acme.Main",
    "com.*,            com.acme.Main",
    "com.acme.*,       com.acme.Main",
    "com.acme.*,       com.acme.deep.er.Main",
    "com.acme.*,       com.acme.Main$Inner",
    "*.Main,           com.acme.Main",
    "*Main,            com.acme.Main",
    "*Main*,           com.acme.Main",
    "com.acme.Main*,   com.acme.Main",
    "com.acme.Main*,   com.acme.Main$1",
    "com.????.Main,    com.acme.Main",
    "?om.acme.Mai?,    com.acme.Main",
    "com?acme?Main,    com.acme.Main",
    "*?,               com.acme.Main",
    "*a*a*,            com.acme.Main",
    "*.ac*.*in,        com.acme.ac.MaMain",
    "*ab,              abaab",
    "a*b*c,            axbxbcxc",
  })
  void matches(String pattern, String name) {
    assertThat(new Glob(pattern).matches(name)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "com.acme.Main,    com.acme.Main2",
    "com.acme.Main,    com.acme.Mai",
    "com.acme.Main,    xcom.acme.Main",
    "com.acme.main,    com.acme.Main",
    "com.acme,         com.acme.Main",
    "com.acme.*,       com.acme",
    "com.acme.*,       com.acmeMain",
    "*.Main,           Main",
    "*Main,            com.acme.Main$1",
    "com.???.Main,     com.acme.Main",
    "com.acme.Main?,   com.acme.Main",
    "?,                ab",
    "*a*a*a*,          com.acme.Man",
    "a*b*c,            axcxb",
    "*ab,              abaaba",
  })
  void doesNotMatch(String pattern, String name) {
    assertThat(new Glob(pattern).matches(name)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*",
        "?",
        "a",
        "com.acme.*",
        "com.acme.Main$Inner",
        "über.Größe",
        "a_b",
        "package-info",
        "漢"
      })
  void acceptsWhatCanStandInAClassName(String pattern) {
    assertThat(Glob.isValid(pattern)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "com/acme/Main", "a b", "a;b", "[a]", "a,b", "a=b", "a:b", "{a}"})
  void refusesWhatMatchesNoClassName(String pattern) {
    assertThat(Glob.isValid(pattern)).isFalse();
  }
}
