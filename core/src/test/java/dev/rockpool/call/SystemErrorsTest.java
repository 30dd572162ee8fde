package dev.rockpool.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rockpool.call.SystemErrors.ErrnoNames;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.Charset;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names and texts are those of this system. */
class SystemErrorsTest {
  private static final Pattern MACRO =
      Pattern.compile("^#define (E[A-Z0-9]+) ([0-9]+)$", Pattern.MULTILINE);

  private static Map<Integer, String> ofThisSystem() {
    String table =
        ErrnoNames.tableFor(System.getProperty("os.name"), System.getProperty("os.arch"));
    assumeTrue(table != null, "no table has this machine's codes");
    return ErrnoNamesTest.read(table);
  }

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
    assertThat(ErrnoNamesTest.read(ErrnoNames.LINUX)).isEqualTo(ofHeader());
  }

  @Test
  void namesOfTableAndSystemAreTheSame() {
    ofThisSystem()
        .forEach(
            (code, name) -> {
              assertThat(ErrnoNames.nameOf(code)).isEqualTo(name);
              assertThat(SystemErrors.nameOfErrno(code)).isEqualTo(name);
            });
    assertThat(ErrnoNames.nameOf(0)).isNull();
    assertThat(SystemErrors.nameOfErrno(100_000)).isNull();
  }

  @Test
  void textsAreThoseOfTheSystem() throws Throwable {
    for (int code : ofThisSystem().keySet()) {
      assertThat(SystemErrors.textOfErrno(code)).isEqualTo(TestLibrary.text(code));
    }
  }

  @Test
  void codesOfWindowsHaveANumber() {
    assertThat(CallState.GET_LAST_ERROR.nameOf(5)).isEqualTo("GetLastError 5");
    assertThat(CallState.WSA_GET_LAST_ERROR.nameOf(-1)).isEqualTo("WSAGetLastError 4294967295");
    assertThat(CallState.GET_LAST_ERROR.textOf(5)).isEmpty();
  }

  private static String decoded(MemorySegment memory, String charset) {
    return new String(SystemErrors.bytes(memory), Charset.forName(charset));
  }

  @ParameterizedTest
  @CsvSource({
    "ISO-8859-15, Größe 5 €",
    "ISO-8859-1, nicht möglich",
    "windows-1252, “Größe” 5 €",
    "windows-1251, Нет такого файла или каталога",
    "EUC-JP, そのようなファイルやディレクトリはありません",
    "Shift_JIS, 入力/出力エラーです",
    "GB18030, 没有那个文件或目录",
    "UTF-8, Größe 5 €",
    "US-ASCII, No such file or directory",
  })
  void textsAreDecoded(String charset, String text) {
    assumeTrue(Charset.isSupported(charset), "this JDK has no module jdk.charsets");
    byte[] bytes = text.getBytes(Charset.forName(charset));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(bytes.length + 10).fill((byte) 'x');
      memory.asSlice(0, bytes.length).copyFrom(MemorySegment.ofArray(bytes));
      memory.set(ValueLayout.JAVA_BYTE, bytes.length, (byte) 0);

      assertThat(decoded(memory, charset)).isEqualTo(text);
    }
  }

  /** A program may set the property; and a JVM may lack the charset of its locale. */
  @ParameterizedTest
  @ValueSource(strings = {"ISO-8859-15", "windows-1252", "none such", "?"})
  void textsAreThereWhateverTheCharset(String charset) {
    String before = System.setProperty("native.encoding", charset);
    try {
      assertThat(SystemErrors.textOfErrno(2)).isNotEmpty();
    } finally {
      System.setProperty("native.encoding", before);
    }
  }
}
