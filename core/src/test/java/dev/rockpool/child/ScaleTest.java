package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.child.ChildJvm.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Memory use follows the threads that are alive, and for virtual threads the processors.
 *
 * <p>The programs print figures, by hand of more threads. To read them, after a build, in the
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

  private static Result run(Class<?> program, String... options) throws Exception {
    return jvm(options).run(program);
  }

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

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void virtualThreadsTakeNoMoreMemoryThanTheirCarriers(boolean open) throws Exception {
    Carriers.assumeThatThereAreSome();
    String[] options = open ? new String[] {OPEN} : new String[0];
    Result result = jvm(options).run(MillionVirtualThreads.class, "250000");

    long bound = number(result, "bound of threads") + number(result, "bytes shared");
    assertThat(number(result, "most bytes kept")).isBetween(1L, bound + MOST_SHARED);
    assertThat(number(result, "many: threads")).isBetween(open ? 1L : 0L, open ? CARRIERS : 0L);
    assertResidentMemoryIsSteady(result);
    assertThat(number(result, "arenas closed")).isEqualTo(3 * 250_000);
    assertThat(number(result, "from kept block")).isPositive();
    assertThat(number(result, "migrated")).isPositive();
  }

  @Test
  void threadsThatEndGiveTheirMemoryBack() throws Exception {
    Result result = jvm().run(ThreadsOneAfterAnother.class, "25000");

    assertThat(number(result, "most threads")).isBetween(1L, 5L);
    assertThat(number(result, "most bytes kept")).isBetween(1L, number(result, "bound of threads"));
    assertThat(number(result, "many: bytes kept")).isZero();
    assertResidentMemoryIsSteady(result);
    assertThat(number(result, "arenas closed")).isEqualTo(3 * 25_000);
    assertThat(number(result, "by JDK")).isZero();
  }

  /** Blocks that were lost would add up: some hundred thousand arenas get fresh ones. */
  private static void assertResidentMemoryIsSteady(Result result) {
    assertThat(number(result, "many: KiB of regular arenas"))
        .isLessThanOrEqualTo(number(result, "few: KiB of regular arenas") + 1);
    assertThat(number(result, "many: KiB resident"))
        .isLessThan(number(result, "few: KiB resident") + MOST_GROWTH_KIBIBYTES);
  }

  @Test
  void carriersThatEndGiveTheirMemoryBack() throws Exception {
    Carriers.assumeThatThereAreSome();
    Result result = run(EndedCarriers.class, OPEN);

    assertThat(number(result, "most bytes of threads"))
        .isBetween(1L, number(result, "bound of threads"));
    assertNothingIsLeft(result);
    assertThat(number(result, "arenas closed")).isEqualTo(3 * 1_001);
    assertThat(number(result, "by JDK")).isZero();
  }

  @Test
  void carriersThatComeAndGoTakeTheMemoryOfThoseAlive() throws Exception {
    Carriers.assumeThatThereAreSome();
    Result result =
        run(CarriersComeAndGo.class, OPEN, "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");

    assertThat(number(result, "carriers")).isGreaterThanOrEqualTo(6 * 8);
    assertThat(number(result, "most bytes of threads"))
        .isBetween(1L, number(result, "bound of threads") + MOST_SHARED);
    assertNothingIsLeft(result);
  }

  @Test
  void thousandThreadsThatEndGiveTheirMemoryBack() throws Exception {
    Result result = run(ThousandThreadsAtOnce.class);

    assertThat(number(result, "before: threads")).isEqualTo(1);
    assertThat(number(result, "meanwhile: threads")).isEqualTo(1);
    assertThat(number(result, "after: threads")).isEqualTo(1);
    assertThat(number(result, "after: bytes kept"))
        .isBetween(1L, number(result, "bound of a thread"));
    assertThat(number(result, "after: KiB of regular arenas"))
        .isLessThanOrEqualTo(number(result, "before: KiB of regular arenas") + 1);
  }

  private static void assertNothingIsLeft(Result result) {
    assertThat(number(result, "after: threads")).isZero();
    assertThat(number(result, "after: bytes kept")).isEqualTo(number(result, "bytes shared"));
  }
}
