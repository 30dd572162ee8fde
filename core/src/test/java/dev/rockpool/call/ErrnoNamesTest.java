package dev.rockpool.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.call.SystemErrors.ErrnoNames;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The tables of error codes; {@code test/headers} compares them with the headers of each system.
 */
class ErrnoNamesTest {
  static Map<Integer, String> read(String table) {
    Map<Integer, String> names = new TreeMap<>();
    ErrnoNames.read(table)
        .forEach((code, name) -> names.put(Integer.valueOf((String) code), (String) name));
    return names;
  }

  @ParameterizedTest
  @ValueSource(strings = {ErrnoNames.LINUX, ErrnoNames.MACOS, ErrnoNames.WINDOWS})
  void noNameIsThatOfTwoCodes(String table) {
    assertThat(read(table).values()).hasSizeGreaterThan(70).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @CsvSource({
    "Linux, amd64, errno-linux.txt",
    "Linux, aarch64, errno-linux.txt",
    "Linux, mips64el,",
    "Mac OS X, aarch64, errno-macos.txt",
    "Mac OS X, x86_64, errno-macos.txt",
    "Windows 11, amd64, errno-windows.txt",
    "Windows Server 2025, aarch64, errno-windows.txt",
    "AIX, ppc64,",
    "'', '',",
  })
  void eachSystemHasItsTable(String system, String machine, String table) {
    assertThat(ErrnoNames.tableFor(system, machine)).isEqualTo(table);
  }

  @Test
  void noTableNoNames() {
    assertThat(ErrnoNames.read(null)).isEmpty();
  }
}
