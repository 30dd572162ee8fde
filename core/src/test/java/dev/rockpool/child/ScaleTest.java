package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rockpool.child.ChildJvm.Result;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Memory use of virtual threads follows the processors.
 *
 * <p>The program prints figures, by hand of more threads. To read them, after a build, in the
 * project's folder:
 *
 * <pre>
 *   java -XX:NativeMemoryTracking=summary -Xms64m -Xmx64m -XX:+AlwaysPreTouch \
 *     -Djdk.virtualThreadScheduler.parallelism=4 -Djdk.virtualThreadScheduler.maxPoolSize=4 \
 *     -cp core/target/classes:core/target/test-classes dev.rockpool.child.MillionVirtualThreads
 * </pre>
 */
class ScaleTest {
  private static final int CARRIERS = 4;

  /** Blocks that threads share: 16 stripes at least, on small machines. */
  private static final long MOST_SHARED = 1024 * 512;

  /** The JVM's own memory grows, too. */
  private static final long MOST_GROWTH_KIBIBYTES = 48 << 10;

  private static final String OPEN = "--add-opens=java.base/java.lang=ALL-UNNAMED";

  private static ChildJvm jvm(String... options) {
    return ChildJvm.onClassPath()
        .with("--enable-native-access=ALL-UNNAMED", "-XX:NativeMemoryTracking=summary")
        // A heap that is there from the start, so that what else grows is seen.
        .with("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch")
        .with("-Djdk.virtualThreadScheduler.parallelism=" + CARRIERS)
        .with("-Djdk.virtualThreadScheduler.maxPoolSize=" + CARRIERS)
        .with(options);
  }

  private static long number(Result result, String name) {
    return Long.parseLong(result.value(name));
  }

  /** Skips a test on a JVM whose virtual threads are threads of the system, as on s390x. */
  static void assumeCarriers() {
    assumeTrue(
        Thread.ofVirtual()
            .unstarted(() -> {})
            .getClass()
            .getName()
            .equals("java.lang.VirtualThread"),
        "virtual threads have no carriers on this JVM");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void virtualThreadsTakeNoMoreMemoryThanTheirCarriers(boolean open) throws Exception {
    assumeCarriers();
    String[] options = open ? new String[] {OPEN} : new String[0];
    Result result = jvm(options).run(MillionVirtualThreads.class, "60000");

    long bound = number(result, "bound of threads") + number(result, "bytes shared");
    assertThat(number(result, "most bytes kept")).isBetween(1L, bound + MOST_SHARED);
    assertThat(number(result, "many: threads")).isBetween(open ? 1L : 0L, open ? CARRIERS : 0L);
    assertResidentMemoryIsSteady(result);
    assertThat(number(result, "arenas closed")).isEqualTo(3 * 60_000);
    assertThat(number(result, "blocks allocated")).isBetween(1L, 3 * 60_000L - 1);
    assertThat(number(result, "migrated")).isPositive();
  }

  /** Blocks that were lost would add up: ten thousands of arenas get fresh ones. */
  private static void assertResidentMemoryIsSteady(Result result) {
    assertThat(number(result, "many: KiB of regular arenas"))
        .isLessThanOrEqualTo(number(result, "few: KiB of regular arenas") + 1);
    assertThat(number(result, "many: KiB resident"))
        .isLessThan(number(result, "few: KiB resident") + MOST_GROWTH_KIBIBYTES);
  }
}
