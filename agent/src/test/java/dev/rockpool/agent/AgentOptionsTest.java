package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rockpool.agent.AgentOptions.Option;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of options, and the values that a user's text gives. */
class AgentOptionsTest {
  private static final String GLOB =
      "a class name, * for any characters, ? for one; may be repeated";

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", " ", "\t"})
  void withoutOptionsArenasArePooledSilentlyInAllClasses(String text) {
    AgentOptions options = AgentOptions.parse(text);

    assertThat(options)
        .hasToString("arenas=on,linker=on,direct=off,record=off,check=off,verbose=off");
    assertThat(options.leaksEvery()).isEqualTo(8192);
    assertThat(options.recordStack()).isEqualTo(8);
    assertThat(options.has(Option.UNINSTALL)).isFalse();
    assertThat(options.covers("any.Class")).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "arenas=on             | true",
        "arenas=off            | false",
        "arenas                | true",
        "' arenas = off '      | false",
        "arenas=on,arenas=off  | false",
        "arenas=off,arenas=on  | true",
        "arenas=off,arenas     | true",
        "verbose               | true",
        "include=off           | true"
      })
  void arenas(String text, boolean expected) {
    assertThat(AgentOptions.parse(text).has(Option.ARENAS)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''             | true",
        "linker=on      | true",
        "linker=off     | false",
        "linker         | true",
        "arenas=off     | true",
        "linker=off,linker | true"
      })
  void linker(String text, boolean expected) {
    assertThat(AgentOptions.parse(text).has(Option.LINKER)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                | false",
        "direct=on         | true",
        "direct=off        | false",
        "direct            | true",
        "linker,arenas     | false",
        "direct,direct=off | false",
        "direct=off,direct | true"
      })
  void direct(String text, boolean expected) {
    assertThat(AgentOptions.parse(text).has(Option.DIRECT)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "verbose=on               | true",
        "verbose=off              | false",
        "verbose                  | true",
        "' verbose '              | true",
        "verbose , arenas         | true",
        "verbose=on,verbose=off   | false",
        "arenas=on                | false"
      })
  void verbose(String text, boolean expected) {
    assertThat(AgentOptions.parse(text).has(Option.VERBOSE)).isEqualTo(expected);
  }

  @Test
  void includeAndExcludeAddUp() {
    AgentOptions options =
        AgentOptions.parse("include=a.*,exclude=a.b.*, include = c.D ,exclude=c.?,verbose=off");

    assertThat(options.toString())
        .contains(",include=a.*,include=c.D,exclude=a.b.*,exclude=c.?,verbose=off");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "include=a.*                        | true  | false",
        "include=a.*,include=b.*            | true  | true",
        "exclude=a.*                        | false | true",
        "include=*,exclude=b.*              | true  | false",
        "exclude=b.*,include=*              | true  | false",
        "include=a.*,exclude=a.Main         | false | false",
        "include=a.*,exclude=*.Main         | false | false",
        "include=c.*                        | false | false",
        "exclude=*                          | false | false"
      })
  void classesAreCoveredThatAreIncludedAndNotExcluded(String text, boolean a, boolean b) {
    AgentOptions options = AgentOptions.parse(text);

    assertThat(options.covers("a.Main")).as("a.Main").isEqualTo(a);
    assertThat(options.covers("b.Main")).as("b.Main").isEqualTo(b);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "help                 | help",
        "' , '                | ''",
        "verbose,             | ''",
        "verbose,,arenas      | ''",
        "=on                  | ''",
        "verbose;arenas=off   | verbose;arenas"
      })
  void anUnknownOptionIsRefusedWithAllNames(String text, String named) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AgentOptions.parse(text))
        .withMessage(
            "Agent options are arenas, linker, direct, record, record.leaks, record.stack, check,"
                + " include, exclude, verbose, uninstall, separated by commas: \"%s\"",
            named);
  }

  @ParameterizedTest
  @CsvSource({
    "verbos, verbose",
    "arena=on, arenas",
    "Arenas=on, arenas",
    "VERBOSE, verbose",
    "linkers, linker",
    "lniker=off, linker",
    "exclud=a.*, exclude"
  })
  void aMisspeltOptionIsRefusedWithASuggestion(String text, String suggestion) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AgentOptions.parse(text))
        .withMessageEndingWith("\"; did you mean " + suggestion + "?");
  }

  @Test
  void theFolderAndIdOfAnotherJvmDecideWhereItRecords(@TempDir Path folder) {
    AgentOptions options = AgentOptions.parse("record=%p.jfr", folder, 42);

    assertThat(options.recordFile()).isEqualTo(Path.of("42.jfr"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AgentOptions.parse("record=%p.jfr", folder.resolve("none"), 42))
        .withMessageContaining("a file that can be written: \"%p.jfr\"");
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has no mkfifo")
  void pipeThatNobodyReadsIsNoFileToRecordInto(@TempDir Path folder) throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> AgentOptions.parse("record=" + pipe))
        .withMessageContaining("a file that can be written: \"" + pipe + "\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "arenas=              | arenas  | ''",
        "arenas=yes           | arenas  | yes",
        "arenas=ON            | arenas  | ON",
        "arenas=on=off        | arenas  | on=off",
        "direct=yes           | direct  | yes",
        "direct=              | direct  | ''",
        "verbose=true         | verbose | true",
        "verbose=2            | verbose | 2",
        "verbose,arenas=o n   | arenas  | o n"
      })
  void aSwitchIsOnOrOffAndNothingElse(String text, String option, String value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AgentOptions.parse(text))
        .withMessage("Agent option %s must be on or off: \"%s\"", option, value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "include              | include | ''",
        "include=             | include | ''",
        "exclude=' '          | exclude | ''' '''",
        "exclude=com/acme/*   | exclude | com/acme/*",
        "include=a.*;b.*      | include | a.*;b.*",
        "include=[a]          | include | [a]"
      })
  void aPatternThatCanMatchNothingIsRefused(String text, String option, String value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AgentOptions.parse(text))
        .withMessage("Agent option %s must be %s: \"%s\"", option, GLOB, value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                              |"
            + " arenas=on,linker=on,direct=off,record=off,check=off,verbose=off",
        "verbose                         |"
            + " arenas=on,linker=on,direct=off,record=off,check=off,verbose=on",
        "direct                          |"
            + " arenas=on,linker=on,direct=on,record=off,check=off,verbose=off",
        "check                           |"
            + " arenas=on,linker=on,direct=off,record=off,check=on,verbose=off",
        "arenas=off                      |"
            + " arenas=off,linker=on,direct=off,record=off,check=off,verbose=off",
        "exclude=b,include=a*,exclude=?c |"
            + " arenas=on,linker=on,direct=off,record=off,check=off,"
            + "include=a*,exclude=b,exclude=?c,verbose=off"
      })
  void theTextFormIsWhatTheUserCouldHaveWritten(String text, String expected) {
    AgentOptions options = AgentOptions.parse(text);

    assertThat(options).hasToString(expected);
    assertThat(AgentOptions.parse(expected)).isEqualTo(options);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "record                                 | record=on,record.leaks=sampled,record.stack=8",
        "record,record.leaks=all                | record=on,record.leaks=all,record.stack=8",
        "record.leaks=off,record,record.stack=0 | record=on,record.leaks=off,record.stack=0"
      })
  void howToRecord(String text, String expected) {
    assertThat(AgentOptions.parse(text).toString()).contains("," + expected + ",check=");
  }

  @ParameterizedTest
  @CsvSource({
    "record.leaks, record.leaks, off; sampled or all, on",
    "record.leaks=some, record.leaks, off; sampled or all, some",
    "record.stack=65, record.stack, a number from 0 (off) to 64, 65",
    "record.stack=-1, record.stack, a number from 0 (off) to 64, -1",
    "record.stack=8f, record.stack, a number from 0 (off) to 64, 8f"
  })
  void howToRecordIsRefused(String text, String option, String accepted, String value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AgentOptions.parse(text))
        .withMessage(
            "Agent option %s must be %s: \"%s\"", option, accepted.replace(';', ','), value);
  }

  @Test
  void namesAreListedInTheOrderOfTheTable() {
    assertThat(Option.keys())
        .isEqualTo(
            "arenas, linker, direct, record, record.leaks, record.stack, check, include, exclude,"
                + " verbose, uninstall");
  }

  @ParameterizedTest
  @EnumSource
  void helpTellsNameEffectValuesAndDefault(Option option) {
    String shown = option.defaultValue.isEmpty() ? "none" : option.defaultValue;

    assertThat(Option.help().lines())
        .containsSequence(
            String.format("  %-12s  %s", option.key(), option.effect),
            "                values: " + option.kind.accepted + "; default: " + shown);
  }

  @ParameterizedTest
  @EnumSource
  void theDefaultIsWhatHoldsWhereNothingIsGiven(Option option) {
    AgentOptions absent = AgentOptions.parse(null);

    if (option.defaultValue.isEmpty()) {
      assertThat(option).isEqualTo(Option.EXCLUDE);
      assertThat(absent.toString()).doesNotContain("exclude");
    } else {
      AgentOptions given = AgentOptions.parse(option.key() + "=" + option.defaultValue);
      assertThat(given.has(Option.ARENAS)).isEqualTo(absent.has(Option.ARENAS));
      assertThat(given.has(Option.LINKER)).isEqualTo(absent.has(Option.LINKER));
      assertThat(given.has(Option.DIRECT)).isEqualTo(absent.has(Option.DIRECT));
      assertThat(given.has(Option.VERBOSE)).isEqualTo(absent.has(Option.VERBOSE));
      assertThat(given.covers("any.Class")).isEqualTo(absent.covers("any.Class")).isTrue();
    }
  }

  @Test
  void helpStartsWithHowToPassOptions() {
    assertThat(Option.help().lines())
        .startsWith("-javaagent:rockpool-agent.jar[=option=value,...]")
        .hasSize(1 + 2 * Option.values().length);
  }
}
