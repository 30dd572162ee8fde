package dev.rockpool.arena;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.rockpool.arena.Twins.TwinArena;
import dev.rockpool.arena.Twins.TwinSegment;
import dev.rockpool.arena.Twins.Use;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** A random sequence of operations on {@link Twins}: nested arenas, used well and badly. */
@SuppressWarnings("restricted")
final class TwinSequence {
  /** Arenas of JDK 28 align small segments as asked, so an address may suit by chance only. */
  private static final ValueLayout.OfInt INT =
      Runtime.version().feature() < 28 ? JAVA_INT : JAVA_INT_UNALIGNED;

  private static final int MOST_OPEN = 6;
  private static final int FEWEST_STEPS = 5;
  private static final int MOST_STEPS = 20;

  private static final long[] BAD_SIZES = {
    -1, -8, Long.MIN_VALUE, Integer.MIN_VALUE, 1L << 62, Long.MAX_VALUE, Long.MAX_VALUE - 7
  };
  private static final long[] BAD_ALIGNMENTS = {
    0, -1, 3, 24, 65, Long.MIN_VALUE, Long.MAX_VALUE, Integer.MIN_VALUE, 1L << 62
  };
  private static final List<String> CHARACTERS = List.of("x", "é", "字", "😀", "\0");
  private static final List<Charset> CHARSETS =
      Stream.of("UTF-8", "US-ASCII", "UTF-16", "UTF-16LE", "UTF-32BE", "windows-1252")
          .map(Charset::forName)
          .toList();

  private final Twins twins;
  private final int blockByteSize;
  private final SplittableRandom random;

  TwinSequence(Twins twins, int blockByteSize, SplittableRandom random) {
    this.twins = twins;
    this.blockByteSize = blockByteSize;
    this.random = random;
  }

  void run() {
    twins.open();
    for (int left = random.nextInt(FEWEST_STEPS, MOST_STEPS); left > 0; left--) {
      step(random.nextInt(100));
    }
    while (openArenas() > 0) {
      close(true, anyArena(100));
    }
    twins.checkPool();
  }

  private void step(int choice) {
    if (choice < 14) {
      open();
    } else if (choice < 45 || twins.segments.isEmpty()) {
      allocate(choice);
    } else if (choice < 60) {
      allocateFrom();
    } else if (choice < 65) {
      addCleanupAction();
    } else if (choice < 76) {
      close(here(), anyArena(80));
    } else {
      access(choice, twins.segments.get(random.nextInt(twins.segments.size())));
    }
  }

  /** Nearly always; else misuse, from another thread. */
  private boolean here() {
    return random.nextInt(16) != 0;
  }

  private long openArenas() {
    return twins.arenas.stream().filter(TwinArena::isAlive).count();
  }

  /** An open arena with a chance of {@code percentOpen}, else any. */
  private TwinArena anyArena(int percentOpen) {
    boolean open = random.nextInt(100) < percentOpen && openArenas() > 0;
    List<TwinArena> candidates =
        open ? twins.arenas.stream().filter(TwinArena::isAlive).toList() : twins.arenas;
    return candidates.get(random.nextInt(candidates.size()));
  }

  private void open() {
    if (openArenas() < MOST_OPEN) {
      twins.open();
    }
  }

  /** Small, around the end of the block, or whatever. */
  private long size() {
    return switch (random.nextInt(8)) {
      case 0, 1, 2, 3 -> random.nextInt(40);
      case 4 -> blockByteSize + random.nextInt(-20, 4);
      case 5, 6 -> random.nextInt(blockByteSize);
      case 7 -> random.nextInt(BlockPool.LARGE_BYTE_SIZE + 100);
      default -> random.nextInt(2 * blockByteSize);
    };
  }

  private static long anyOf(long[] values, SplittableRandom random) {
    return values[random.nextInt(values.length)];
  }

  private void allocate(int choice) {
    boolean badSize = choice % 8 == 0;
    boolean badAlignment = choice % 8 == 1;
    long byteSize = badSize ? anyOf(BAD_SIZES, random) : size();
    long power = 1L << random.nextInt(random.nextInt(6) == 0 ? 13 : 8);
    long alignment = badAlignment ? anyOf(BAD_ALIGNMENTS, random) : power;
    String what = "allocate(" + byteSize + ", " + alignment + ")";
    allocate(power, what, arena -> arena.allocate(byteSize, alignment));
  }

  private void allocate(long alignment, String what, Use<Arena> use) {
    twins.allocate(here(), anyArena(90), alignment, what, use);
  }

  private void allocateFrom() {
    long value = random.nextLong();
    switch (random.nextInt(8)) {
      case 0 -> allocate(8, "long " + value, arena -> arena.allocateFrom(JAVA_LONG, value));
      case 1 -> allocate(1, "byte", arena -> arena.allocateFrom(JAVA_BYTE, (byte) value));
      case 2 ->
          allocate(
              64,
              "int aligned to 64",
              arena -> arena.allocateFrom(JAVA_INT.withByteAlignment(64), (int) value));
      case 3 -> allocateBytes();
      case 4 -> allocateShorts((short) value);
      case 5 -> allocateCopy();
      default -> allocateString();
    }
  }

