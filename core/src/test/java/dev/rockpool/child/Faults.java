package dev.rockpool.child;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/** The functions of {@code src/test/c/faults.c}. */
@SuppressWarnings("restricted")
public final class Faults {
  private static final SymbolLookup SYMBOLS =
      SymbolLookup.libraryLookup(CLibraries.library("faults"), Arena.global());

  private static final MethodHandle FILL_AT =
      function("fill_at", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_INT, JAVA_LONG));
  private static final MethodHandle COPY =
      function("copy", FunctionDescriptor.ofVoid(ADDRESS, ADDRESS));
  private static final MethodHandle REMEMBER =
      function("remember", FunctionDescriptor.ofVoid(ADDRESS));
  private static final MethodHandle REMEMBERED =
      function("remembered_address", FunctionDescriptor.of(JAVA_LONG));
  private static final MethodHandle WRITE_REMEMBERED =
      function("write_remembered", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));
  private static final MethodHandle READ_REMEMBERED =
      function("read_remembered", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));

  private Faults() {}

  /** {@code memset} of as many bytes as C is told, from a byte of {@code memory} on. */
  public static void fillAt(MemorySegment memory, long offset, int value, long count)
      throws Throwable {
    FILL_AT.invokeExact(memory, offset, value, count);
  }

  /** {@code strcpy}, which needs room for a zero. */
  public static void copy(MemorySegment to, MemorySegment text) throws Throwable {
    COPY.invokeExact(to, text);
  }

  /** The address that C remembers. */
  public static long remembered() throws Throwable {
    return (long) REMEMBERED.invokeExact();
  }

  /** C keeps the address, whatever becomes of {@code memory}. */
  public static void remember(MemorySegment memory) throws Throwable {
    REMEMBER.invokeExact(memory);
  }

  /** Writes a byte to what C remembers. */
  public static void writeRemembered(long offset, int value) throws Throwable {
    WRITE_REMEMBERED.invokeExact(offset, value);
  }

  /** Reads a byte, 0 to 255, of what C remembers. */
  public static int readRemembered(long offset) throws Throwable {
    return (int) READ_REMEMBERED.invokeExact(offset);
  }

  private static MethodHandle function(String name, FunctionDescriptor descriptor) {
    return Linker.nativeLinker().downcallHandle(SYMBOLS.findOrThrow(name), descriptor);
  }
}
