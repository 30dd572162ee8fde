package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.record.TallyProbe;
import org.junit.jupiter.api.Test;

/** The heap may end at any allocation of the housekeeper, or where arenas are counted. */
class HeapEndTest {
  @Test
  void eachAllocationFailsInTurn() throws Exception {
    ChildJvm.Result result = HeapEnd.jvm().run(ThreeAllocations.class);
    assertThat(result.value("got as far as 0")).isEqualTo("2"); // no heap, or 16 bytes
    assertThat(result.value("got as far as 1")).isEqualTo("7"); // less than the array takes
    assertThat(result.value("got as far as 2")).isEqualTo("1");
    assertThat(result.value("failures")).isEqualTo("10");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void countsAreSoundWhereverTheHeapEnds() throws Exception {
    ChildJvm.Result result = HeapEnd.jvm().run(TallyProbe.class, "heap");
    assertThat(failures(result, "opening")).isPositive();
    assertThat(failures(result, "first")).isPositive();
    assertThat(failures(result, "kept")).isPositive();
    assertThat(failures(result, "read")).isPositive();
    assertThat(result.err()).isEmpty();
  }

  private static int failures(ChildJvm.Result result, String attempt) {
    return Integer.parseInt(result.value(attempt));
  }

  @Test
  void housekeeperGoesOnWithoutHeap() throws Exception {
    ChildJvm.Result result = HeapEnd.jvm().run(HousekeeperProbe.class);
    assertThat(result.value("added")).isEqualTo("true");
    assertThat(result.value("started")).as("without heap for a thread").isEqualTo("false");
    assertThat(result.value("started by a slow path")).isEqualTo("true");
    assertThat(result.value("goes on")).isEqualTo("true");
    assertThat(result.value("goes on with heap")).isEqualTo("true");
  }

  /** An object of 24 bytes, of 112, and of 16. */
  static final class ThreeAllocations implements HeapEnd.Attempt {
    private final int[] gotAsFarAs = new int[4];
    private final Object[] made = new Object[3];

    @Override
    public void prepare() {
      for (int i = 0; i < made.length; i++) {
        made[i] = null;
      }
    }

    @Override
    public boolean run() {
      int done = 0;
      try {
        made[0] = new long[1];
        done = 1;
        made[1] = new byte[96];
        done = 2;
        made[2] = new byte[0];
        done = 3;
      } finally {
        gotAsFarAs[done]++;
      }
      return true;
    }

    public static void main(String[] args) throws Throwable {
      ThreeAllocations attempt = new ThreeAllocations();
      int failures = HeapEnd.reach(attempt);
      for (int i = 0; i < 3; i++) {
        System.out.println("got as far as " + i + "=" + attempt.gotAsFarAs[i]);
      }
      System.out.println("failures=" + failures);
    }
  }
}
