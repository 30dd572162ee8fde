package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose pool serves confined arenas, and how large the JDK's is. */
class JdkPoolTest {
  @ParameterizedTest
  @CsvSource({
    "25, '', false, false",
    "27, '', false, false",
    "28, '', false, true",
    "29, '', false, true",
    "28, record=on, false, true",
    "28, direct, false, true",
    "28, '', true, false",
    "28, arenas=off, false, false"
  })
  void theJdksServesFromJdk28OnUnlessArenasAreChecked(
      int release, String options, boolean check, boolean serves) {
    assertThat(JdkPool.serves(release, AgentOptions.parse(options), check)).isEqualTo(serves);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "-  | - | false | " + JdkPool.OURS,
        "-  | - | true  | " + JdkPool.EARLIER,
        "9  | 3 | true  | " + JdkPool.OURS,
        "9  | - | false | " + JdkPool.USERS,
        "-  | 0 | false | " + JdkPool.USERS,
        "10 | 3 | true  | " + JdkPool.USERS
      })
  void itsSizeIsTheUsersThenThatOfAnEarlierUseThenOurs(
      @Nullable String size, @Nullable String count, boolean isUsed, String expected) {
    assertThat(JdkPool.size(size, count, isUsed)).isEqualTo(expected);
  }
}
