package dev.rockpool.call;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rockpool.child.CLibraries;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;

/** The functions of {@code src/test/c/callstate.c}, and C's own. */
@SuppressWarnings("restricted")
final class TestLibrary {
  private static final SymbolLookup SYMBOLS =
      SymbolLookup.libraryLookup(CLibraries.library("callstate"), Arena.global());

  static final MethodHandle INT_WITH =
      capturing("int_with", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  static final MethodHandle LONG_WITH =
      capturing("long_with", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT));
  static final MethodHandle POINTER_WITH =
      capturing("pointer_with", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
  static final MethodHandle INT_AFTER =
      capturing(
          "int_after", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT));

  private static final MethodHandle STRERROR =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("strerror"),
              FunctionDescriptor.of(ADDRESS, JAVA_INT));

  private TestLibrary() {}

  static MemorySegment symbol(String name) {
    return SYMBOLS.findOrThrow(name);
  }

  /** The text of C's {@code strerror}, called without any of our classes. */
  static String text(int code) throws Throwable {
    return ((MemorySegment) STRERROR.invokeExact(code)).reinterpret(1000).getString(0);
  }

  private static MethodHandle capturing(String name, FunctionDescriptor descriptor) {
    return Linker.nativeLinker().downcallHandle(symbol(name), descriptor, CallState.ERRNO.option());
  }

  /** The macros of a header, by the preprocessor. */
  static String macrosOf(String header) throws IOException {
    CLibraries.assumeNoEmulator("the headers are the machine's");
    Path source = Files.createTempFile("macros", ".c");
    try {
      Files.writeString(source, "#include <" + header + ">\n");
      return CLibraries.run("cc", "-E", "-dM", source.toString());
    } finally {
      Files.delete(source);
    }
  }
}
