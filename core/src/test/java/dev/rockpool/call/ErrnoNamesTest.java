package dev.rockpool.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.call.SystemErrors.ErrnoNames;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import jnr.constants.Constant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The tables say the same as jnr-constants, which others have made by compiling C on each system.
 * Permitted differences are listed here, with the reason.
 */
class ErrnoNamesTest {
  /**
   * Names in jnr-constants for codes that have another name in the table: the headers define them
   * by the other one ({@code EWOULDBLOCK} is {@code EAGAIN}).
   */
  private static final Set<String> SECOND_NAMES = Set.of("EWOULDBLOCK", "EDEADLOCK", "ENOTSUP");

  /**
   * Names that jnr-constants leaves out. On macOS: of loading programs, of devices, and what came
   * later. On Windows: a result of functions for strings, whose name begins otherwise.
   */
  private static final Map<String, Set<String>> ONLY_OURS =
      Map.of(
          ErrnoNames.LINUX,
          Set.of(),
          ErrnoNames.MACOS,
          Set.of(
              "EPWROFF",
              "EDEVERR",
              "EBADEXEC",
              "EBADARCH",
              "ESHLIBVERS",
              "EBADMACHO",
              "ENOPOLICY",
              "EQFULL",
              "ENOTCAPABLE"),
          ErrnoNames.WINDOWS,
          Set.of("STRUNCATE"));

  static Map<Integer, String> read(String table) {
    Map<Integer, String> names = new TreeMap<>();
    ErrnoNames.read(table)
        .forEach((code, name) -> names.put(Integer.valueOf((String) code), (String) name));
    return names;
  }

  private static Map<String, Integer> codesByName(String table) {
    Map<Integer, String> names = read(table);
    assertThat(names).hasSizeGreaterThan(70);
    Map<String, Integer> codes = new TreeMap<>();
    names.forEach((code, name) -> codes.put(name, code));
    assertThat(codes).as("no name is that of two codes").hasSameSizeAs(names);
    return codes;
  }

  private static Map<String, Integer> ofJnr(Constant[] constants) {
    return Arrays.stream(constants)
        .filter(constant -> !SECOND_NAMES.contains(constant.name()) || isFirstName(constant))
        .collect(Collectors.toMap(Constant::name, Constant::intValue, (a, b) -> a, TreeMap::new));
  }

  /** On macOS ENOTSUP is, and on Windows ENOTSUP and EWOULDBLOCK are, codes of their own. */
  private static boolean isFirstName(Constant constant) {
    return switch (constant) {
      case jnr.constants.platform.darwin.Errno code ->
          code == jnr.constants.platform.darwin.Errno.ENOTSUP;
      case jnr.constants.platform.windows.Errno code ->
          code != jnr.constants.platform.windows.Errno.EDEADLOCK;
      default -> false;
    };
  }

  private static void check(String table, Constant[] constants) {
    Map<String, Integer> codes = codesByName(table);
    Map<String, Integer> others = ofJnr(constants);
    Set<String> onlyOurs = new TreeSet<>(codes.keySet());
    onlyOurs.removeAll(others.keySet());
    assertThat(onlyOurs).isEqualTo(new TreeSet<>(ONLY_OURS.get(table)));
    codes.keySet().removeAll(onlyOurs);
    assertThat(codes).isEqualTo(others);
  }

  @Test
  void linux() {
    check(ErrnoNames.LINUX, jnr.constants.platform.linux.Errno.values());
    check(ErrnoNames.LINUX, jnr.constants.platform.linux.aarch64.Errno.values());
    check(ErrnoNames.LINUX, jnr.constants.platform.linux.s390x.Errno.values());
  }

  @Test
  void macos() {
    check(ErrnoNames.MACOS, jnr.constants.platform.darwin.Errno.values());
  }

  @Test
  void windows() {
    check(ErrnoNames.WINDOWS, jnr.constants.platform.windows.Errno.values());
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
