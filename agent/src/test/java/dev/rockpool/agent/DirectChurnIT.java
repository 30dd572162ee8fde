package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many threads under a small limit, which none of them has to notice, with each collector. A second
 * each; {@code -Drockpool.stress.seconds=120} for longer.
 */
class DirectChurnIT {
  private static final int SECONDS = Integer.getInteger("rockpool.stress.seconds", 1);

  @ParameterizedTest
  @ValueSource(strings = {"Serial", "Parallel", "G1", "Z"})
  void nobodyRunsOutAndNoBufferIsAnothersToo(String collector) {
    ChildJvm jvm =
        ChildJvm.withAgent("direct")
            .with("-XX:+Use" + collector + "GC", "-Xmx64m", "-Drockpool.direct.limit=24m")
            .with("--sun-misc-unsafe-memory-access=allow")
            .patientFor(SECONDS);

    ChildJvm.Exit exit =
        ClientPrograms.on(jvm).run(ClientPrograms.named("DirectChurn"), "" + SECONDS);

    assertThat(exit.output()).containsExactly("done");
    assertThat(exit.err()).singleElement().asString().matches("\\d+ buffers");
  }
}
