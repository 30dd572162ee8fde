package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The look for a name that spares most classes from being read at all. */
class CallSitesQuickLookTest {
  /** Magic number, versions and length of the constant pool: where no name can be. */
  private static final String HEADER = "\u00ca\u00fe\u00ba\u00be\0\0\0\u0045\0\u0010";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ofConfined",
        "ofConfined and more",
        "\1\0\12ofConfined",
        "ofofConfined",
        "oofConfined",
        "ofCofConfined",
        "ofConfineofConfined",
        "xofConfinedx"
      })
  void findsTheNameWhereverItStands(String content) {
    assertThat(mayBeIn(HEADER + content)).isTrue();
    assertThat(mayBeIn(HEADER + "\0".repeat(1000) + content)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "o",
        "of",
        "ofC",
        "ofConfine",
        "fConfined",
        "ofconfined",
        "ofC onfined",
        "xfC"
      })
  void findsNothingButTheName(String content) {
    assertThat(mayBeIn(HEADER + content)).isFalse();
    assertThat(mayBeIn(HEADER + content + content)).isFalse();
    assertThat(mayBeIn(HEADER + content + "\0")).isFalse();
  }

  @Test
  void bytesTooFewForAClassHoldNothing() {
    String start = "ofConfined";
    for (int length = 0; length < start.length(); length++) {
      assertThat(mayBeIn(start.substring(0, length))).isFalse();
    }
  }

  private static boolean mayBeIn(String bytes) {
    return RedirectedMethod.OF_CONFINED.mayBeIn(bytes.getBytes(StandardCharsets.ISO_8859_1));
  }
}
