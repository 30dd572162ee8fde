package dev.rockpool.bench;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** The functions of {@code calls.c}, compiled by the C compiler of the machine, {@code cc}. */
@SuppressWarnings("restricted")
final class NativeFunctions {
  private static final SymbolLookup SYMBOLS = load();

  private NativeFunctions() {}

  static MethodHandle downcall(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    return Linker.nativeLinker().downcallHandle(SYMBOLS.findOrThrow(name), descriptor, options);
  }

  private static SymbolLookup load() {
    try {
      Path folder = Files.createTempDirectory("rockpool-bench");
      Path source = folder.resolve("calls.c");
      Path library = folder.resolve(System.mapLibraryName("calls"));
      try {
        compile(source, library);
        return SymbolLookup.libraryLookup(library, Arena.global());
      } finally {
        Files.deleteIfExists(source);
        Files.deleteIfExists(library); // what is loaded stays
        Files.delete(folder);
      }
    } catch (IOException e) {
      throw new IllegalStateException("The benchmarks of calls need a C compiler, cc", e);
    }
  }

  private static void compile(Path source, Path library) throws IOException {
    try (InputStream in = NativeFunctions.class.getResourceAsStream("calls.c")) {
      Files.copy(Objects.requireNonNull(in), source);
    }
    Process compiler =
        new ProcessBuilder("cc", "-O2", "-shared", "-fPIC", "-o", library + "", source + "")
            .redirectErrorStream(true)
            .start();
    String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (compiler.waitFor() != 0) {
        throw new IOException("cc failed: " + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
