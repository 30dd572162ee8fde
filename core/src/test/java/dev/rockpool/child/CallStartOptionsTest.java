package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.child.ChildJvm.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Adapted calls work however the JVM was started. */
class CallStartOptionsTest {
  private static final String GRANTED = "--enable-native-access=ALL-UNNAMED";

  private static Result probe(ChildJvm jvm) throws Exception {
    Result result = jvm.run(CallProbe.class);
    assertThat(result.value("platform")).isEqualTo("-2 -2 -2");
    assertThat(result.value("virtual")).isEqualTo("-2 -2 -2");
    return result;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"-Drockpool.block.size=0", "-Xint", "--add-opens=java.base/java.lang=ALL-UNNAMED"})
  void whereNativeAccessIsGranted(String option) throws Exception {
    Result result = probe(ChildJvm.onClassPath().with(GRANTED, option));

    assertThat(result.value("check")).isEqualTo("ENOENT true");
    assertThat(result.value("link")).isEqualTo("linked");
    assertThat(result.err()).isEmpty();
  }

  /** A handle that the program has linked is adapted; names are known, texts are not. */
  @Test
  void whereItIsDenied() throws Exception {
    Result result = probe(ChildJvm.onClassPath().with("--illegal-native-access=deny"));

    assertThat(result.value("check")).isEqualTo("ENOENT false");
    assertThat(result.value("link")).isEqualTo("denied");
    assertThat(result.notices()).hasSize(1);
  }

  @Test
  void asAModule() throws Exception {
    Result result =
        probe(
            ChildJvm.onModulePath()
                .with("--enable-native-access=dev.rockpool", "--illegal-native-access=deny"));

    assertThat(result.value("check")).isEqualTo("ENOENT true");
    assertThat(result.value("link")).as("of the program").isEqualTo("denied");
    assertThat(result.err()).isEmpty();
  }
}
