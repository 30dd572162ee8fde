package dev.rockpool.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Raw native memory, by address: where slabs come from, how they become segments, how they are
 * zeroed. Everything here is the JDK's public API.
 */
@SuppressWarnings("restricted")
public final class NativeMemory {
  /** What malloc promises on 64-bit systems, and so what each segment of a JDK arena starts on. */
  public static final int MALLOC_ALIGNMENT = 16;

  /** Where slabs start, so that a small arena touches one cache line. */
  public static final int CACHE_LINE = 64;

  /** Up to this many bytes are zeroed by a row of stores, more by a bulk copy. */
  private static final int STRAIGHT_LINE = 192;

  /** The bytes of that row between one look at whether it is enough and the next. */
  private static final int BLOCK = 32;

  /** Unaligned, because that spares the check of the alignment. */
  private static final VarHandle WORD = ValueLayout.JAVA_LONG_UNALIGNED.varHandle();

  private NativeMemory() {}

  /**
   * Whether slabs may be handed out in this JVM. Where the user can do something about a no, it is
   * said once on standard error.
   */
  public static boolean isUsable() {
    return Usable.YES;
  }

  /** Holds the answer of {@link #isUsable}, found out when it is first asked for. */
  private static final class Usable {
    private static final int SMALLEST_PAGE = 4096;
    static final boolean YES = isOptimized() && !promisesPageAlignment() && mayReinterpret();

    /**
     * Whether this JVM has a compiler that makes arenas vanish. Interpreted, or compiled by C1
     * alone ({@code -Xint}, {@code -XX:TieredStopAtLevel=1}), making a segment from an address
     * costs more than malloc and free, so there the JDK's own arenas are the faster ones.
     */
    private static boolean isOptimized() {
      String mode = System.getProperty("java.vm.info", "");
      return !mode.contains("interpreted mode") && !mode.contains("emulated-client");
    }

    /**
     * Whether this JVM was started with {@code -Dsun.nio.PageAlignDirectMemory=true}: then each
     * segment of the JDK starts on a page, a promise that slabs would break. The JDK hides that
     * property from the program, so look at what it does: without it, malloc does not put three
     * bytes in a row at the start of a page each.
     */
    private static boolean promisesPageAlignment() {
      try (Arena arena = Arena.ofConfined()) {
        long bits = 0;
        for (int i = 0; i < 3; i++) {
          bits |= arena.allocate(1).address();
        }
        return bits % SMALLEST_PAGE == 0;
      }
    }

    private static boolean mayReinterpret() {
      try {
        segment(0, 0, Arena.global());
        return true;
      } catch (IllegalCallerException denied) {
        Module module = NativeMemory.class.getModule();
        Notices.print(
            "Native access is denied to Rockpool, so arenas are the JDK's own. To have them pooled,"
                + " start java with --enable-native-access="
                + (module.isNamed() ? module.getName() : "ALL-UNNAMED")
                + ".");
        return false;
      }
    }
  }

  /**
   * A segment of {@code byteSize} bytes at {@code address} with the lifetime of {@code arena}.
   *
   * @throws IllegalStateException if {@code arena} is closed
   * @throws WrongThreadException if {@code arena} is confined to another thread
   */
  @ForceInline
  public static MemorySegment segment(long address, long byteSize, Arena arena) {
    return MemorySegment.ofAddress(address).reinterpret(byteSize, arena, null);
  }

  /**
   * Zeroes the first {@code byteSize} bytes of a slab, at least one, rounded up to 32.
   *
   * <p>Up to 192 bytes this compiles to a row of plain stores with an exit after every fourth: both
   * loops have a fixed and small number of steps, so C2 unrolls them, and the offsets are constants
   * within a segment of constant size, so no bounds are checked. There is one {@code set} in the
   * bytecode because each costs C2 some 700 nodes while it parses, and the whole life of an arena
   * must fit its inlining budget together with the code that uses the arena. A loop up to {@code
   * byteSize} was slower: C2 cannot know how often it runs, and prepares for many times.
   */
  @ForceInline
  public static void zero(long address, int byteSize) {
    MemorySegment slab = All.MEMORY.asSlice(address, STRAIGHT_LINE);
    for (int block = 0; block < STRAIGHT_LINE; block += BLOCK) {
      for (int word = 0; word < BLOCK; word += Long.BYTES) {
        WORD.set(slab, (long) (block + word), 0L);
      }
      if (byteSize <= block + BLOCK) {
        return;
      }
    }
    zeroBulk(address + STRAIGHT_LINE, byteSize - STRAIGHT_LINE);
  }

  /**
   * Copies zeroes, which from some hundred bytes on is faster than {@link MemorySegment#fill}: 9
   * against 18 ns for 1 KiB, 20 against 77 ns for 4 KiB (x86-64 with AVX-512, JDK 25).
   */
  private static void zeroBulk(long address, int byteSize) {
    for (long offset = 0; offset < byteSize; offset += Zeroes.BYTE_SIZE) {
      long length = Math.min(Zeroes.BYTE_SIZE, byteSize - offset);
      MemorySegment.copy(Zeroes.SOURCE, 0, All.MEMORY, address + offset, length);
    }
  }

  /**
   * All of memory, to be written to by address: a slice of it costs one check of bounds, where
   * {@code reinterpret} also looks for its caller, some hundred nanoseconds before C2 has compiled
   * it.
   */
  private static final class All {
    static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  /** A block that nobody writes to. */
  private static final class Zeroes {
    static final long BYTE_SIZE = 4096;
    static final MemorySegment SOURCE = Arena.global().allocate(BYTE_SIZE, CACHE_LINE).asReadOnly();
  }
}
