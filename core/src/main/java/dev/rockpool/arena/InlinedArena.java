package dev.rockpool.arena;

import dev.rockpool.internal.ForceInline;
import java.lang.foreign.MemorySegment;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A pooled arena where the JVM heeds {@link ForceInline}, which is in java.base, so under the
 * agent: there strings that no slab can hold take the short cut of the JDK's own arena, too.
 *
 * <p>Elsewhere a method of ours between the program and {@code SegmentAllocator.allocateFrom},
 * which the JDK itself has inlined by force, costs far more than it spares: compiled alone it is
 * over C2's limit for inlining, so every string made its arena and segment objects (23 instead of 8
 * ns, and 168 bytes of garbage, for five characters). The library leaves that method alone, and
 * zeroes strings that are too long for a slab before the copy: a fifth more time at 2,000 and at
 * 20,000 characters.
 */
final class InlinedArena extends PooledArena {
  @ForceInline
  InlinedArena(SlabTable table) {
    super(table);
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(String str, Charset charset) {
    Objects.requireNonNull(str);
    Objects.requireNonNull(charset);
    return hasRoom(fewestBytes(str, charset), 1)
        ? super.allocateFrom(str, charset)
        : regular.allocateFrom(str, charset);
  }

  /**
   * The least that {@code str} can take, with its terminator, in any charset that the JDK accepts
   * here. What takes more and then does not fit is the one case in which memory is zeroed before a
   * copy: a string of other than ASCII characters that comes to within a slab's end.
   */
  @ForceInline
  private static long fewestBytes(String str, Charset charset) {
    long characters = str.length() + 1L;
    boolean wide = !charset.equals(StandardCharsets.UTF_8) && charset.name().startsWith("UTF-16");
    return wide ? Character.BYTES * characters : characters;
  }
}
