package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The number of allocations of a call with a struct by value.
 *
 * <p>A JDK may keep some memory for it; JDK 25 has 256 bytes for a thread. What it does not serve
 * from there shows that the counter counts.
 */
class StructMallocsIT {
  private static final Pattern LINE = Pattern.compile("(.+): (\\d+) / (\\d+)");

  /** The JVM itself allocates now and then, on the thread that is counted. */
  private static final double STRAY = 0.1;

  @Test
  void theJdkAllocatesForLargeAndForDeepCalls() {
    Map<String, Double> perCall = count(LinkerBuffers.THE_JDK);

    assertThat(perCall).hasSize(14);
    for (String thread : new String[] {"platform thread, ", "virtual thread, "}) {
      assertThat(perCall.get(thread + "upcall of 304 bytes")).isGreaterThanOrEqualTo(1);
      assertThat(perCall.get(thread + "chain, 16 deep")).isGreaterThanOrEqualTo(1);
    }
  }

  @Test
  void rockpoolAllocatesForNone() {
    assertThat(count(LinkerBuffers.ROCKPOOL))
        .hasSize(14)
        .allSatisfy(
            (call, mallocs) -> {
              boolean isDeep = call.contains("16 deep"); // more than a thread keeps blocks
              assertThat(mallocs).as(call).isLessThan(isDeep ? 3 * 16 : STRAY);
            });
  }

  /** By thread and kind of call. */
  private static Map<String, Double> count(LinkerBuffers buffers) {
    Map<String, Double> mallocs = new LinkedHashMap<>();
    for (String line :
        buffers.withStructsAndCounter().run("dev.rockpool.structs.Mallocs").quietOutput()) {
      MatchResult found = LINE.matcher(line).results().findFirst().orElseThrow();
      mallocs.put(
          found.group(1), Double.parseDouble(found.group(2)) / Long.parseLong(found.group(3)));
    }
    return mallocs;
  }
}
