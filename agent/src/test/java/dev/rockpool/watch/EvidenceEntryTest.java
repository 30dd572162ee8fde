package dev.rockpool.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.record.Site.Held;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EvidenceEntryTest {
  private static final Map<String, Long> PARTS =
      Stream.of(Map.entry("malloc heap", 60L << 20), Map.entry("Java heap", 3L << 20))
          .collect(
              Collectors.toMap(
                  Map.Entry::getKey, Map.Entry::getValue, (a, _) -> a, LinkedHashMap::new));

  private static final LimitedMemory LIMITED =
      new LimitedMemory() {
        @Override
        public long inUse() {
          return 7 << 20;
        }

        @Override
        public long limit() {
          return 64 << 20;
        }

        @Override
        public long refused() {
          return 5;
        }

        @Override
        public void setCeiling(long byteSize) {
          throw new AssertionError();
        }

        @Override
        public void askForCollection() {
          throw new AssertionError();
        }

        @Override
        public void attachWatch(Supplier<String> figures, Runnable toldOfRefusals) {
          throw new AssertionError();
        }
      };

  private static List<String> linesOf(List<Held> holders, List<Held> owners) {
    String text =
        new EvidenceEntry(
                "75% of the memory reached",
                "orders-7d9f",
                new Resident(75 << 20, 1 << 20),
                100 << 20,
                LIMITED,
                PARTS,
                holders,
                owners)
            .text();
    assertThat(text).endsWith("\n");
    assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(4000);
    return text.lines().toList();
  }

  @Test
  void aLineOfJsonIsFollowedByOneForPeople() {
    List<String> lines =
        linesOf(
            List.of(new Held("com.acme.Orders.load:24", "shared", 6 << 20)),
            List.of(new Held("org.rocksdb.RocksIterator at com.acme.Scan.all:7", "owner", 300)));
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst())
        .startsWith("{\"rockpool\":\"evidence\",\"format\":1,\"time\":\"2")
        .endsWith(
            "\"host\":\"orders-7d9f\",\"pid\":"
                + ProcessHandle.current().pid()
                + ",\"reason\":\"75% of the memory"
                + " reached\",\"memory\":104857600,\"anonymous\":78643200,"
                + "\"files\":1048576,\"limit\":67108864,\"inUse\":7340032,\"refused\":5,\"parts\":{\"malloc"
                + " heap\":62914560,\"Java heap\":3145728},\"rest\":55574528,"
                + "\"holders\":[{\"site\":\"com.acme.Orders.load:24\",\"kind\":\"shared\",\"bytes\":6291456}],\"owners\":[{\"site\":\"org.rocksdb.RocksIterator"
                + " at com.acme.Scan.all:7\",\"kind\":\"owner\",\"open\":300}]}");
    assertThat(lines.getLast())
        .endsWith(
            "Z [rockpool] 75% of the memory reached: 75 MiB of 100 MiB are resident beside files."
                + " Java code holds 7 MiB, its limit is 64 MiB. Most is held by"
                + " com.acme.Orders.load:24 (shared, 6 MiB). C code holds up to 53 MiB. Open"
                + " objects that own C memory: org.rocksdb.RocksIterator at com.acme.Scan.all:7"
                + " (300 open). Resident by part: malloc heap 60 MiB, Java heap 3 MiB.");
  }

  @Test
  void namesMayHaveAnyCharacters() {
    String name = "A\"B\\C\nD\u001b[2JE\u202eF\u2028G\ud800H";
    List<String> lines = linesOf(List.of(new Held(name, "shared", 6 << 20)), List.of());
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst())
        .contains("\"A\\\"B\\\\C\\u000aD\\u001b[2JE\\u202eF\\u2028G\\ud800H\"");
    assertThat(lines.getLast()).contains("by A\"B\\C?D?[2JE?F?G?H (shared");
  }

  @Test
  void theSmallerHoldersAreLeftOutOfAnEntryThatWouldBeTooLong() {
    Held long1 = new Held("\u6f22".repeat(5000), "shared", 6 << 20);
    List<String> lines = linesOf(Collections.nCopies(10, long1), Collections.nCopies(10, long1));
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst().split("\"site\"", -1)).hasSizeGreaterThan(2);
  }
}
