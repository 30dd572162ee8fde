package dev.rockpool.child;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Shared libraries of the sources in {@code src/test/c}. */
public final class CLibraries {
  /** Where they are compiled already, for an emulator, as its C compiler is the machine's. */
  private static final @Nullable String COMPILED = System.getenv("ROCKPOOL_TEST_LIBRARIES");

  private CLibraries() {}

  /** Skips a test that an emulator can't run. */
  public static void assumeNoEmulator(String reason) {
    assumeTrue(COMPILED == null, reason);
  }

  /** The library of {@code name.c}. A file of its own for each JVM, as several may compile it. */
  public static Path library(String name) {
    String file = System.mapLibraryName(name);
    if (COMPILED != null) {
      return Path.of(COMPILED, file).toAbsolutePath();
    }
    try {
      Path folder = Files.createTempDirectory(name);
      Path library = folder.resolve(file);
      Path source = Path.of("src", "test", "c", name + ".c").toAbsolutePath();
      run("cc", "-O2", "-shared", "-fPIC", "-o", library.toString(), source.toString());
      folder.toFile().deleteOnExit(); // after what is in it
      library.toFile().deleteOnExit();
      return library;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The output of a command, that of the C compiler. */
  public static String run(String... command) {
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
          "The tests need a C compiler: ./rockpool --install installs it. "
              + String.join(" ", command),
          e);
    }
  }
}
