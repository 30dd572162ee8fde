package dev.rockpool.bench.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Jvm;
import dev.rockpool.testing.Jvm.Exit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs as users have them measured, but few of them. */
class ProgramsIT {
  @ParameterizedTest
  @CsvSource({
    "Shortest$NoArena, 1",
    "Shortest$OneArena, 1",
    "Binding 3000, 1",
    "Server waiting 40 1 10, 6",
    "Server platform 40 3 10, 6"
  })
  void measuresWithEachAgent(String program, int figures) {
    String home = System.getProperty("rockpool.home");
    Exit exit =
        Jvm.plain()
            .with("-cp", home + "/bench/target/benchmarks.jar")
            .run(Programs.class.getName(), program, "2");

    assertThat(exit.code()).as(exit.errText()).isZero();
    for (String agent : new String[] {"plain", "empty agent", "Rockpool"}) {
      assertThat(exit.outText().lines())
          .anySatisfy(
              line ->
                  assertThat(line)
                      .startsWith(program + " ")
                      .matches(".* " + agent + "( +[0-9.]+){" + figures + "}"));
    }
  }
}
