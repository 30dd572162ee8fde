package dev.rockpool.call;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The functions of {@code src/test/c/callstate.c}, compiled by the C compiler of this machine. */
@SuppressWarnings("restricted")
final class TestLibrary {
  private static final SymbolLookup SYMBOLS =
      SymbolLookup.libraryLookup(compiled(Path.of("src/test/c/callstate.c")), Arena.global());

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

  /** A file of its own for each JVM, as several may do this at once. */
  private static Path compiled(Path source) {
    try {
      Path folder = Files.createTempDirectory("callstate");
      Path library = folder.resolve(System.mapLibraryName("callstate"));
      run("cc", "-O2", "-shared", "-fPIC", "-o", library.toString(), source.toString());
      folder.toFile().deleteOnExit(); // after what is in it
      library.toFile().deleteOnExit();
      return library;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The output of a command. These tests need a C compiler, called {@code cc}. */
  static String run(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      try (InputStream out = process.getInputStream()) {
        String said = new String(out.readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
          throw new AssertionError(String.join(" ", command) + " failed: " + said);
        }
        return said;
      }
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(
          "The tests need a C compiler: install gcc. " + String.join(" ", command), e);
    }
  }

  /** The macros of a header, by the preprocessor. */
  static String macrosOf(String header) throws IOException {
    Path source = Files.createTempFile("macros", ".c");
    try {
      Files.writeString(source, "#include <" + header + ">\n");
      return run("cc", "-E", "-dM", source.toString());
    } finally {
      Files.delete(source);
    }
  }
}
