package dev.rockpool.malloc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.malloc.Origin.Category;
import org.junit.jupiter.api.Test;

/** Which page faults are those of C code. */
class PageFaultsTest {
  private final PageFaults faults = new PageFaults(_ -> false, 4096, 16);

  @Test
  void samplesOfALineAddUpAndThoseOfTheHeapAndTheJvmAreLeftOut() {
    faults.add(new Origin(Category.C, "com.acme.Store.a:1", "libduckdb.so", "x"));
    faults.add(new Origin(Category.C, "com.acme.Store.a:1", "libduckdb.so", "y"));
    faults.add(new Origin(Category.C, "com.acme.Store.heap:2", "", ""));
    faults.add(new Origin(Category.JVM, "(the JVM)", "", ""));

    assertThat(faults.lines())
        .containsExactly(
            new Origin.Sum(
                new Origin(Category.C, "com.acme.Store.a:1", "libduckdb.so", ""),
                2 * 16 * 4096,
                2 * 16));
  }
}