  private void allocateBytes() {
    byte[] bytes = new byte[(int) size()];
    random.nextBytes(bytes);
    allocate(1, bytes.length + " bytes", arena -> arena.allocateFrom(JAVA_BYTE, bytes));
  }

  private void allocateShorts(short value) {
    short[] shorts = new short[(int) size() / Short.BYTES];
    Arrays.fill(shorts, value);
    allocate(2, shorts.length + " shorts", arena -> arena.allocateFrom(JAVA_SHORT, shorts));
  }

  private void allocateCopy() {
    MemorySegment source = MemorySegment.ofArray(new double[] {1, -2, 3, Double.MIN_VALUE});
    long offset = random.nextInt(-1, 5) * Double.BYTES;
    long count = random.nextInt(-1, 5);
    allocate(
        8,
        count + " doubles at " + offset,
        arena -> arena.allocateFrom(JAVA_LONG, source, JAVA_DOUBLE, offset, count));
  }

  private void allocateString() {
    String character = CHARACTERS.get(random.nextInt(CHARACTERS.size()));
    Charset charset = CHARSETS.get(random.nextInt(CHARSETS.size()));
    String text = character.repeat((int) size() / random.nextInt(1, 5));
    String what = text.length() + " chars '" + character + "' in " + charset;
    allocate(1, what, arena -> arena.allocateFrom(text, charset));
  }

  /** Adds an action that notes what can still be done to the arena, and may throw. */
  private void addCleanupAction() {
    TwinArena twin = anyArena(90);
    boolean throwing = random.nextInt(3) == 0;
    String name = "action " + twins.stepCount() + ": ";
    twins.use(
        here(),
        twin,
        "add cleanup action" + (throwing ? " that throws" : ""),
        arena -> {
          List<String> notes = twin.notesOf(arena);
          MemorySegment _ =
              MemorySegment.NULL.reinterpret(
                  arena,
                  _ -> {
                    notes.add(name + Outcome.of(() -> arena.allocate(8)));
                    notes.add(name + Outcome.of(() -> close(arena)));
                    if (throwing) {
                      throw new IllegalArgumentException(name);
                    }
                  });
          return "added";
        });
  }

  private void close(boolean here, TwinArena twin) {
    twins.use(here, twin, "close", TwinSequence::close);
  }

  private static String close(Arena arena) {
    arena.close();
    return "closed";
  }

  private void access(int choice, TwinSegment twin) {
    long offset = random.nextLong(-1, twin.jdk().byteSize() + 2);
    long value = random.nextLong();
    switch (choice % 8) {
      case 0 -> access(twin, "get byte at " + offset, s -> s.get(JAVA_BYTE, offset));
      case 1 -> access(twin, "get all", s -> Arrays.hashCode(s.toArray(JAVA_BYTE)));
      case 2 -> access(twin, "string at " + offset, s -> s.getString(offset));
      case 3 -> access(twin, "set byte at " + offset, s -> set(s, offset, (byte) value));
      case 4 -> access(twin, "set int at " + offset, s -> set(s, offset, (int) value));
      case 5 -> access(twin, "fill", s -> s.fill((byte) value).byteSize());
      case 6 -> copyInto(twin);
      default -> callNative(twin, (int) value);
    }
  }

  private void access(TwinSegment twin, String what, Use<MemorySegment> use) {
    twins.access(here(), twin, what, use);
  }

  private static Object set(MemorySegment segment, long offset, int value) {
    segment.set(INT, offset, value);
    return value;
  }

  private static Object set(MemorySegment segment, long offset, byte value) {
    segment.set(JAVA_BYTE, offset, value);
    return value;
  }

  private void copyInto(TwinSegment to) {
    TwinSegment from = twins.segments.get(random.nextInt(twins.segments.size()));
    long offset = random.nextLong(from.jdk().byteSize() + 1);
    long byteSize = random.nextLong(to.jdk().byteSize() + 1);
    access(
        to,
        "copy " + byteSize + " bytes from " + offset + " of segment " + from.number(),
        either -> {
          MemorySegment source = either == to.jdk() ? from.jdk() : from.ours();
          MemorySegment.copy(source, offset, either, 0, byteSize);
          return "copied";
        });
  }

  private void callNative(TwinSegment twin, int value) {
    if (value % 2 == 0 || twin.jdk().byteSize() == 0) {
      access(
          twin,
          "memset",
          s -> {
            LibC.memset(s, value);
            return "set";
          });
    } else {
      access(
          twin,
          "strlen",
          s -> {
            s.set(JAVA_BYTE, s.byteSize() - 1, (byte) 0);
            return LibC.strlen(s);
          });
    }
  }
}
