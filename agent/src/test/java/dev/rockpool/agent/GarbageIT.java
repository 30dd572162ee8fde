package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * C2 removes arenas from the heap, even some calls below the loop that opens them: at least as many
 * calls as the JDK's own.
 */
@Tag("jdk")
class GarbageIT {
  /**
   * Prints the bytes of garbage of each arena, in the last round: the first one without, as soon as
   * C2 has got that far, on a busy machine as well.
   */
  private static final String PROGRAM =
      """
      import module java.management;
      import com.sun.management.ThreadMXBean;

      static final int ARENAS = 200_000;
      static final ThreadMXBean HEAP = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      static long sum;

      static void main(String[] args) {
        long bytes = 1;
        for (int round = 0; round < 1000 && bytes > 0; round++) {
          long before = HEAP.getCurrentThreadAllocatedBytes();
          switch (args[0]) {
            case "bytes" -> bytes();
            case "text" -> text();
            case "array" -> array();
            default -> number();
          }
          bytes = (HEAP.getCurrentThreadAllocatedBytes() - before) / ARENAS;
        }
        System.out.println(bytes);
      }

      static void bytes() { for (int i = 0; i < ARENAS; i++) { sum += bytes6(); } }
      static long bytes6() { return bytes5(); }
      static long bytes5() { return bytes4(); }
      static long bytes4() { return bytes3(); }
      static long bytes3() { return bytes2(); }
      static long bytes2() { return bytes1(); }
      static long bytes1() { return bytes0(); }
      static long bytes0() { return openForBytes(); }
      static long openForBytes() {
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment segment = arena.allocate(20);
          segment.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
          return segment.get(ValueLayout.JAVA_BYTE, 0);
        }
      }

      static void text() { for (int i = 0; i < ARENAS; i++) { sum += text4(); } }
      static long text4() { return text3(); }
      static long text3() { return text2(); }
      static long text2() { return text1(); }
      static long text1() { return text0(); }
      static long text0() { return openForText(); }
      static long openForText() {
        try (Arena arena = Arena.ofConfined()) {
          return arena.allocateFrom("hello").get(ValueLayout.JAVA_BYTE, 0);
        }
      }

      static void array() { for (int i = 0; i < ARENAS; i++) { sum += array4(); } }
      static long array4() { return array3(); }
      static long array3() { return array2(); }
      static long array2() { return array1(); }
      static long array1() { return array0(); }
      static long array0() { return openForArray(); }
      static long openForArray() {
        try (Arena arena = Arena.ofConfined()) {
          return arena.allocate(ValueLayout.JAVA_INT, 5).get(ValueLayout.JAVA_INT, 0);
        }
      }

      static void number() { for (int i = 0; i < ARENAS; i++) { sum += number6(i); } }
      static long number6(int i) { return number5(i); }
      static long number5(int i) { return number4(i); }
      static long number4(int i) { return number3(i); }
      static long number3(int i) { return number2(i); }
      static long number2(int i) { return number1(i); }
      static long number1(int i) { return number0(i); }
      static long number0(int i) { return openForNumber(i); }
      static long openForNumber(int i) {
        try (Arena arena = Arena.ofConfined()) {
          return arena.allocateFrom(ValueLayout.JAVA_INT, i).get(ValueLayout.JAVA_INT, 0);
        }
      }
      """;

  @ParameterizedTest
  @ValueSource(strings = {"bytes", "text", "array", "number"})
  void isNoneWithArenas(String use) {
    assertThat(
            ChildJvm.plain()
                .startingAfter("")
                .with("-javaagent:" + ChildJvm.AGENT_JAR)
                .program(PROGRAM)
                .lines(use))
        .containsExactly("0");
  }
}
