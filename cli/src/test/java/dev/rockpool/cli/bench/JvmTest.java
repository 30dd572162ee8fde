package dev.rockpool.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JvmTest {
  private static final Path HOME = Path.of("/jdk");

  private static Jvm jvm(String specification, String runtime) {
    return Jvm.of(
        HOME,
        Map.of(
            "java.specification.version",
            specification,
            "java.runtime.version",
            runtime,
            "java.vendor",
            "Acme",
            "java.vm.name",
            "VM"));
  }

  @Test
  void isAskedWhoItIs() {
    Jvm jvm = Jvm.at(Path.of(System.getProperty("java.home")));

    assertThat(jvm.vendor()).isEqualTo(System.getProperty("java.vendor"));
    assertThat(jvm.vm()).isEqualTo(System.getProperty("java.vm.name"));
    assertThat(jvm.label()).isEqualTo("JDK " + System.getProperty("java.runtime.version"));
  }

  @Test
  void folderWithoutJavaIsNotAJdk(@TempDir Path folder) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Jvm.at(folder))
        .withMessageMatching(".* is not a JDK: there is no bin[/\\\\]java(\\.exe)? in it");
  }

  @ParameterizedTest
  @CsvSource({"24, 24.0.2+12", "17, 17.0.15+6", "1.8, 1.8.0_452-b09"})
  void olderOnesAreRefused(String specification, String version) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> jvm(specification, version))
        .withMessage("The benchmarks need JDK 25 or newer: " + HOME + " is " + version);
  }

  @Test
  void whatDoesNotSayItsVersionIsNotAJdk() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Jvm.of(HOME, Map.of()))
        .withMessage(HOME + " is not a JDK: its java does not say which version it is");
  }

  @Test
  void labelsAreMadeToDiffer() {
    Jvm one = jvm("25", "25.0.3+9");
    Jvm two = new Jvm(Path.of("/two"), one.label(), "Acme", "VM");
    Jvm three = new Jvm(Path.of("/three"), one.label(), "Acme", "VM");

    List<Jvm> distinct = Jvm.distinct(List.of(one, two, one, three));

    assertThat(distinct)
        .extracting(Jvm::label)
        .containsExactly("JDK 25.0.3+9", "JDK 25.0.3+9 Acme", "JDK 25.0.3+9 Acme 2");
    assertThat(distinct)
        .extracting(Jvm::fileName)
        .containsExactly("jdk-25.0.3+9", "jdk-25.0.3+9-acme", "jdk-25.0.3+9-acme-2");
  }
}
