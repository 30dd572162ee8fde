package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Test;

/** The snippets of README and Javadoc, run. */
@SuppressWarnings("restricted")
class SnippetsTest {
  private static final MethodHandle STRLEN =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("strlen"),
              FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));

  static final ArenaPool POOL = ArenaPool.builder().blockByteSize(4096).blocksPerThread(2).build();

  @Test
  void arenasAndReadme() throws Throwable {
    try (Arena arena = Arenas.ofConfined()) {
      MemorySegment text = arena.allocateFrom("hello");
      long length = (long) STRLEN.invokeExact(text);
      assertThat(length).isEqualTo(5);
    }
  }

  @Test
  void arenaPool() {
    try (Arena arena = POOL.take()) {
      MemorySegment row = arena.allocate(3000);
      assertThat(row.byteSize()).isEqualTo(3000);
    }
    assertThat(POOL.statistics().arenasClosed()).as("served from the pool").isEqualTo(1);
    assertThat(POOL.statistics().allocationsByJdk()).isZero();
  }
}
