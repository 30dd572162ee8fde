package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.Charset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Strings in each charset: the bytes that the JDK writes, wherever in the block they end. */
class AllocateFromStringTest extends ArenaContract {
  /** Each kind of those that the JDK accepts. */
  static List<Charset> charsets() {
    return Stream.of("US-ASCII", "ISO-8859-1", "UTF-8", "UTF-16", "UTF-16LE", "UTF-32BE")
        .map(Charset::forName)
        .toList();
  }

  /** One character each, of one to four bytes in UTF-8; the last is a pair of surrogates. */
  private static final List<String> CHARACTERS = List.of("x", "\0", "é", "字", "😀");

  private static final List<String> TEXTS =
      List.of(
          "",
          "hello",
          "naïve café",
          "漢字かな交じり文",
          "😀 and 𝄞",
          "cut\0short",
          "\0",
          "\0\0after",
          "\ud83d alone",
          "alone \ude00",
          "\ufeffwith a mark",
          "ÿ".repeat(9));

  @ParameterizedTest
  @MethodSource("charsets")
  void textsOfAllKindsAreThoseOfTheJdk(Charset charset) {
    for (String text : TEXTS) {
      assertSameAsJdk(charset + " " + text, arena -> arena.allocateFrom(text, charset));
      assertSameAsJdk(text, arena -> arena.allocateFrom(text, charset).getString(0, charset));
      assertSameAsJdk(text, arena -> arena.allocateFrom(text));
    }
  }

  @ParameterizedTest
  @MethodSource("charsets")
  void stringsThatEndAroundTheEndOfTheBlockAreThoseOfTheJdk(Charset charset) {
    for (String character : CHARACTERS) {
      int tried = 0;
      for (String text = around(character, charset); ; text += "x") {
        String string = text;
        int byteSize = text.getBytes(charset).length + terminator(charset);
        if (byteSize > blockByteSize() + 2) {
          break;
        }
        assertSameAsJdk(
            byteSize + " bytes of " + charset, arena -> arena.allocateFrom(string, charset));
        tried++;
      }
      assertThat(tried).as("lengths of '%s' in %s", character, charset).isGreaterThanOrEqualTo(5);
    }
  }

  /** A row of {@code character} that takes, with terminator, at most 18 bytes less than a block. */
  private String around(String character, Charset charset) {
    int perCharacter = (character + character).getBytes(charset).length;
    perCharacter -= character.getBytes(charset).length;
    int overhead = "".getBytes(charset).length + terminator(charset) + 2 * Character.BYTES;
    return character.repeat((blockByteSize() - 18 - overhead) / perCharacter);
  }

  private static int terminator(Charset charset) {
    return charset.name().startsWith("UTF-16") ? 2 : charset.name().startsWith("UTF-32") ? 4 : 1;
  }

  @Test
  void charsetsThatTheJdkRefusesAreRefusedInItsWordsAndTakeNothing() {
    for (String name : List.of("windows-1252", "x-UTF-16LE-BOM", "Shift_JIS", "GB18030")) {
      Charset charset = Charset.forName(name);
      assertSameAsJdk(name, arena -> arena.allocateFrom("text", charset));
      assertSameAsJdk(
          "long, " + name, arena -> arena.allocateFrom("x".repeat(blockByteSize()), charset));
    }
    try (Arena arena = open()) {
      MemorySegment last = arena.allocate(16);
      assertThat(Outcome.of(() -> arena.allocateFrom("text", Charset.forName("windows-1252"))))
          .contains("Unsupported charset");
      assertNothingTakenSince(last, arena);
    }
  }
}
