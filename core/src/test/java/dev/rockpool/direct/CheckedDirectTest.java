package dev.rockpool.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.child.ChildJvm;
import org.junit.jupiter.api.Test;

/** With checks, freed direct memory goes back to malloc, so that checkers from outside see it. */
class CheckedDirectTest {
  @Test
  void freedMemoryIsNotKeptWhereMemoryIsChecked() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .with("--enable-native-access=ALL-UNNAMED", "-Drockpool.check=on")
            .run(Probe.class);
    assertThat(result.value("kept")).isEqualTo("0");
    assertThat(result.err()).isEmpty();
  }

  static final class Probe {
    private Probe() {}

    public static void main(String[] args) {
      DirectMemory memory = DirectMemory.ofLimit(16 << 20);
      memory.keptMemory().isTended = true;
      for (int byteSize : new int[] {4 << 10, 70_000, 1 << 20}) {
        memory.free(memory.allocate(byteSize));
      }
      System.out.println("kept=" + memory.keptMemory().kept);
    }
  }
}
