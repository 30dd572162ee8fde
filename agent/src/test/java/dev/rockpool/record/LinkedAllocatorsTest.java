package dev.rockpool.record;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.internal.Account;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What handles for C's allocators have charged: what they took, and nothing where they failed. */
@EnabledOnOs(OS.LINUX)
@SuppressWarnings("restricted")
class LinkedAllocatorsTest {
  /** More than any system has, and less than what no allocator accepts. */
  private static final long TOO_LARGE = Long.MAX_VALUE / 2;

  private static final int EINVAL = 22;
  private static final Linker LINKER = Linker.nativeLinker();

  private final AtomicLong charged = new AtomicLong();

  @BeforeEach
  void count() {
    Site.limitBy(
        new Account() {
          @Override
          public void charge(long byteSize) {
            charged.addAndGet(byteSize);
          }

          @Override
          public boolean tryCharge(long byteSize) {
            charge(byteSize);
            return true;
          }

          @Override
          public void refund(long byteSize, boolean isFound) {
            charged.addAndGet(-byteSize);
          }
        });
  }

  @AfterEach
  void leave() {
    Site.limitBy(Account.NONE);
  }

  private static MethodHandle link(SymbolLookup library, String name, FunctionDescriptor type) {
    return LinkedAllocators.bind(LINKER.downcallHandle(type), library.findOrThrow(name));
  }

  private static MethodHandle link(String name, FunctionDescriptor type) {
    return link(LINKER.defaultLookup(), name, type);
  }

  private static final FunctionDescriptor OF_FREE = FunctionDescriptor.ofVoid(JAVA_LONG);
  private static final FunctionDescriptor OF_MALLOC = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG);
  private static final FunctionDescriptor OF_TWO =
      FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG);

  @ParameterizedTest
  @ValueSource(strings = {"calloc", "aligned_alloc"})
  void whatTwoSizesSayIsChargedUntilItIsFreedAndNothingForAFailure(String name) throws Throwable {
    MethodHandle free = link("free", OF_FREE);
    MethodHandle allocate = link(name, OF_TWO);

    assertThat((long) allocate.invokeExact(64L, TOO_LARGE)).isZero();
    assertThat(charged).hasValue(0);

    long made = (long) allocate.invokeExact(16L, 640L);
    assertThat(charged).hasValue(name.equals("calloc") ? 16 * 640 : 640);
    free.invokeExact(made);
    assertThat(charged).hasValue(0);
  }

  @Test
  void whatMallocAndReallocCanNotAllocateIsNotCharged() throws Throwable {
    MethodHandle free = link("free", OF_FREE);
    MethodHandle malloc = link("malloc", OF_MALLOC);
    MethodHandle realloc = link("realloc", OF_TWO);

    assertThat((long) malloc.invokeExact(TOO_LARGE)).isZero();
    assertThat((long) realloc.invokeExact(0L, TOO_LARGE)).isZero();
    assertThat(charged).hasValue(0);

    long made = (long) malloc.invokeExact(1000L);
    assertThat((long) realloc.invokeExact(made, TOO_LARGE)).isZero();
    assertThat(charged).as("still allocated").hasValue(1000);

    made = (long) realloc.invokeExact(made, 3000L);
    assertThat(charged).hasValue(3000);
    made = (long) realloc.invokeExact(made, 500L);
    assertThat(charged).hasValue(500);
    free.invokeExact(made);
    assertThat(charged).hasValue(0);
  }

  /** It leaves the pointer as it was if it fails. */
  @Test
  void errorsOfPosixMemalignAreNoMemory() throws Throwable {
    MethodHandle free = link("free", OF_FREE);
    MethodHandle allocate =
        link("posix_memalign", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment result = arena.allocate(ADDRESS);
      result.set(JAVA_LONG, 0, 4711);

      assertThat((int) allocate.invokeExact(result, 7L, 640L)).isEqualTo(EINVAL);
      assertThat((int) allocate.invokeExact(result, 64L, TOO_LARGE)).isPositive();
      assertThat(charged).hasValue(0);

      assertThat((int) allocate.invokeExact(result, 64L, 640L)).isZero();
      assertThat(charged).hasValue(640);
      free.invokeExact(result.get(JAVA_LONG, 0));
      assertThat(charged).hasValue(0);
    }
  }

  /** A family of its own, whose memory is charged once its own free was linked. */
  @ParameterizedTest
  @ValueSource(strings = {"je_", "mi_"})
  void memoryOfOtherFamiliesIsTheirs(String prefix, @TempDir Path folder) throws Throwable {
    Path source = folder.resolve("family.c");
    Files.writeString(
        source,
        """
        #include <stdlib.h>
        void *PREFIX_malloc(size_t size) { return malloc(size); }
        void PREFIX_free(void *block) { free(block); }
        void *other_malloc(size_t size) { return malloc(size); }
        """
            .replace("PREFIX_", prefix));
    SymbolLookup library = compiled(source, folder.resolve("lib" + prefix + ".so"));
    MethodHandle malloc = link(library, prefix + "malloc", OF_MALLOC);
    MethodHandle other = link(library, "other_malloc", OF_MALLOC);
    link("free", OF_FREE);
    long early = (long) malloc.invokeExact(100L);
    assertThat(charged).as("its free is not linked").hasValue(0);

    MethodHandle free = link(library, prefix + "free", OF_FREE);

    long made = (long) malloc.invokeExact(3000L);
    assertThat(charged).hasValue(3000);
    long unknown = (long) other.invokeExact(70L);
    assertThat(charged).hasValue(3000);
    for (long each : new long[] {made, early, unknown}) {
      free.invokeExact(each);
      assertThat(charged).hasValue(0);
    }
  }

  private static SymbolLookup compiled(Path source, Path library)
      throws IOException, InterruptedException {
    Process compiler =
        new ProcessBuilder("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString())
            .inheritIO()
            .start();
    assertThat(compiler.waitFor()).isZero();
    return SymbolLookup.libraryLookup(library, Arena.global());
  }
}
