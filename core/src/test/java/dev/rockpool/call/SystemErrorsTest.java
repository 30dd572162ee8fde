package dev.rockpool.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Names and texts are those of this system. */
class SystemErrorsTest {
  private static final Pattern MACRO =
      Pattern.compile("^#define (E[A-Z0-9]+) ([0-9]+)$", Pattern.MULTILINE);

  private static Map<Integer, String> ofHeader() throws Exception {
    Map<Integer, String> names = new TreeMap<>();
    Matcher macro = MACRO.matcher(TestLibrary.macrosOf("errno.h"));
    while (macro.find()) {
      names.put(Integer.valueOf(macro.group(2)), macro.group(1));
    }
    assertThat(names).hasSizeGreaterThan(100);
    return names;
  }

  /** The file is made anew by printing {@code ofHeader()}. */
  @Test
  void tableIsWhatTheHeaderSays() throws Exception {
    StringBuilder made = new StringBuilder();
    ofHeader().forEach((code, name) -> made.append(code).append(' ').append(name).append('\n'));
    try (InputStream file = LinuxErrnoNames.class.getResourceAsStream(LinuxErrnoNames.RESOURCE)) {
      assertThat(new String(file.readAllBytes(), StandardCharsets.US_ASCII))
          .isEqualTo(made.toString());
    }
  }

  @Test
  void namesOfTableAndSystemAreTheSame() throws Exception {
    ofHeader()
        .forEach(
            (code, name) -> {
              assertThat(LinuxErrnoNames.nameOf(code)).isEqualTo(name);
              assertThat(SystemErrors.nameOfErrno(code)).isEqualTo(name);
            });
    assertThat(LinuxErrnoNames.nameOf(0)).isNull();
    assertThat(SystemErrors.nameOfErrno(100_000)).isNull();
  }

  @Test
  void textsAreThoseOfTheSystem() throws Throwable {
    for (int code : ofHeader().keySet()) {
      assertThat(SystemErrors.textOfErrno(code)).isEqualTo(TestLibrary.text(code));
    }
  }

  @Test
  void codesOfWindowsHaveANumber() {
    assertThat(CallState.GET_LAST_ERROR.nameOf(5)).isEqualTo("GetLastError 5");
    assertThat(CallState.WSA_GET_LAST_ERROR.nameOf(-1)).isEqualTo("WSAGetLastError 4294967295");
    assertThat(CallState.GET_LAST_ERROR.textOf(5)).isEmpty();
  }
}
