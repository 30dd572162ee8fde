package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A pipeline of Netty, whose buffers are ours where it asks the JDK for direct buffers. */
class DirectNettyIT {
  /** Has it use {@code Unsafe}, which on new JDKs it leaves alone by itself. */
  private static final String[] UNSAFE = {
    "--sun-misc-unsafe-memory-access=allow", "-Dio.netty.noUnsafe=false"
  };

  /** The outcome without the agent is the same with each allocator: one will do. */
  private static final Map<Boolean, ChildJvm.Exit> WITHOUT = new ConcurrentHashMap<>();

  /** Has it follow each buffer. */
  private static final String LEAKS = "-Dio.netty.leakDetection.level=paranoid";

  /** A buffer of a byte that it keeps itself. */
  private static final long KEPT = 1;

  /**
   * By itself it has the collector free buffers that are not pooled, and arenas of the JDK hold
   * those that are; with {@code Unsafe} it frees both by hand.
   *
   * @param least how many bytes have to be ours while a buffer and the allocator are live
   * @param freed whether all of them are freed by hand
   */
  @ParameterizedTest
  @CsvSource({
    "unpooled, false, 1000,    false",
    "unpooled, true,  1000,    true",
    "pooled,   true,  4000000, false",
    "adaptive, true,  100000,  false"
  })
  void messagesArriveUnchangedAndNoneLeaks(
      String allocator, boolean unsafe, long least, boolean freed) {
    ChildJvm.Exit without =
        WITHOUT.computeIfAbsent(unsafe, also -> run(ChildJvm.plain(), also, allocator, "plain"));
    ChildJvm.Exit with = run(ChildJvm.withAgent("direct"), unsafe, allocator, "direct");

    assertThat(without.output())
        .containsExactly("100 messages, sum 2024031334", "the first one is true 42 true");
    assertThat(with.output()).isEqualTo(without.output());
    assertThat(List.of(without, with))
        .allSatisfy(exit -> assertThat(exit.err()).noneMatch(line -> line.contains("LEAK")));
    assertThat(bytes(with, "live")).isGreaterThanOrEqualTo(least);
    if (freed) {
      assertThat(bytes(with, "left")).isLessThanOrEqualTo(KEPT);
    }
  }

  private static ChildJvm.Exit run(
      ChildJvm jvm, boolean unsafe, String allocator, String expected) {
    return ClientPrograms.on(jvm.with(LEAKS).with(unsafe ? UNSAFE : new String[0]))
        .run(ClientPrograms.named("NettyEcho"), allocator, "100", expected);
  }

  private static long bytes(ChildJvm.Exit exit, String when) {
    String line =
        ClientPrograms.told(exit).filter(each -> each.startsWith(when)).findFirst().orElseThrow();
    return Long.parseLong(line.split(" ")[1]);
  }
}
