package dev.rockpool.cli.report.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rockpool.cli.report.recording.Histogram.Scale;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HistogramTest {
  private static Histogram bytes(String text) {
    return Histogram.parse(Scale.BYTES, text);
  }

  @Test
  void readsWhatARecorderWrites() {
    assertThat(bytes("0=12 8=3 64=1").buckets()).isEqualTo(Map.of(0L, 12L, 8L, 3L, 64L, 1L));
    assertThat(bytes("").buckets()).isEmpty();
    assertThat(bytes("8=1 8=2").in(8)).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "BYTES, 8, an entry of a histogram must be BUCKET=COUNT: \"8\"",
    "BYTES, =1, an entry of a histogram must be BUCKET=COUNT: \"=1\"",
    "BYTES, 8=, an entry of a histogram must be BUCKET=COUNT: \"8=\"",
    "BYTES, 8=x, an entry of a histogram must be BUCKET=COUNT: \"8=x\"",
    "BYTES, 8=-1, a count must be from 0 to 2^53: -1",
    "BYTES, 8=9007199254740993, a count must be from 0 to 2^53: 9007199254740993",
    "BYTES, 65=1, a histogram of bytes has no bucket 65",
    "BYTES, -1=1, a histogram of bytes has no bucket -1",
    "FOOTPRINTS, 8=1, a histogram of footprints has no bucket 8",
    "FOOTPRINTS, 1040=1, a histogram of footprints has no bucket 1040",
    "FOOTPRINTS, -9223372036854775808=1, a histogram of footprints has no bucket"
        + " -9223372036854775808",
    "DEPTHS, 16=1, a histogram of depths has no bucket 16",
    "ALIGNMENTS, 0=1, a histogram of alignments has no bucket 0",
  })
  void refusesWhatNoRecorderWrites(Scale scale, String text, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Histogram.parse(scale, text))
        .withMessage(message);
  }

  /** No gap, and no value in two buckets: between the last of one and the next key is nothing. */
  @ParameterizedTest
  @EnumSource(names = {"BYTES", "FOOTPRINTS"})
  void bucketsFollowEachOther(Scale scale) {
    long step = scale == Scale.BYTES ? 1 : 16;
    long[] keys = LongStream.rangeClosed(0, 1 << 20).filter(scale::isBucket).toArray();
    for (int i = 0; i + 1 < keys.length; i++) {
      long behind = scale.last(keys[i]) + 1;
      assertThat(keys[i + 1]).isBetween(behind, behind + step - 1);
    }
    assertThat(scale.last(1L << 62)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void sumsBuckets() {
    Histogram histogram = bytes("0=1 8=10 63=100 64=1000 128=10000");
    assertThat(histogram.total()).isEqualTo(11111);
    assertThat(histogram.upTo(62)).isEqualTo(11);
    assertThat(histogram.upTo(63)).isEqualTo(111);
    assertThat(histogram.upTo(126)).isEqualTo(111);
    assertThat(histogram.upTo(127)).isEqualTo(1111);
    assertThat(histogram.within(0, 64)).isEqualTo(1111);
    assertThat(histogram.within(64, Long.MAX_VALUE)).isEqualTo(11000);
    assertThat(histogram.within(9, Long.MAX_VALUE)).isEqualTo(11100);
  }

  @Test
  void addsHistograms() {
    Histogram sum = bytes("0=1 8=2").plus(bytes("8=40 16=100"));
    assertThat(sum.buckets()).isEqualTo(bytes("0=1 8=42 16=100").buckets());
  }
}
