package dev.rockpool.scan;

import static java.util.stream.Collectors.partitioningBy;

import dev.rockpool.scan.Scan.Skipped;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;

/**
 * The classes of one jar or folder, and the jars in it. One thread fills it.
 *
 * <p>A file that can't be read is named, and the rest goes on.
 */
final class Contents {
  /** No honest jar has jars in jars in jars, and on and on. */
  private static final int DEEPEST = 4;

  /** Class files of a jar that one thread reads. */
  private static final int PORTION = 128;

  /** Bytes of a class file that are unpacked at once, until its constant pool is there. */
  private static final int STEP = 1024;

  private static final int LARGEST_CLASS = 64 << 20;

  /** A path; with "!/" and another one for each jar that it is in. */
  final String name;

  /** Its class files that name a type of {@code java.lang.foreign}. */
  final List<ClassFile> foreign = new ArrayList<>();

  final List<Skipped> skipped = new ArrayList<>();

  /** The jars in it. */
  final List<Contents> nested = new ArrayList<>();

  /** The number of class files, of any kind. */
  int classes;

  private final int depth;

  Contents(String name, int depth) {
    this.name = name;
    this.depth = depth;
  }

  static boolean isArchive(String entry) {
    return entry.endsWith(".jar") || entry.endsWith(".war") || entry.endsWith(".ear");
  }

  private static boolean isArchive(ZipEntry entry) {
    return isArchive(entry.getName());
  }

  private static boolean isWanted(ZipEntry entry) {
    return !entry.isDirectory() && (isArchive(entry) || ClassFile.isNamedLikeOne(entry.getName()));
  }

  /** Reads a jar on disk, on all processors. */
  static Contents ofJar(Path path) {
    Contents contents = new Contents(path.toString(), 0);
    try (ZipFile zip = new ZipFile(path.toFile())) {
      Map<Boolean, List<ZipEntry>> entries =
          zip.stream()
              .filter(Contents::isWanted)
              .<ZipEntry>map(entry -> entry)
              .collect(partitioningBy(Contents::isArchive));
      Stream.concat(
              entries.getOrDefault(true, List.of()).stream().map(List::of),
              entries.getOrDefault(false, List.of()).stream()
                  .gather(Gatherers.windowFixed(PORTION)))
          .toList()
          .parallelStream()
          .map(portion -> contents.read(zip, portion))
          .toList()
          .forEach(contents::add);
    } catch (IOException | IllegalArgumentException e) { // the latter: names that are not UTF-8
      contents.skip("", e);
    }
    return contents;
  }

  private Contents read(ZipFile zip, List<ZipEntry> entries) {
    Contents part = new Contents(name, depth);
    for (ZipEntry entry : entries) {
      try (InputStream stream = zip.getInputStream(entry)) {
        if (isArchive(entry)) {
          part.add(entry.getName(), stream.readAllBytes());
        } else {
          part.addClass(entry, stream);
        }
      } catch (IOException | IllegalArgumentException e) {
        part.skip(entry.getName(), e);
      }
    }
    return part;
  }

  /** Reads a class only as far as it takes to know that it does not matter. */
  private void addClass(ZipEntry entry, InputStream stream) throws IOException {
    byte[] bytes = new byte[Math.clamp(entry.getSize(), 0, LARGEST_CLASS)];
    int length = readPool(stream, bytes);
    if (ClassFile.hasMagic(bytes) && !ClassFile.isForeign(bytes, length)) {
      classes++;
      return;
    }
    length += stream.readNBytes(bytes, length, bytes.length - length);
    if (length != entry.getSize() || stream.read() != -1) {
      throw new IOException("its length must be as the jar says: " + entry.getSize() + " bytes");
    }
    add(entry.getName(), bytes);
  }

  /** Reads at least the constant pool, which saves a third of the time, and returns how much. */
  private static int readPool(InputStream stream, byte[] bytes) throws IOException {
    ClassFile.ConstantPool pool = new ClassFile.ConstantPool();
    int length = 0;
    int read;
    do {
      read = stream.readNBytes(bytes, length, Math.min(STEP, bytes.length - length));
      length += read;
    } while (read > 0 && !pool.endsWithin(bytes, length));
    return length;
  }

  /** Reads a jar within a jar from memory: nothing is unpacked to disk. */
  private static Contents ofNestedJar(String name, byte[] bytes, int depth) {
    Contents contents = new Contents(name, depth);
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
      boolean empty = true;
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        empty = false;
        if (isWanted(entry)) {
          contents.add(entry.getName(), zip.readAllBytes());
        }
      }
      if (empty) {
        contents.skip("", "a jar has entries: it has none");
      }
    } catch (IOException | IllegalArgumentException e) {
      contents.skip("", "not read to its end: " + Skipped.because(e, name).reason());
    }
    return contents;
  }

  /** Takes a class file or a jar. */
  void add(String entry, byte[] bytes) {
    if (isArchive(entry)) {
      if (depth == DEEPEST) {
        skip(entry, "a jar in a jar may be " + DEEPEST + " deep: it is deeper");
      } else {
        nested.add(ofNestedJar(name + "!/" + entry, bytes, depth + 1));
      }
      return;
    }
    classes++;
    if (!ClassFile.hasMagic(bytes)) {
      skip(entry, "a class file starts with CAFEBABE: it does not");
    } else if (ClassFile.isForeign(bytes, bytes.length)) {
      foreign.add(new ClassFile(entry, bytes));
    }
  }

  void skip(String entry, String reason) {
    skipped.add(new Skipped(entry.isEmpty() ? name : name + "!/" + entry, reason));
  }

  void skip(String entry, Exception failure) {
    skip(entry, Skipped.because(failure, entry).reason());
  }

  /** Takes over what was read of another part of the same jar or folder. */
  void add(Contents part) {
    foreign.addAll(part.foreign);
    skipped.addAll(part.skipped);
    nested.addAll(part.nested);
    classes += part.classes;
  }
}
