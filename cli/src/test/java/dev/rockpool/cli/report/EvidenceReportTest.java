package dev.rockpool.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rockpool.cli.support.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EvidenceReportTest {
  private static final String WORDS = "2026-11-28T14:52:47Z [rockpool] words for people\n";

  @TempDir private Path directory;

  private static String entry(int percent, String holders, String owners) {
    return ("{\"rockpool\":\"evidence\",\"format\":1,\"host\":\"orders-7d9f\",\"time\":\"2026-11-28T14:52:%1$02dZ\",\"pid\":7,\"reason\":\"%1$d%%"
                + " of the memory reached\",\"memory\":104857600,"
                + "\"anonymous\":%2$d,\"files\":1048576,\"limit\":67108864,\"inUse\":7340032,\"refused\":0,\"parts\":{\"Java"
                + " heap\":3145728},\"holders\":[%3$s],\"owners\":[%4$s]}\n")
        .formatted(percent, percent << 20, holders, owners);
  }

  private static String holder(String site, long byteSize) {
    return "{\"site\":\"%s\",\"kind\":\"shared\",\"bytes\":%d}".formatted(site, byteSize);
  }

  private Path file(String name, String... entries) throws IOException {
    return Files.writeString(directory.resolve(name), String.join(WORDS, entries) + WORDS);
  }

  @Test
  void theFirstSentenceIsOfTheLastEntry() throws Exception {
    Path file =
        file(
            "evidence.txt",
            entry(66, holder("A.a:1", 5 << 20), ""),
            entry(
                90,
                holder("A.a:1", 6 << 20),
                "{\"site\":\"org.rocksdb.RocksIterator at"
                    + " B.b:2\",\"kind\":\"owner\",\"open\":300}"));
    assertThat(EvidenceReport.isEvidence(file)).isTrue();
    EvidenceReport report = EvidenceReport.of(List.of(file));
    assertThat(report.damaged()).isZero();
    assertThat(report.page().text())
        .startsWith(
            "Evidence: 90% of the memory reached at 2026-11-28T14:52:90Z: 90 MiB of 100 MiB were"
                + " resident beside files. Of Java code, A.a:1 holds most, 6 MiB. Open objects that"
                + " own C memory: 300 by org.rocksdb.RocksIterator at B.b:2.\n")
        .contains("Java heap              3", "66% of the memory reached");
  }

  /** Else the headline would name whoever holds little, and hide who holds most. */
  @Test
  void memoryOfCCodeComesFirstIfItIsMore() throws Exception {
    String entry = entry(90, holder("A.a:1", 6 << 20), "");
    Path file = file("evidence.txt", entry.replace("},\"holders", "},\"rest\":52428800,\"holders"));
    assertThat(EvidenceReport.of(List.of(file)).page().text())
        .contains(
            "resident beside files. C code holds up to 50 MiB. Only a recording names its lines:"
                + " ./rockpool record --c. Of Java code, A.a:1 holds most, 6 MiB.\n");
  }

  @Test
  void theLastEntriesOfManyFilesAreAddedUpBySite() throws Exception {
    Path one =
        file("one.txt", entry(66, holder("A.a:1", 500), ""), entry(75, holder("A.a:1", 7), ""));
    Path other = file("other.txt", entry(90, holder("A.a:1", 8) + "," + holder("B.b:2", 20), ""));
    assertThat(EvidenceReport.of(List.of(one, other)).page().text())
        .startsWith("Evidence: of 2 files, most in " + other + ": 90% of the memory reached")
        .containsPattern("B\\.b:2 +shared +20 +1\n")
        .containsPattern("A\\.a:1 +shared +15 +2\n");
  }

  @Test
  void damagedEntriesAreCountedAndTheOthersRead() throws Exception {
    String whole = entry(75, "", "");
    Path file = file("evidence.txt", whole, whole.substring(0, 200) + "\n", "\n" + whole);
    EvidenceReport report = EvidenceReport.of(List.of(file));
    assertThat(report.entries()).hasSize(2);
    assertThat(report.damaged()).isOne();
    assertThat(report.page().text()).contains("Not read: 1 damaged entry");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"memory\":104857600>\"memory\":\"lots\"",
        "\"anonymous\":78643200>\"anonymous\":null",
        "\"time\":\"2026-11-28T14:52:75Z\">\"time\":{}",
        "\"reason\":\"75%>\"reason\":[],\"x\":\"",
        "\"parts\":{>\"parts\":[],\"x\":{",
        "\"bytes\":500>\"bytes\":\"x\"",
        "\"bytes\":500>\"bytes\":-1",
        "\"owners\":[]>\"owners\":7",
        "\"format\":1>\"format\":2",
      })
  void anEntryWithAnotherTypeOrFormatIsDamaged(String change) throws Exception {
    String whole = entry(75, holder("A.a:1", 500), "");
    String[] fromAndTo = change.split(">", 2);
    assertThat(whole).contains(fromAndTo[0]);
    Path file = file("evidence.txt", whole.replace(fromAndTo[0], fromAndTo[1]), whole);
    EvidenceReport report = EvidenceReport.of(List.of(file));
    assertThat(report.entries()).hasSize(1);
    assertThat(report.damaged()).isOne();
    assertThat(report.page().text()).contains("Not read: 1 damaged entry");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "{\"rockpool\":\"evid\n", "the program's own last words\n"})
  void whatPrecedesTheFirstWholeEntryDoesNotHideIt(String before) throws Exception {
    Path file = Files.writeString(directory.resolve("log"), before + entry(75, "", ""));
    assertThat(EvidenceReport.isEvidence(file)).isTrue();
    assertThat(EvidenceReport.of(List.of(file)).entries()).hasSize(1);
  }

  /** As if a process was killed while it wrote, or had written to its termination log. */
  @Test
  void anEntryWithinALineIsRead() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("log"), entry(66, "", "").substring(0, 60) + entry(75, "", ""));
    EvidenceReport report = EvidenceReport.of(List.of(file));
    assertThat(report.entries()).singleElement().asString().contains("75% of the memory");
  }

  @Test
  void ofALongFileTheEndIsRead() throws Exception {
    Path file = file("log", entry(66, "", ""), "words of the program\n".repeat(300_000));
    Files.writeString(file, entry(90, "", ""), StandardOpenOption.APPEND);
    assertThat(EvidenceReport.isEvidence(file)).isTrue();
    assertThat(EvidenceReport.of(List.of(file)).page().text()).startsWith("Evidence: 90% of");
  }

  @Test
  void filesOfOneNameAreToldApart() throws Exception {
    Path one = Files.createDirectory(directory.resolve("one")).resolve("log");
    Path other = Files.createDirectory(directory.resolve("other")).resolve("log");
    Files.writeString(one, entry(66, "", ""));
    Files.writeString(other, entry(75, "", ""));
    assertThat(EvidenceReport.of(List.of(one, other)).page().text())
        .containsPattern("\n" + one + " +orders-7d9f +2026")
        .containsPattern("\n" + other + " +orders-7d9f +2026");
  }

  @Test
  void filesWithoutAWholeEntryAreRefused() throws Exception {
    Path file = file("evidence.txt", entry(75, "", "").substring(0, 100) + "\n");
    assertThatThrownBy(() -> EvidenceReport.of(List.of(file)))
        .isInstanceOf(CommandFailure.class)
        .hasMessageStartingWith("A file of evidence must have a whole entry");
  }
}
