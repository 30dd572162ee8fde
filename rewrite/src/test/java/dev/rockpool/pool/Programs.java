package dev.rockpool.pool;

import dev.rockpool.testing.Sources;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Small programs, compiled, and jars of their classes. */
final class Programs {
  /** Prints the class of an arena, which it opens by a call and by a method reference. */
  static final String MAIN =
      """
      package app;
      import java.lang.foreign.*;
      import java.util.function.Supplier;
      public class Main {
        static final Supplier<Arena> ARENAS = Arena::ofConfined;
        public static void main(String[] args) {
          try (Arena arena = Arena.ofConfined(); Arena other = ARENAS.get()) {
            arena.allocate(8);
            System.out.println(arena.getClass().getName() + " " + other.getClass().getName());
          }
        }
      }
      """;

  static final String PLAIN =
      """
      package app;
      public class Plain {
        int ofConfined() { return 1; }
      }
      """;

  static final String SERIALIZABLE =
      """
      package app;
      import java.io.Serializable;
      import java.lang.foreign.Arena;
      import java.util.function.Supplier;
      public class Saved {
        interface Both extends Supplier<Arena>, Serializable {}
        Both arenas = Arena::ofConfined;
      }
      """;

  private Programs() {}

  /** Compiles the sources to a folder, and returns it. */
  static Path compile(Path folder, String... sources) {
    String library = System.getProperty("rockpool.jar");
    return Sources.compileTo(
        folder, library == null ? List.of() : List.of("-cp", library), sources);
  }

  /** The files of a folder, by their names in a jar. */
  static Map<String, byte[]> read(Path folder) throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
        files.put(folder.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return files;
  }

  /** A jar of files; those whose names end in "jar" or "bin" are stored, others compressed. */
  static Path jar(Path jar, Map<String, byte[]> files) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      long time = 1_000_000_000_000L;
      for (Map.Entry<String, byte[]> each : files.entrySet()) {
        JarEntry entry = new JarEntry(each.getKey());
        entry.setTime(time += 86_400_000);
        entry.setComment("about " + each.getKey());
        entry.setExtra(new byte[] {0x11, 0x22, 1, 0, 7});
        if (each.getKey().matches(".*(jar|bin)")) {
          CRC32 crc = new CRC32();
          crc.update(each.getValue());
          entry.setMethod(ZipEntry.STORED);
          entry.setSize(each.getValue().length);
          entry.setCrc(crc.getValue());
        }
        out.putNextEntry(entry);
        out.write(each.getValue());
      }
      out.setComment("a comment");
    }
    return jar;
  }

  /** The contents of a jar's entries, in their order. */
  static Map<String, byte[]> read(ZipFile jar) {
    Map<String, byte[]> files = new LinkedHashMap<>();
    jar.stream()
        .forEach(
            entry -> {
              try {
                files.put(entry.getName(), jar.getInputStream(entry).readAllBytes());
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    return files;
  }

  /** Whether a class file calls the library, and the JDK no more. */
  static boolean isPooled(byte[] classFile) {
    return new String(classFile, StandardCharsets.ISO_8859_1).contains("dev/rockpool/arena/Arenas");
  }
}
