package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users of direct buffers take ours under the agent, with the same results. */
class DirectClientsIT {
  @TempDir private Path folder;

  @Test
  void clientsOfTheJdkAndOfNativeCodeSeeNoDifference() throws Exception {
    ChildJvm.Exit without = run(ChildJvm.plain(), "plain");
    ChildJvm.Exit with = run(ChildJvm.withAgent("direct"), "direct");

    assertThat(without.output()).hasSize(17);
    assertThat(ClientPrograms.told(without)).isEmpty();
    assertThat(with.output()).isEqualTo(without.output());
    assertThat(ClientPrograms.told(with))
        .containsExactlyElementsOf(
            List.of(
                "file channel: 5 live, 0 left",
                "asynchronous file channel: 2 live, 0 left",
                "mapped file: 1 live, 0 left",
                "socket channel: 3 live, 0 left",
                "socket channel, virtual threads: 3 live, 0 left",
                "asynchronous socket channel: 2 live, 0 left",
                "datagram channel: 5 live, 0 left",
                "pipe: 2 live, 0 left",
                "deflater and inflater: 3 live, 0 left",
                "gzip: 3 live, 0 left",
                "checksums: 1 live, 0 left",
                "charsets: 1 live, 0 left",
                "views: 2 live, 0 left",
                "slices: 2 live, 0 left",
                "segments: 1 live, 0 left",
                "cleaning: 1 live, 0 left",
                "zstd through JNI: 3 live, 0 left"));
  }

  private ChildJvm.Exit run(ChildJvm jvm, String expected) throws Exception {
    Path files = Files.createDirectory(folder.resolve(expected));
    return ClientPrograms.on(jvm.with("--enable-native-access=ALL-UNNAMED"))
        .run(ClientPrograms.named("Clients"), files.toString(), expected);
  }
}
