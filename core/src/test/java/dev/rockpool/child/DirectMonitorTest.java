package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.child.ChildJvm.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Direct memory as JMX and JDK Flight Recorder see it. */
class DirectMonitorTest {
  @TempDir Path folder;

  @Test
  void poolAndWaitsAreSeen() throws Exception {
    Result result =
        ChildJvm.onClassPath()
            .with("--enable-native-access=ALL-UNNAMED", "-Drockpool.direct.limit=1m")
            .run(DirectMonitorProbe.class, folder.resolve("direct.jfr").toString());
    assertThat(result.value("name")).isEqualTo("rockpool-direct");
    assertThat(result.value("count")).isEqualTo("2");
    assertThat(result.value("capacity")).isEqualTo("524388");
    assertThat(result.value("used")).isEqualTo("524388");

    assertThat(result.value("refused")).isEqualTo("true");
    String refused = "dev.rockpool.DirectMemoryWait false ";
    assertThat(result.value(refused + "bytesAsked")).isEqualTo("524288");
    assertThat(result.value(refused + "bytesReserved")).isEqualTo("524388");
    assertThat(result.value(refused + "limit")).isEqualTo("1048576");
    assertThat(result.value(refused + "took time")).isEqualTo("true");
    assertThat(result.value(refused + "thread")).isEqualTo("main");

    String served = "dev.rockpool.DirectMemoryWait true ";
    assertThat(result.value(served + "bytesReserved")).isEqualTo("1048576");

    String collection = "dev.rockpool.DirectMemoryCollection true ";
    assertThat(result.value(collection + "limit")).isEqualTo("1048576");
    assertThat(result.value(collection + "waiting")).isEqualTo("1");
    assertThat(result.value(collection + "took time")).isEqualTo("true");
    assertThat(result.err()).isEmpty();
  }
}
