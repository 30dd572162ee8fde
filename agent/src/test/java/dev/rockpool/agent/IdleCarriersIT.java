package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.LIBRARY_JAR;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The JDK's own carriers end when they have been idle for half a minute. For as long this test
 * waits, so there is one JVM for all pools: with the agent, and with the library beside it.
 */
class IdleCarriersIT {
  private static final int CARRIERS = 6;

  /** The bytes held for a thread's arenas, with padding to a cache line. */
  private static final int ARENAS = 7 * 512 + 48;

  private static final int BUFFERS = 63 * 64 + 48;

  @Test
  void memoryOfEndedCarriersIsFreedOrTakenOver() {
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

    assertThat(stages.subList(0, 3))
        .allSatisfy(
            pool ->
                assertThat(pool)
                    .matches("at work, .*: [2-" + CARRIERS + "] threads, \\d+ bytes, 1 owned"));
    assertThat(stages.subList(3, stages.size()))
        .containsExactly(
            "ended, ARENAS_OF_THE_AGENT: 0 threads, " + ARENAS + " bytes, 1 owned",
            "ended, BUFFERS_OF_THE_LINKER: 0 threads, " + BUFFERS + " bytes, 1 owned",
            "ended, ARENAS_OF_THE_LIBRARY: 0 threads, " + ARENAS + " bytes, 1 owned",
            "adopted, ARENAS_OF_THE_AGENT: 1 threads, " + ARENAS + " bytes, 1 owned",
            "adopted, BUFFERS_OF_THE_LINKER: 1 threads, " + BUFFERS + " bytes, 1 owned",
            "adopted, ARENAS_OF_THE_LIBRARY: 1 threads, " + ARENAS + " bytes, 1 owned",
            "closed, ARENAS_OF_THE_AGENT: 1 threads, " + ARENAS + " bytes, 0 owned",
            "closed, BUFFERS_OF_THE_LINKER: 1 threads, " + BUFFERS + " bytes, 0 owned",
            "closed, ARENAS_OF_THE_LIBRARY: 1 threads, " + ARENAS + " bytes, 0 owned");
  }
}
