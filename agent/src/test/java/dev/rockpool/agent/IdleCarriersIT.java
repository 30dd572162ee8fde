package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.LIBRARY_JAR;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The JDK's own carriers end when they have been idle for half a minute. For as long this test
 * waits, so there is one JVM for both pools: with the agent, and with the library beside it.
 */
class IdleCarriersIT {
  private static final int CARRIERS = 6;

  @Test
  void memoryOfEndedCarriersIsFreed() {
    List<String> stages =
        ChildJvm.withAgent()
            .with("-Djdk.virtualThreadScheduler.parallelism=" + CARRIERS)
            .with("-Djdk.virtualThreadScheduler.maxPoolSize=" + CARRIERS)
            .with("--enable-native-access=ALL-UNNAMED")
            .with("--add-opens=java.base/java.lang=ALL-UNNAMED")
            .with("--add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED")
            .classPath(ClientPrograms.location(IdleCarriersIT.class), LIBRARY_JAR)
            .patientFor(60)
            .run("dev.rockpool.carriers.IdleCarriers")
            .quietOutput();

    assertThat(stages.subList(0, 2))
        .allSatisfy(pool -> assertThat(pool).matches("at work, .*: [2-" + CARRIERS + "] threads"));
    assertThat(stages.subList(2, 4))
        .containsExactly("ended, OF_THE_AGENT: 0 threads", "ended, OF_THE_LIBRARY: 0 threads");
    assertThat(stages.subList(4, stages.size()))
        .hasSize(2)
        .allSatisfy(pool -> assertThat(pool).matches("closed, .*: [1-" + CARRIERS + "] threads"));
  }
}
