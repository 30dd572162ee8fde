package dev.rockpool.structs;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A struct of C, and what C does with it: invert some bits of each byte, join structs by XOR.
 *
 * @param fields a letter for each, of {@link #LETTERS}
 */
public record Struct(String name, String fields, StructLayout layout) {
  /**
   * In registers of one kind, of both, in memory; with gaps; of sizes around the 256 bytes that the
   * JDK keeps for a thread and the 512 of a block. The first {@link #FEW} are one of each way.
   */
  static final List<Struct> ALL =
      Stream.concat(
              Stream.of("ll", "dd", "ld", "ffi", "ldif", "bsi", "plff", "l".repeat(16)),
              Stream.concat(
                  Stream.of("b", "f", "d", "dl", "ff", "bl", "lb", "bdb", "sss", "lll", "dddd"),
                  Stream.of(15, 17, 63, 64, 255, 256, 257).map("b"::repeat)))
          .map(Struct::of)
          .toList();

  static final int FEW = 8;

  /** More than the JDK keeps for a thread, and than a block has. */
  static final List<Struct> LARGE = Stream.of(38, 75).map("l"::repeat).map(Struct::of).toList();

  private static final String LETTERS = "bsilpfd";
  private static final byte INVERTED = 0x2a;

  private static final String IN_C =
      """
      struct S S_invert(struct S s) {
        unsigned char *p = (unsigned char *) &s;
        for (size_t i = 0; i < sizeof s; i++) p[i] ^= 0x2a;
        return s;
      }
      static struct S S_join(struct S s, struct S t, int more) {
        unsigned char *p = (unsigned char *) &s, *q = (unsigned char *) &t;
        for (size_t i = 0; i < sizeof s; i++) p[i] ^= q[i];
        p[0] ^= more;
        return s;
      }
      struct S S_fail(struct S s, int32_t error) { errno = error; return S_invert(s); }
      struct S S_call(struct S (*f)(struct S), struct S s, int32_t times) {
        while (times-- > 0) s = f(s);
        return s;
      }
      struct S S_mixed(int8_t a, struct S b, double c, struct S d, float e, int64_t f, double g, struct S h, int16_t i) {
        return S_join(S_join(b, d, 0), h, (int) (a + c + e + f + g + i) & 0x3f);
      }
      struct S S_call_mixed(struct S (*x)(int8_t, struct S, double, struct S, float, int64_t, double, struct S, int16_t),
          struct S b, struct S d, struct S h) {
        return x(1, b, 2, d, 3, 4, 5, h, 6);
      }
      struct S S_fold(int32_t times, ...) {
        va_list rest;
        va_start(rest, times);
        struct S s = va_arg(rest, struct S);
        while (--times > 0) {
          int more = (int) va_arg(rest, double);
          s = S_join(s, va_arg(rest, struct S), more);
        }
        va_end(rest);
        return s;
      }
      struct S_work { struct S (*f)(struct S); struct S s; };
      static void *S_on_thread(void *argument) {
        struct S_work *work = argument;
        work->s = S_call(work->f, work->s, 3);
        return 0;
      }
      struct S S_on_threads(struct S (*f)(struct S), struct S s, int32_t threads) {
        struct S_work work = {f, s};
        while (threads-- > 0) {
          pthread_t thread;
          if (pthread_create(&thread, 0, S_on_thread, &work) == 0) pthread_join(thread, 0);
        }
        return work.s;
      }
      """;

  /** The source in C of the functions for all structs. */
  public static String source() {
    return Stream.concat(ALL.stream(), LARGE.stream())
        .map(each -> (each.declaration() + IN_C).replaceAll("\\bS(?=\\b|_)", each.name))
        .collect(
            Collectors.joining(
                "",
                """
                #include <errno.h>
                #include <pthread.h>
                #include <stdarg.h>
                #include <stdint.h>
                #include <stddef.h>
                """,
                ""));
  }

  private String declaration() {
    List<String> types =
        List.of("int8_t", "int16_t", "int32_t", "int64_t", "void *", "float", "double");
    return IntStream.range(0, fields.length())
        .mapToObj(i -> types.get(LETTERS.indexOf(fields.charAt(i))) + " f" + i + ";")
        .collect(Collectors.joining(" ", "struct S { ", " };\n"));
  }

  private static Struct of(String fields) {
    List<ValueLayout> layouts =
        List.of(
            JAVA_BYTE,
            ValueLayout.JAVA_SHORT,
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_LONG,
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_FLOAT,
            ValueLayout.JAVA_DOUBLE);
    List<MemoryLayout> parts = new ArrayList<>();
    long end = 0;
    long alignment = 1;
    for (char letter : fields.toCharArray()) {
      ValueLayout field = layouts.get(LETTERS.indexOf(letter));
      end = padded(parts, end, field.byteAlignment()) + field.byteSize();
      parts.add(field);
      alignment = Math.max(alignment, field.byteAlignment());
    }
    padded(parts, end, alignment);
    String name = "s" + fields.length() + fields.substring(0, Math.min(5, fields.length()));
    return new Struct(name, fields, MemoryLayout.structLayout(parts.toArray(MemoryLayout[]::new)));
  }

  private static long padded(List<MemoryLayout> parts, long end, long alignment) {
    long padding = -end & alignment - 1;
    if (padding > 0) {
      parts.add(MemoryLayout.paddingLayout(padding));
    }
    return end + padding;
  }

  /** None of those between fields, which C may change. */
  private void eachByte(LongConsumer use) {
    long at = 0;
    for (MemoryLayout part : layout.memberLayouts()) {
      for (long i = 0; i < part.byteSize() && !(part instanceof PaddingLayout); i++) {
        use.accept(at + i);
      }
      at += part.byteSize();
    }
  }

  /** Made from the seed, with bytes of which no float or double is NaN. */
  MemorySegment make(SegmentAllocator allocator, long seed) {
    MemorySegment made = allocator.allocate(layout);
    Random random = new Random(seed);
    eachByte(at -> made.set(JAVA_BYTE, at, (byte) random.nextInt(0x40)));
    return made;
  }

  MemorySegment invert(MemorySegment struct) {
    eachByte(at -> struct.set(JAVA_BYTE, at, (byte) (struct.get(JAVA_BYTE, at) ^ INVERTED)));
    return struct;
  }

  /** The first one, joined with others, and the first byte with something more. */
  MemorySegment join(int more, MemorySegment struct, MemorySegment... others) {
    for (MemorySegment other : others) {
      eachByte(
          at ->
              struct.set(
                  JAVA_BYTE, at, (byte) (struct.get(JAVA_BYTE, at) ^ other.get(JAVA_BYTE, at))));
    }
    struct.set(JAVA_BYTE, 0, (byte) (struct.get(JAVA_BYTE, 0) ^ more));
    return struct;
  }

  void checkEqual(MemorySegment expected, MemorySegment found, String what) {
    eachByte(
        at -> {
          if (expected.get(JAVA_BYTE, at) != found.get(JAVA_BYTE, at)) {
            throw new AssertionError(what + ", byte " + at + " of " + fields);
          }
        });
  }
}
