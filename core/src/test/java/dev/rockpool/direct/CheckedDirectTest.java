package dev.rockpool.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rockpool.child.ChildJvm;
import dev.rockpool.internal.TouchedPages;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With checks, freed direct memory goes back to malloc, so that checkers from outside see it. */
class CheckedDirectTest {
  private static final int[] BYTE_SIZES = {4 << 10, 70_000, 1 << 20};

  @ParameterizedTest
  @CsvSource({"off, 1122672", "on, 0"})
  void freedMemoryIsNotKeptWhereMemoryIsChecked(String check, long kept) throws Exception {
    assumeTrue(
        kept == 0 || TouchedPages.areKnown(),
        "the system does not tell which pages were touched: large blocks are not kept");
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .with("--enable-native-access=ALL-UNNAMED", "-Drockpool.check=" + check)
            .run(Probe.class);
    assertThat(result.value("kept")).isEqualTo("" + kept);
    assertThat(result.err()).isEmpty();
  }

  static final class Probe {
    private Probe() {}

    public static void main(String[] args) {
      DirectMemory memory = DirectMemory.ofLimit(16 << 20);
      memory.keptMemory().tendByHand();
      for (int byteSize : BYTE_SIZES) {
        memory.free(memory.allocate(byteSize));
      }
      System.out.println("kept=" + memory.keptMemory().kept());
    }
  }
}
