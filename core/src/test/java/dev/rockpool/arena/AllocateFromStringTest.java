package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Strings in each charset: the bytes that the JDK writes, wherever in the slab they end. */
class AllocateFromStringTest extends ArenaContract {
  /** All that the JDK accepts. */
  static List<Charset> charsets() {
    return Stream.of(
            "US-ASCII",
            "ISO-8859-1",
            "UTF-8",
            "UTF-16",
            "UTF-16BE",
            "UTF-16LE",
            "UTF-32",
            "UTF-32BE",
            "UTF-32LE")
        .map(Charset::forName)
        .toList();
  }

  /** One character each, of one to four bytes in UTF-8; the last is a pair of surrogates. */
  private static final List<String> CHARACTERS = List.of("x", "\0", "é", "字", "😀");

  private static final List<String> TEXTS =
      List.of(
          "",
          "a",
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
    }
  }

  @Test
  void withoutCharsetItIsUtf8() {
    for (String text : TEXTS) {
      assertSameAsJdk(text, arena -> arena.allocateFrom(text));
    }
  }

  @ParameterizedTest
  @MethodSource("charsets")
  void stringsThatEndAroundTheEndOfTheSlabAreThoseOfTheJdk(Charset charset) {
    for (String character : CHARACTERS) {
      int tried = 0;
      for (String text = around(character, charset); ; text += "x") {
        String string = text;
        int byteSize = byteSize(text, charset);
        if (byteSize > slabByteSize() + 2) {
          break;
        }
        assertSameAsJdk(
            byteSize + " bytes of " + charset, arena -> arena.allocateFrom(string, charset));
        tried++;
      }
      assertThat(tried).as("lengths of '%s' in %s", character, charset).isGreaterThanOrEqualTo(5);
    }
  }

  /** A row of {@code character} that takes, with terminator, at most 18 bytes less than a slab. */
  private String around(String character, Charset charset) {
    int perCharacter = (character + character).getBytes(charset).length;
    perCharacter -= character.getBytes(charset).length;
    int overhead = byteSize("", charset) + 2 * Character.BYTES;
    return character.repeat((slabByteSize() - 18 - overhead) / perCharacter);
  }

  private static int byteSize(String text, Charset charset) {
    int terminator =
        charset.name().startsWith("UTF-16") ? 2 : charset.name().startsWith("UTF-32") ? 4 : 1;
    return text.getBytes(charset).length + terminator;
  }

  @Test
  void stringThatFillsTheSlabIsServedFromItAndOneThatNoneHoldsIsNot() {
    try (Arena arena = open()) {
      MemorySegment full = arena.allocateFrom("x".repeat(slabByteSize() - 1));
      assertThat(owned()).isEqualTo(ownedBy(1));
      assertThat(full.byteSize()).isEqualTo(slabByteSize());
    }
    try (Arena arena = open()) {
      int ownedBefore = owned();
      arena.allocateFrom("x".repeat(largestByteSize()));
      assertThat(owned()).isEqualTo(ownedBefore);
    }
  }

  @ParameterizedTest
  @MethodSource("charsets")
  void stringsOneAfterAnotherDoNotTouchEachOther(Charset charset) {
    try (Arena arena = open()) {
      List<MemorySegment> strings =
          TEXTS.stream().map(text -> arena.allocateFrom(text, charset)).toList();
      MemorySegment behind = arena.allocate(32);
      for (int i = 0; i < TEXTS.size(); i++) {
        byte[] text = TEXTS.get(i).getBytes(charset);
        assertThat(strings.get(i).toArray(ValueLayout.JAVA_BYTE))
            .as(TEXTS.get(i))
            .isEqualTo(Arrays.copyOf(text, byteSize(TEXTS.get(i), charset)));
      }
      assertZero(behind);
    }
  }

  @ParameterizedTest
  @MethodSource("charsets")
  void stringsAreReadBack(Charset charset) {
    for (String text : TEXTS) {
      assertSameAsJdk(text, arena -> arena.allocateFrom(text, charset).getString(0, charset));
    }
  }

  @Test
  void charsetsThatTheJdkRefusesAreRefusedInItsWords() {
    for (String name : List.of("windows-1252", "x-UTF-16LE-BOM", "Shift_JIS", "GB18030")) {
      Charset charset = Charset.forName(name);
      assertSameAsJdk(name, arena -> arena.allocateFrom("text", charset));
      assertSameAsJdk(
          "long, " + name, arena -> arena.allocateFrom("x".repeat(slabByteSize()), charset));
    }
  }

  @Test
  void refusedCharsetTakesNothingFromTheSlab() {
    try (Arena arena = open()) {
      arena.allocateFrom("sixteen bytes ..");
      assertThat(Outcome.of(() -> arena.allocateFrom("text", Charset.forName("windows-1252"))))
          .isEqualTo(
              "throws java.lang.IllegalArgumentException: Unsupported charset: windows-1252");
      assertThat(takeRoomLeft(arena)).isEqualTo(isPooled() ? runByteSize() - 32 : 16);
    }
  }

  @Test
  void stringIsTerminatedAlthoughTheMemoryWasUsedBefore() {
    for (Charset charset : charsets()) {
      try (Arena arena = open()) {
        arena.allocate(64).fill((byte) -1);
      }
      try (Arena arena = open()) {
        MemorySegment text = arena.allocateFrom("seventeen letters", charset);
        assertThat(text.getString(0, charset)).isEqualTo("seventeen letters");
      }
    }
    assertThat(charsets()).contains(StandardCharsets.UTF_8, StandardCharsets.UTF_16);
  }
}
