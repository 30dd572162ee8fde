package dev.rockpool.examples.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.examples.ServerJvm;
import dev.rockpool.testing.Jvm.Exit;
import dev.rockpool.testing.Jvm.Running;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The server under the agent's option {@code direct}, and what Netty takes from where. */
class EchoServerIT {
  private static final String UNSAFE = "--sun-misc-unsafe-memory-access=allow";
  private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";
  private static final String CONSTRUCTOR =
      "--add-opens=java.base/java.nio=ALL-UNNAMED -Dio.netty.tryReflectionSetAccessible=true";

  private static Running start(String allocator, String... options) {
    return new ServerJvm()
        .with(
            "-javaagent:" + ServerJvm.AGENT + "=direct",
            "-Drockpool.direct.limit=64m",
            "-Dio.netty.leakDetection.level=paranoid")
        .with(options)
        .start(EchoServer.class.getName(), allocator);
  }

  /** Waits for Netty, and for the pool to appear. */
  private static void await(Running server, LongPredicate expected) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!expected.test(bytes(server))) {
      assertThat(System.nanoTime()).as("%d bytes", bytes(server)).isLessThan(end);
      Thread.sleep(10);
    }
  }

  private static long bytes(Running server) throws Exception {
    return Long.parseLong(server.ask("?").split(" ")[0]);
  }

  /** The table of the example's README. */
  @ParameterizedTest
  @CsvSource({
    "unpooled, '', true",
    "pooled,   '', false",
    "adaptive, '', false",
    "unpooled, " + UNSAFE + ", true",
    "pooled,   " + UNSAFE + ", true",
    "adaptive, " + UNSAFE + ", true",
    "unpooled, " + NATIVE_ACCESS + ", false",
    "adaptive, " + NATIVE_ACCESS + " " + UNSAFE + ", true",
    "adaptive, " + UNSAFE + " " + CONSTRUCTOR + ", false",
    "adaptive, " + UNSAFE + " " + CONSTRUCTOR + " -Dio.netty.maxDirectMemory=0, true",
    "adaptive, " + UNSAFE + " -Dio.netty.noPreferDirect=true, true"
  })
  void countsBuffers(String allocator, String options, boolean counted) throws Exception {
    String[] each = options.isEmpty() ? new String[0] : options.split(" ");
    try (Running server = start(allocator, each)) {
      int port = Integer.parseInt(server.answer());
      try (EchoClient client = new EchoClient(port);
          EchoClient holding = new EchoClient(port)) {
        assertThat(client.echoes(new Random(42), 100_000)).isTrue();
        holding.begin(1 << 20, 1 << 19);
        assertThat(client.echoes(new Random(43), 100_000)).isTrue();
        if (counted) {
          await(server, bytes -> bytes >= 1 << 19);
        } else {
          Thread.sleep(1500); // The pool appears within a second.
          assertThat(bytes(server)).isLessThan(1000);
        }
      }
      Exit exit = server.end();
      assertThat(exit.code()).as(exit.toString()).isZero();
      assertThat(exit.errText()).doesNotContain("LEAK");
    }
  }

  @Test
  void memoryGoesBackAndTheLimitIsKept() throws Exception {
    try (Running server = start("unpooled", UNSAFE)) {
      int port = Integer.parseInt(server.answer());
      try (EchoClient modest = new EchoClient(port);
          EchoClient greedy = new EchoClient(port)) {
        assertThat(modest.echoes(new Random(42), 1000)).isTrue();
        assertThat(greedy.isRefused(256 << 20)).isTrue();
        assertThat(modest.echoes(new Random(43), 30 << 20)).isTrue();
        assertThat(server.ask("?")).endsWith(" 1");
      }
      await(server, bytes -> bytes < 1000);
      Exit exit = server.end();
      assertThat(exit.code()).as(exit.toString()).isZero();
      assertThat(exit.errText())
          .contains("Connection closed: java.lang.OutOfMemoryError: Direct memory must stay");
    }
  }
}
