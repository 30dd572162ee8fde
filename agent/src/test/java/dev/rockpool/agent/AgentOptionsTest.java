package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rockpool.internal.Setting;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** From the text that a user gives to the options in force. */
class AgentOptionsTest {
  private static final String NAMES =
      "arenas, linker, direct, limit, limit.action, limit.wait, limit.exit, limit.process,"
          + " evidence, count, count.log, count.every, sites.skip, record, record.leaks,"
          + " record.stack, record.owners, record.inlining, record.c, record.c.faults, check,"
          + " include, exclude, verbose, uninstall";

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", " ", "\t"})
  void withoutOptionsTheDefaultsHold(String text) {
    AgentOptions options = AgentOptions.parse(text);

    assertThat(options)
        .hasToString("arenas=on,linker=on,direct=off,record=off,check=off,verbose=off");
    assertThat(options.leaksEvery()).isEqualTo(8192);
    assertThat(options.recordStack()).isEqualTo(32);
    assertThat(options.has(Setting.UNINSTALL)).isFalse();
    assertThat(options.covers("any.Class")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "arenas=on, true",
    "arenas=off, false",
    "arenas, true",
    "' arenas = off ', false",
    "'verbose , arenas=off,direct', false",
  })
  void aSwitchIsOnOrOff(String text, boolean on) {
    assertThat(AgentOptions.parse(text).has(Setting.ARENAS)).isEqualTo(on);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "include=a.*                        | true  | false",
        "include=a.*,include=b.*            | true  | true",
        "exclude=a.*                        | false | true",
        "exclude=b.*,include=*              | true  | false",
        "include=a.*,exclude=a.Main         | false | false",
        "include=c.*                        | false | false"
      })
  void classesAreCoveredThatAreIncludedAndNotExcluded(String text, boolean a, boolean b) {
    AgentOptions options = AgentOptions.parse(text);

    assertThat(options.covers("a.Main")).as("a.Main").isEqualTo(a);
    assertThat(options.covers("b.Main")).as("b.Main").isEqualTo(b);
  }

  /** The separators are commas; a property is no option. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "help               | help",
        "' , '              | ''",
        "verbose,,arenas    | ''",
        "=on                | ''",
        "Arenas=on          | Arenas",
        "verbose;arenas=off | verbose;arenas",
        "rockpool.check=on  | rockpool.check"
      })
  void anUnknownOptionIsRefusedWithAllNames(String text, String named) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AgentOptions.parse(text))
        .withMessage("Agent options are " + NAMES + ", separated by commas: \"%s\"", named);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "arenas=              | ARENAS       | ''",
        "arenas=on=off        | ARENAS       | on=off",
        "verbose,direct=ON    | DIRECT       | ON",
        "record.leaks         | RECORD_LEAKS | on",
        "record.leaks=some    | RECORD_LEAKS | some",
        "limit                | LIMIT        | on",
        "limit=on             | LIMIT        | on",
        "limit=0              | LIMIT        | 0",
        "limit=-1             | LIMIT        | -1",
        "limit=0%             | LIMIT        | 0%",
        "limit=101%           | LIMIT        | 101%",
        "limit=%              | LIMIT        | %",
        "limit=50 %%          | LIMIT        | 50 %%",
        "limit=1048577g       | LIMIT        | 1048577g",
        "count=yes            | COUNT        | yes",
        "count.log            | COUNT_LOG    | on",
        "count.every=0s       | COUNT_EVERY  | 0s",
        "count.every=60       | COUNT_EVERY  | 60",
        "count.every=25h      | COUNT_EVERY  | 25h",
        "count.every=-1m      | COUNT_EVERY  | -1m",
        "evidence             | EVIDENCE     | on",
        "limit.action=kill    | LIMIT_ACTION | kill",
        "limit.wait=5         | LIMIT_WAIT   | 5",
        "limit.wait=-1ms      | LIMIT_WAIT   | -1ms",
        "limit.wait=61s       | LIMIT_WAIT   | 61s",
        "limit.wait=ms        | LIMIT_WAIT   | ms",
        "record.stack=65      | RECORD_STACK | 65",
        "record.stack=-1      | RECORD_STACK | -1",
        "record.stack=8f      | RECORD_STACK | 8f",
        "record.owners=Foo    | RECORD_OWNERS | Foo",
        "record.owners=Foo#   | RECORD_OWNERS | Foo#",
        "record.owners=#end   | RECORD_OWNERS | #end",
        "record.owners=A#b+   | RECORD_OWNERS | A#b+",
        "record.owners=A#b()  | RECORD_OWNERS | A#b()",
        "record.owners=a/A#b  | RECORD_OWNERS | a/A#b",
        "record.owners=       | RECORD_OWNERS | ''",
        "record.c=all         | RECORD_C     | all",
        "record.c=-1          | RECORD_C     | -1",
        "record.c=2g          | RECORD_C     | 2g",
        "record.c.faults=64k  | RECORD_C_FAULTS | 64k",
        "include              | INCLUDE      | ''",
        "exclude=com/acme/*   | EXCLUDE      | com/acme/*",
        "include=a.*;b.*      | INCLUDE      | a.*;b.*"
      })
  void aRefusedValueIsNamedWithTheRule(String text, Setting option, String value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AgentOptions.parse(text))
        .withMessage("Agent option %s must be %s: \"%s\"", option.key(), option.accepted(), value);
  }

  @ParameterizedTest
  @CsvSource({"record.c, 65536", "record.c=64k, 65536", "record.c=4096, 4096", "record.c=0, 0"})
  void cCodeIsSampledEachSoManyBytes(String text, long bytes) {
    AgentOptions options = AgentOptions.parse("record," + text);

    assertThat(options.has(Setting.RECORD_C)).isTrue();
    assertThat(options.cInterval()).isEqualTo(bytes);
    assertThat(AgentOptions.parse(options.toString())).isEqualTo(options);
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

  /** Options that have no effect are left out. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "verbose,direct,check,arenas=off  |"
            + " arenas=off,linker=on,direct=on,record=off,check=on,verbose=on",
        "exclude=b,include=a*,exclude=?c |"
            + " arenas=on,linker=on,direct=off,record=off,check=off,"
            + "include=a*,exclude=b,exclude=?c,verbose=off",
        "limit.action=warn,limit=64m |"
            + " arenas=on,linker=on,direct=off,limit=64m,limit.action=warn,limit.wait=500ms,"
            + "record=off,check=off,"
            + "verbose=off",
        "count |" + " arenas=off,linker=off,direct=off,count=on,record=off,check=off,verbose=off",
        "arenas,count,count.log=stderr |"
            + " arenas=on,linker=off,direct=off,count=on,count.log=stderr,count.every=60s,"
            + "record=off,check=off,verbose=off",
        "record.leaks=all,record,record.stack=0 |"
            + " arenas=on,linker=on,direct=off,record=on,record.leaks=all,record.stack=0,"
            + "check=off,verbose=off",
        "record.owners=a.B#c,record,record.owners=*Peer#c+d |"
            + " arenas=on,linker=on,direct=off,record=on,record.leaks=sampled,record.stack=32,"
            + "record.owners=a.B#c,record.owners=*Peer#c+d,check=off,verbose=off",
        "record.inlining,record |"
            + " arenas=on,linker=on,direct=off,record=on,record.leaks=sampled,record.stack=32,"
            + "record.inlining=on,check=off,verbose=off"
      })
  void theTextFormIsWhatTheUserCouldHaveWritten(String text, String expected) {
    AgentOptions options = AgentOptions.parse(text);

    assertThat(options).hasToString(expected);
    assertThat(AgentOptions.parse(expected)).isEqualTo(options);
  }

  @ParameterizedTest
  @CsvSource({"500ms, 500000000", "0, 0", "2s, 2000000000", "60s, 60000000000"})
  void limitWaitIsADuration(String text, long nanos) {
    assertThat(AgentOptions.parse("limit=1m,limit.wait=" + text).limitWaitNanos()).isEqualTo(nanos);
  }

  @ParameterizedTest
  @CsvSource({"1s, 1", "60s, 60", "5m, 300", "24h, 86400"})
  void logIsWrittenOnceInAPeriod(String text, long seconds) {
    assertThat(AgentOptions.parse("count,count.log=stderr,count.every=" + text).countEverySeconds())
        .isEqualTo(seconds);
  }

  @Test
  void logMayBeAFileOfEachProcess(@TempDir Path folder) {
    AgentOptions options = AgentOptions.parse("limit=1g,count.log=%p.json", folder, 42);

    assertThat(options.countLog()).isEqualTo(Path.of("42.json"));
    assertThat(AgentOptions.parse("count,count.log=/no/%h.json").countLog())
        .as("a volume that is not there must not stop the program")
        .isEqualTo(Path.of("/no/" + AgentOptions.host() + ".json"));
    assertThat(options.countEverySeconds()).isEqualTo(60);
    assertThat(AgentOptions.parse("count").limit(() -> 1000)).isEqualTo(MemoryLimit.NONE);
  }

  @ParameterizedTest
  @CsvSource({
    "limit=1, 1",
    "limit=64m, 67108864",
    "limit=1048576g, 1125899906842624",
    "limit=50%, 500",
    "limit=100%, 1000",
    "limit=1%, 10"
  })
  void limitIsANumberOfBytesOrAShareOfTheMemory(String text, long byteSize) {
    assertThat(AgentOptions.parse(text).limit(() -> 1000)).isEqualTo(byteSize);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "limit=1k,direct     | Agent option direct has a limit of its own, rockpool.direct.limit,"
            + " and must not come with limit, which bounds the JDK's buffers: \"limit=1k,direct\"",
        "limit=64m,limit=32m | Agent option limit must be given once: \"limit=64m,limit=32m\"",
        "limit.wait=1s       | Agent option limit.wait must come with limit: \"limit.wait=1s\"",
        "limit=1k,count      | Agent option count must not come with limit, which counts already:"
            + " \"limit=1k,count\"",
        "count,direct        | Agent option direct must not come with count, which counts the JDK's"
            + " buffers: \"count,direct\"",
        "count.log=stderr    | Agent option count.log must come with count or limit:"
            + " \"count.log=stderr\"",
        "count,count.every=1m | Agent option count.every must come with count.log:"
            + " \"count,count.every=1m\"",
        "limit.action=warn   | Agent option limit.action must come with limit:"
            + " \"limit.action=warn\"",
      })
  void optionThatContradictsAnotherIsRefused(String text, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AgentOptions.parse(text))
        .withMessage(message);
  }

  @Test
  void uninstallIsAlone() {
    assertThat(AgentOptions.parse("uninstall").has(Setting.UNINSTALL)).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AgentOptions.parse("uninstall,verbose"))
        .withMessageContaining("alone");
  }

  /** The agent's entry, for Java 8, can't name the table. */
  @Test
  void theEntryReadsTheSettingOfTheTable() {
    assertThat(AgentEntry.PROPERTY).isEqualTo(Setting.AGENT.key());
    assertThat(Setting.AGENT.meaning()).contains(AgentEntry.VARIABLE);
  }
}
