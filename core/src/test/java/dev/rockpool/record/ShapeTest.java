package dev.rockpool.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShapeTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1",
    "63, 63",
    "64, 64",
    "127, 64",
    "128, 128",
    "65535, 32768",
    "65536, 65536",
    "4611686018427387904, 4611686018427387904",
    "9223372036854775807, 4611686018427387904"
  })
  void aTotalIsInTheBucketOfItsLowerBound(long total, long lower) {
    int bucket = Shape.bucket(total);

    assertThat(Shape.lower(bucket)).isEqualTo(lower);
    assertThat(bucket).isLessThan(Shape.BUCKETS);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "16, 16",
    "1008, 1008",
    "1024, 1024",
    "1040, 1025",
    "2032, 1025",
    "2048, 2048",
    "4080, 2048",
    "4096, 4096",
    "9223372036854775792, 4611686018427387904"
  })
  void aFootprintIsExactUpToOneKibibyte(long footprint, long lower) {
    int bucket = Shape.footprintBucket(footprint);

    assertThat(Shape.footprintLower(bucket)).isEqualTo(lower);
    assertThat(bucket).isLessThan(Shape.BUCKETS);
  }

  @Test
  void theHighestBitOfADepthIsIgnored() {
    int marked = 9 | Integer.MIN_VALUE;
    assertThat(Shape.of(1, false, Shape.POOL, marked, 100, 4096, 70, 1))
        .isEqualTo(Shape.of(1, false, Shape.POOL, 9, 100, 4096, 70, 1));
  }

  @Test
  void eachPartIsReadAsItWasWritten() {
    for (int site : new int[] {0, 1, Sites.OTHERS, Shape.SITES - 1}) {
      for (int served : new int[] {Shape.POOL, Shape.REGULAR, Shape.JDK}) {
        for (boolean isVirtual : new boolean[] {false, true}) {
          long shape = Shape.of(site, isVirtual, served, 9, 100, 4096, 70, 1L << 62 | 1);
          assertThat(Shape.site(shape)).isEqualTo(site);
          assertThat(Shape.isVirtual(shape)).isEqualTo(isVirtual);
          assertThat(Shape.served(shape)).isEqualTo(served);
          assertThat(Shape.depth(shape)).isEqualTo(9);
          assertThat(Shape.lower(Shape.total(shape))).isEqualTo(64);
          assertThat(Shape.footprintLower(Shape.footprint(shape))).isEqualTo(4096);
          assertThat(Shape.lower(Shape.largest(shape))).isEqualTo(64);
          assertThat(Shape.alignmentLog(shape)).isEqualTo(62);

          long others = Shape.withSite(shape, 7);
          assertThat(Shape.site(others)).isEqualTo(7);
          assertThat(Shape.withSite(others, site)).isEqualTo(shape);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 16", "1, 16", "16, 16", "17, 32", "63, 64"})
  void aSmallAllocationTellsFootprintAndLargest(long total, long footprint) {
    long shape = Shape.ofOne(5, true, Shape.REGULAR, 3, total, 9);

    assertThat(Shape.site(shape)).isEqualTo(5);
    assertThat(Shape.isVirtual(shape)).isTrue();
    assertThat(Shape.served(shape)).isEqualTo(Shape.REGULAR);
    assertThat(Shape.depth(shape)).isEqualTo(3);
    assertThat(Shape.lower(Shape.total(shape))).isEqualTo(total);
    assertThat(Shape.footprintLower(Shape.footprint(shape))).isEqualTo(footprint);
    assertThat(Shape.lower(Shape.largest(shape))).isEqualTo(total);
    assertThat(Shape.alignmentLog(shape)).isEqualTo(3);
  }

  @Test
  void noAllocationIsAnotherShapeThanAnEmptyOne() {
    long none = Shape.of(0, false, Shape.POOL, 0, 0, 0, 0, 1);

    assertThat(Shape.footprint(none)).isZero();
    assertThat(none).isNotEqualTo(Shape.ofOne(0, false, Shape.POOL, 0, 0, 1));
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "14, 14", "15, 15", "16, 15", "1000, 15", "1000000, 15"})
  void depthsBeyondTheDeepestAreOne(int depth, int counted) {
    long shape = Shape.reduced(Shape.ofOne(7, false, Shape.JDK, depth, 20, 1));

    assertThat(Shape.depth(shape)).isEqualTo(counted);
    assertThat(Shape.site(shape)).isEqualTo(7);
    assertThat(Shape.total(shape)).isEqualTo(20);
  }
}
