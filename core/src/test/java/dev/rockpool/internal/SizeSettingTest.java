package dev.rockpool.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** From the raw text of a system property to the value in force, and what is said of bad ones. */
class SizeSettingTest {
  /** A raw text and the value in force; null where the text is refused and the default used. */
  record Row(@Nullable String raw, @Nullable Integer value) {}

  /** Values in neither table's range, or no numbers at all. */
  private static final List<String> REFUSED_BY_ALL =
      List.of(
          "",
          " ",
          "-1",
          "-0",
          "-64",
          "+64",
          "1g",
          "2m",
          "99999999999999999999",
          "abc",
          "0x40",
          "k",
          "m",
          " k",
          "1 k",
          "1kk",
          "k1",
          "1.5k",
          "1e3",
          "64b",
          "64,",
          "6 4",
          "1048577",
          "2147483648",
          "4294967296",
          "4294967360",
          "9999999999m",
          "17592186044416m",
          "٦٤",
          "true");

  private static List<Row> blockSizes() {
    return rows(
        new Row(null, 512),
        new Row("0", 0),
        new Row("0k", 0),
        new Row("1", null),
        new Row("63", null),
        new Row("64", 64),
        new Row("64k", 64 << 10),
        new Row("65", null),
        new Row("500", null),
        new Row("512", 512),
        new Row(" 512 ", 512),
        new Row("0512", 512),
        new Row("1k", 1 << 10),
        new Row("1K", 1 << 10),
        new Row(" 1k ", 1 << 10),
        new Row("3k", null),
        new Row("1024k", 1 << 20),
        new Row("2048k", null),
        new Row("1m", 1 << 20),
        new Row("1M", 1 << 20),
        new Row("1048576", 1 << 20));
  }

  private static List<Row> blocksPerThread() {
    return rows(
        new Row(null, 8),
        new Row("0", 0),
        new Row("0m", 0),
        new Row("1", 1),
        new Row("2", 2),
        new Row("63", 63),
        new Row("64", 64),
        new Row(" 7 ", 7),
        new Row("65", null),
        new Row("500", null),
        new Row("512", null),
        new Row("1k", null),
        new Row("1K", null),
        new Row("64k", null),
        new Row("1m", null));
  }

  /** In bytes, and more than any int holds. */
  record LimitRow(@Nullable String raw, @Nullable Long value) {}

  private static List<LimitRow> directLimits() {
    return List.of(
        new LimitRow(null, 0L),
        new LimitRow("0", 0L),
        new LimitRow("1", 1L),
        new LimitRow("64k", 64L << 10),
        new LimitRow("2m", 2L << 20),
        new LimitRow("1g", 1L << 30),
        new LimitRow(" 16G ", 16L << 30),
        new LimitRow("4294967360", 4294967360L),
        new LimitRow("1048576g", 1L << 50),
        new LimitRow("1048577g", null),
        new LimitRow("9999999999999999g", null),
        new LimitRow("999999999999999999", null),
        new LimitRow("9223372036854775807", null),
        new LimitRow("99999999999999999999", null),
        new LimitRow("-1", null),
        new LimitRow("1t", null),
        new LimitRow("g", null),
        new LimitRow("1.5g", null),
        new LimitRow("much", null),
        new LimitRow("", null));
  }

  private static List<Row> rows(Row... rows) {
    List<Row> all = new ArrayList<>();
    Collections.addAll(all, rows);
    REFUSED_BY_ALL.forEach(raw -> all.add(new Row(raw, null)));
    return all;
  }

  private final PrintStream standardError = System.err;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  @BeforeEach
  void captureStandardError() {
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void restore() {
    System.setErr(standardError);
    for (SizeSetting setting : SizeSetting.values()) {
      System.clearProperty(setting.property());
    }
  }

  @ParameterizedTest
  @MethodSource("blockSizes")
  void blockSizeInForce(Row row) {
    assertInForce(SizeSetting.BLOCK_SIZE, row);
  }

  @ParameterizedTest
  @MethodSource("blocksPerThread")
  void blocksPerThreadInForce(Row row) {
    assertInForce(SizeSetting.BLOCKS_PER_THREAD, row);
  }

  @ParameterizedTest
  @MethodSource("directLimits")
  void directLimitInForce(LimitRow row) {
    if (row.raw != null) {
      System.setProperty(SizeSetting.DIRECT_LIMIT.property(), row.raw);
    }
    assertThat(SizeSetting.DIRECT_LIMIT.readLong()).isEqualTo(row.value != null ? row.value : 0);
    assertSaid(SizeSetting.DIRECT_LIMIT, row.raw, row.value != null);
  }

  private void assertInForce(SizeSetting setting, Row row) {
    if (row.raw != null) {
      System.setProperty(setting.property(), row.raw);
    }
    int expected = row.value != null ? row.value : setting.defaultValue();
    assertThat(setting.read()).as("value in force").isEqualTo(expected);
    assertSaid(setting, row.raw, row.value != null);
  }

  /** A refused value is named once, with its property, the rule and the value used instead. */
  private void assertSaid(SizeSetting setting, @Nullable String raw, boolean accepted) {
    List<String> lines = said.toString(StandardCharsets.UTF_8).lines().toList();
    if (accepted) {
      assertThat(lines).isEmpty();
    } else {
      assertThat(lines)
          .singleElement()
          .asString()
          .startsWith("[rockpool]")
          .contains(setting.property(), setting.accepted(), "\"" + raw + "\"")
          .contains(setting.defaultText());
    }
  }

  @Test
  void formerPropertiesAreReported() {
    SizeSetting.reportFormer();
    assertThat(said.toString(StandardCharsets.UTF_8)).isEmpty();
    String[] former = {
      "rockpool.slab.size",
      "rockpool.slabs.per.thread",
      "rockpool.shared.slots",
      "rockpool.first.arenas"
    };
    for (String property : former) {
      System.setProperty(property, "1");
    }
    try {
      SizeSetting.reportFormer();
      assertThat(said.toString(StandardCharsets.UTF_8).lines())
          .hasSize(former.length)
          .allSatisfy(line -> assertThat(line).startsWith("[rockpool]").containsAnyOf(former));
    } finally {
      List.of(former).forEach(System::clearProperty);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT_LIMIT") // that of the JVM
  void defaultIsInRange(SizeSetting setting) {
    assertThat(setting.isInRange(setting.defaultValue())).isTrue();
    assertThat(setting.accepts(setting.defaultValue())).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void zeroMeansOffAndIsAcceptedAlthoughNotInRange(SizeSetting setting) {
    assertThat(setting.accepts(0)).isTrue();
    assertThat(setting.isInRange(0)).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void numbersThatNoIntHoldsAreAcceptedAsLimitsAlone(SizeSetting setting) {
    for (long value : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32, (1L << 32) + 64}) {
      boolean large = setting == SizeSetting.DIRECT_LIMIT && value >> 32 == 1;
      assertThat(setting.accepts(value)).as("%s", value).isEqualTo(large);
    }
  }

  @Test
  void eachSettingReadsItsOwnProperty() {
    System.setProperty("rockpool.block.size", "64");
    System.setProperty("rockpool.blocks.per.thread", "3");
    System.setProperty("rockpool.start.after", "5");
    assertThat(SizeSetting.BLOCK_SIZE.read()).isEqualTo(64);
    assertThat(SizeSetting.BLOCKS_PER_THREAD.read()).isEqualTo(3);
    assertThat(SizeSetting.START_AFTER.read()).isEqualTo(5);
  }
}
