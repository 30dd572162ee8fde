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

    long shared = number(result, "bound of shared slabs");
    long bound = open ? number(result, "bound of threads") + shared : shared;
    assertThat(number(result, "most bytes held")).isBetween(1L, bound);
    assertThat(number(result, "many: bytes held")).isLessThanOrEqualTo(bound);
    assertThat(number(result, "many: threads")).isBetween(open ? 1L : 0L, open ? CARRIERS : 0L);
    assertThat(number(result, "many: KiB of regular arenas"))
        .isLessThanOrEqualTo(number(result, "few: KiB of regular arenas") + bound / 1024 + 1);
    assertThat(number(result, "arenas closed")).isEqualTo(3 * 250_000);
    assertThat(number(result, "served from slab")).isPositive();
    assertThat(number(result, "migrated")).isPositive();
  }

  @Test
  void threadsThatEndLeaveTheirMemoryToTheNext() throws Exception {
    Result result = jvm().run(ThreadsOneAfterAnother.class, "25000");

    long shared = number(result, "bound of shared slabs");
    assertThat(number(result, "most threads")).isBetween(1L, 2L);
    assertThat(number(result, "most bytes held"))
        .isBetween(1L, number(result, "bound of threads") + shared);
    assertThat(number(result, "many: bytes held")).isLessThanOrEqualTo(shared);
    assertThat(number(result, "many: KiB of regular arenas"))
        .isLessThanOrEqualTo(number(result, "few: KiB of regular arenas") + shared / 1024 + 1);
    assertThat(number(result, "arenas closed")).isEqualTo(3 * 25_000);
    assertThat(number(result, "served from slab")).isEqualTo(3 * 25_000);
  }

  @Test
  void carriersThatEndLeaveTheirMemoryToTheNext() throws Exception {
    Carriers.assumeThatThereAreSome();
    Result result = run(CarriersOneAfterAnother.class, OPEN);

    assertThat(number(result, "most slabs owned")).isEqualTo(2 * 2);
    assertThat(number(result, "most bytes of threads"))
        .isBetween(1L, number(result, "bound of a thread"));
    assertOnlySharedSlabsAreLeft(result);
    assertThat(number(result, "arenas closed")).isEqualTo(6_000);
    assertThat(number(result, "served from slab")).isEqualTo(6_000);
  }

  @Test
  void carriersThatComeAndGoTakeTheMemoryOfThoseAlive() throws Exception {
    Carriers.assumeThatThereAreSome();
    Result result =
        run(CarriersComeAndGo.class, OPEN, "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");

    assertThat(number(result, "carriers")).isGreaterThanOrEqualTo(6 * 8);
    assertThat(number(result, "most bytes of threads"))
        .isBetween(1L, number(result, "bound of threads"));
    assertOnlySharedSlabsAreLeft(result);
  }

  @Test
  void thousandThreadsThatEndGiveTheirMemoryBack() throws Exception {
    Result result = run(ThousandThreadsAtOnce.class);

    long shared = number(result, "bound of shared slabs");
    assertThat(number(result, "before: threads")).isEqualTo(1);
    assertThat(number(result, "meanwhile: threads")).isEqualTo(1001);
    assertThat(number(result, "meanwhile: bytes held")).isLessThanOrEqualTo(1001 * 4096 + shared);
    assertThat(number(result, "after: threads")).isEqualTo(1);
    assertThat(number(result, "after: bytes held"))
        .isBetween(1L, number(result, "bound of a thread") + shared);
    assertThat(number(result, "after: KiB of regular arenas"))
        .isLessThanOrEqualTo(number(result, "before: KiB of regular arenas") + shared / 1024 + 1);
  }

  private static void assertOnlySharedSlabsAreLeft(Result result) {
    assertThat(number(result, "after: threads")).isZero();
    assertThat(number(result, "after: bytes held"))
        .isLessThanOrEqualTo(number(result, "bound of shared slabs"));
  }
}
