package dev.rockpool.direct;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** A JVM without direct memory tells why, and what to do. */
class ObstacleTest {

  @Test
  void eachIsRefusedWithItsRemedy() {
    assertThatCode(Obstacle.NONE::check).doesNotThrowAnyException();
    assertThatThrownBy(Obstacle.NARROW_ADDRESSES::check)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageMatching(
            "Direct memory needs addresses of 64 bits: this JVM has \\d+; use"
                + " ByteBuffer.allocateDirect, or DirectMemory.ofConfined and ofShared");
    assertThatThrownBy(Obstacle.DENIED::check)
        .isInstanceOf(IllegalCallerException.class)
        .hasMessageStartingWith(
            "Direct memory needs native access: start java with --enable-native-access=");
    assertThatThrownBy(Obstacle.NO_C_LIBRARY::check)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage(
            "Direct memory needs calloc, free and memset of the C library: this JVM has no linker"
                + " that finds them; use ByteBuffer.allocateDirect, or DirectMemory.ofConfined"
                + " and ofShared");
  }
}
