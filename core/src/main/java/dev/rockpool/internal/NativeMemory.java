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

  /** Up to this many bytes are zeroed by a row of stores, more by a bulk fill. */
  private static final int STRAIGHT_LINE = 128;

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
    static final boolean YES = !promisesPageAlignment() && mayReinterpret();

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
  public static MemorySegment segment(long address, long byteSize, Arena arena) {
    return MemorySegment.ofAddress(address).reinterpret(byteSize, arena, null);
  }

  /**
   * Zeroes the first {@code byteSize} bytes of a slab, rounded up to {@link #MALLOC_ALIGNMENT}.
   *
   * <p>For small sizes the loops below have a fixed number of steps, so C2 unrolls both of them
   * into a row of plain stores with an exit after every second one: no loop is left, and since all
   * offsets are constants within a segment of constant size, no bounds are checked. There is one
   * {@code set} in the bytecode because each one costs C2 hundreds of nodes while it parses, and
   * all of an arena's life must fit its inlining budget together with the code that uses the arena.
   */
  public static void zero(long address, int byteSize) {
    if (byteSize > STRAIGHT_LINE) {
      zeroBulk(address, byteSize);
      return;
    }
    MemorySegment memory = MemorySegment.ofAddress(address).reinterpret(STRAIGHT_LINE);
    for (int granule = 0; granule < STRAIGHT_LINE; granule += MALLOC_ALIGNMENT) {
      if (granule >= byteSize) {
        return;
      }
      for (int offset = 0; offset < MALLOC_ALIGNMENT; offset += Long.BYTES) {
        WORD.set(memory, (long) (granule + offset), 0L);
      }
    }
  }

  private static void zeroBulk(long address, int byteSize) {
    MemorySegment.ofAddress(address).reinterpret(byteSize).fill((byte) 0);
  }
}
