package dev.rockpool.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.record.MemoryMap.Range;
import dev.rockpool.record.MemoryMap.Size;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mappings as {@code jcmd PID System.map} prints them on JDK 25. */
class MemoryMapTest {
  private static final String HEADER =
      "from   to   vsize prot   rss   hugetlb pgsz notes   info   file\n=====\n";

  private static String line(long from, String rest) {
    return "0x%016x-0x%016x %s\n".formatted(from, from + 8192, rest);
  }

  private static MemoryMap map(String... rests) {
    return MemoryMap.of(
        HEADER
            + Stream.iterate(0, i -> i < rests.length, i -> i + 1)
                .map(i -> line(0x10000L * (i + 1), rests[i]))
                .collect(Collectors.joining()),
        List.of(new Range(0xA0000000L, 0xA0010000L)),
        List.of(new Range(0xB0000000L, 0xB0010000L)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rw-p  4096 0 4K com JAVAHEAP -                         | HEAP",
        "rw-p  4096 0 4K com JAVAHEAP /a/classes.jsa            | HEAP",
        "rw-s  4096 0 4K com - /memfd:java_heap (deleted)       | HEAP",
        "rw-p  4096 0 4K com CLASS -                            | CLASSES",
        "rw-p  4096 0 4K com META -                             | CLASSES",
        "rw-p  4096 0 4K com CDS /a/classes.jsa                 | CLASSES",
        "rw-p  4096 0 4K com - /a/classes.jsa                   | CLASSES",
        "rwxp  4096 0 4K com CODE -                             | CODE",
        "rw-p  4096 0 4K com GC -                               | COLLECTOR",
        "rw-p  4096 0 4K com CARDTBL -                          | COLLECTOR",
        "rw-p  4096 0 4K com,nothp STACK-7270-GC-Thread -       | STACKS",
        "rw-p  4096 0 4K com,nothp - -                          | MAPS",
        "rw-p  4096 0 4K com - [stack]                          | STACKS",
        "r--p  4096 0 4K com POLL -                             | OTHER_JVM",
        "rw-p  4096 0 4K com - [heap]                           | MALLOC",
        "rw-p  4096 0 4K - - -                                  | MALLOC",
        "rw-p  4096 0 4K com - -                                | MAPS",
        "rw-s  4096 0 4K com - /memfd:other (deleted)           | MAPS",
        "rw-s  4096 0 4K com - /dev/shm/ring                    | MAPS",
        "r-xp  4096 0 4K com - /usr/lib/libc.so.6               | LIBRARIES",
        "r-xp  4096 0 4K com - /tmp/librocksdbjni1.so (deleted) | LIBRARIES",
        "r--s  4096 0 4K com - /opt/app.jar                     | LIBRARIES",
        "r--s  4096 0 4K com - /opt/jdk/lib/modules             | LIBRARIES",
        "r-xp  4096 0 4K com - [vdso]                           | LIBRARIES",
        "r--s  4096 0 4K com - /data/index 1/_0.cfs             | MAPPED",
      })
  void tellsAMappingByItsUseOrFile(String rest, ProcessPart part) {
    assertThat(map("8192 " + rest).sizes()).containsExactly(Map.entry(part, new Size(4096, 8192)));
  }

  @Test
  void tellsHeapAndCodeByTheirAddresses() {
    String text =
        HEADER
            + line(0xA0002000L, "8192 rw-p 4096 0 4K com - -")
            + line(0xB0002000L, "8192 rwxp 4096 0 4K com - -")
            + line(0xC0002000L, "8192 rwxp 4096 0 4K com - -");
    MemoryMap map =
        MemoryMap.of(
            text,
            MemoryMap.ranges(
                "used 3K [0x00000000a0000000, 0x00000000a0008000, 0x00000000a0010000)"),
            MemoryMap.ranges(
                " bounds [0x00000000b0000000, 0x00000000b0001000, 0x00000000b0010000]"));
    assertThat(map.sizes()).containsOnlyKeys(ProcessPart.HEAP, ProcessPart.CODE, ProcessPart.MAPS);
    assertThat(map.isTracked()).isTrue();
    assertThat(MemoryMap.of("NMT is disabled.\n" + text, List.of(), List.of()).isTracked())
        .isFalse();
  }

  /** The part of its variables that the file of a library does not have, and no more than that. */
  @Test
  void theVariablesOfALibraryAreItsOwn() {
    String text =
        HEADER
            + line(0x10000, "8192 rw-p 4096 0 4K com - /usr/lib/libjvm.so")
            + line(0x12000, "8192 rw-p 4096 0 4K com - -")
            + line(0x14000, "8192 rw-p 4096 0 4K com - -");
    assertThat(MemoryMap.of(text, List.of(), List.of()).sizes())
        .containsEntry(ProcessPart.LIBRARIES, new Size(8192, 16384))
        .containsEntry(ProcessPart.MAPS, new Size(4096, 8192));
  }

  /** C code may forbid huge pages, too; but the JVM's stacks have a guard in front. */
  @Test
  void stacksAreToldByTheirGuardsWhereTheJvmDoesNotTrackThem() {
    String text =
        HEADER
            + line(0x10000, "8192 ---p 0 0 4K com,nothp - -")
            + line(0x12000, "8192 rw-p 4096 0 4K com,nothp - -")
            + line(0x14000, "8192 rw-p 4096 0 4K com,nothp - -")
            + line(0x20000, "8192 ---p 0 0 4K com - -")
            + line(0x30000, "8192 rw-p 4096 0 4K com,nothp - -");
    assertThat(MemoryMap.of("NMT is disabled.\n" + text, List.of(), List.of()).sizes())
        .containsEntry(ProcessPart.STACKS, new Size(4096, 8192))
        .containsEntry(ProcessPart.MAPS, new Size(8192, 16384));
    assertThat(MemoryMap.of(text, List.of(), List.of()).sizes())
        .containsEntry(ProcessPart.MAPS, new Size(12288, 24576));
  }

  @Test
  void whatIsOnlyReservedIsNotCommitted() {
    assertThat(map("8192 ---p 0 0 4K - JAVAHEAP -", "8192 rw-p 0 2048 2M com JAVAHEAP -").sizes())
        .containsEntry(ProcessPart.HEAP, new Size(2048, 8192));
  }

  @Test
  void anotherTextIsNotGuessedAt() {
    assertThat(MemoryMap.of("", List.of(), List.of()).sizes()).isEmpty();
    assertThat(
            MemoryMap.of(line(0x10000, "8192 rw-p 4096 0 4K com - -"), List.of(), List.of())
                .sizes())
        .isEmpty();
  }
}
