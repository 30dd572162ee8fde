package dev.rockpool.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Shared libraries of C, compiled by the system's compiler into the build's folder. */
final class CLibrary {
  private static final Path DIRECTORY = ChildJvm.AGENT_JAR.resolveSibling("c");

  /** Not optimised, as how arguments are passed does not depend on it: the structs are many. */
  private static final List<String> COMMAND =
      List.of("cc", System.getProperty("structs.optimise", "-O0"), "-shared", "-fPIC", "-pthread");

  private CLibrary() {}

  /** The library of this source; compiled anew only if the source has changed. */
  static synchronized Path of(String name, String source) {
    try {
      Files.createDirectories(DIRECTORY);
      Path file = DIRECTORY.resolve(name + ".c");
      Path library = DIRECTORY.resolve("lib" + name + ".so");
      String text = "/* " + String.join(" ", COMMAND) + " */\n" + source;
      if (!Files.exists(library) || !Files.exists(file) || !Files.readString(file).equals(text)) {
        Files.deleteIfExists(library);
        Files.writeString(file, text);
        compile(file, library);
      }
      return library;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static void compile(Path file, Path library) throws IOException {
    List<String> command = new ArrayList<>(COMMAND);
    command.addAll(List.of("-o", library.toString(), file.toString()));
    Process compiler;
    try {
      compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException missing) {
      throw new AssertionError(
          "The tests of structs need a C compiler that is called cc, and its headers"
              + " (Debian: apt-get install gcc libc6-dev): "
              + missing.getMessage(),
          missing);
    }
    String messages = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (compiler.onExit().join().exitValue() != 0) {
      throw new AssertionError(
          "The C compiler failed; it needs the headers of the C library, too (Debian: apt-get"
              + " install gcc libc6-dev): "
              + String.join(" ", command)
              + "\n"
              + messages);
    }
  }
}
