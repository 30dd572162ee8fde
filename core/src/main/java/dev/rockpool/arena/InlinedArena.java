package dev.rockpool.arena;

import dev.rockpool.internal.ForceInline;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A pooled arena under the agent, where the JVM heeds {@link ForceInline}. There a string that does
 * not fit the slab takes the short cut of the JDK's own arena, which skips zeroing.
 *
 * <p>In the library this method, compiled alone, would exceed C2's limit for inlining, because the
 * JDK forces inlining of {@code SegmentAllocator.allocateFrom}. The arena would then escape for
 * every string. So the library does not override the method.
 */
final class InlinedArena extends PooledArena {
  @ForceInline
  InlinedArena(Pool pool, Arena regular) {
    super(pool, regular);
  }

  /** {@inheritDoc} One call less deep than the inherited method, see {@link Pool#open(Arena)}. */
  @Override
  @ForceInline
  public MemorySegment allocateFrom(String str) {
    Objects.requireNonNull(str);
    return ensureRoom(str.length() + 1L, 1)
        ? super.allocateFrom(str, StandardCharsets.UTF_8)
        : fallback().allocateFrom(str);
  }

  @Override
  @ForceInline
  public MemorySegment allocateFrom(String str, Charset charset) {
    Objects.requireNonNull(str);
    Objects.requireNonNull(charset);
    return ensureRoom(fewestBytes(str, charset), 1)
        ? super.allocateFrom(str, charset)
        : fallback().allocateFrom(str, charset);
  }

  /**
   * Returns the fewest bytes that {@code str} can take, with its terminator, in any charset that
   * the JDK accepts here. A string with non-ASCII characters may take more and then not fit; only
   * then is memory zeroed before the copy.
   */
  @ForceInline
  @SuppressWarnings("ReferenceEquality") // UTF_8 is a constant to the compilers; equals is a call
  private static long fewestBytes(String str, Charset charset) {
    long characters = str.length() + 1L;
    return charset == StandardCharsets.UTF_8 ? characters : characters * fewestBytesOfOne(charset);
  }

  private static int fewestBytesOfOne(Charset charset) {
    return charset.name().startsWith("UTF-16") ? Character.BYTES : 1;
  }
}
