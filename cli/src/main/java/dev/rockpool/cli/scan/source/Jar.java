package dev.rockpool.cli.scan.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** A jar on disk. Its entries are read on all processors, in portions. */
final class Jar {
  private static final int PORTION = 128;
  private static final int STEP = 1024;
  private static final int LARGEST_CLASS = 64 << 20;

  private Jar() {}

  static Contents read(Path path) {
    Contents contents = new Contents(path.toString(), 0);
    try (ZipFile zip = new ZipFile(path.toFile())) {
      portions(zip).parallelStream()
          .map(portion -> read(zip, path, portion))
          .toList()
          .forEach(contents::add);
    } catch (IOException | IllegalArgumentException e) { // the latter: names that are not UTF-8
      contents.skip("", Reasons.of(e));
    }
    return contents;
  }

  /** Some class files each; but a jar is a portion by itself. */
  private static List<List<ZipEntry>> portions(ZipFile zip) {
    List<List<ZipEntry>> portions = new ArrayList<>();
    List<ZipEntry> classes = new ArrayList<>();
    zip.stream()
        .filter(entry -> !entry.isDirectory() && Contents.isWanted(entry.getName()))
        .forEach(
            entry ->
                (Contents.isArchive(entry.getName()) ? portion(portions) : classes).add(entry));
    for (int i = 0; i < classes.size(); i += PORTION) {
      portions.add(classes.subList(i, Math.min(i + PORTION, classes.size())));
    }
    return portions;
  }

  private static List<ZipEntry> portion(List<List<ZipEntry>> portions) {
    List<ZipEntry> portion = new ArrayList<>();
    portions.add(portion);
    return portion;
  }

  private static Contents read(ZipFile zip, Path path, List<ZipEntry> entries) {
    Contents contents = new Contents(path.toString(), 0);
    for (ZipEntry entry : entries) {
      try {
        read(zip, entry, contents);
      } catch (IOException | IllegalArgumentException e) {
        contents.skip(entry.getName(), Reasons.of(e));
      }
    }
    return contents;
  }

  private static void read(ZipFile zip, ZipEntry entry, Contents contents) throws IOException {
    try (InputStream stream = zip.getInputStream(entry)) {
      if (Contents.isArchive(entry.getName())) {
        contents.add(entry.getName(), stream.readAllBytes());
        return;
      }
      byte[] bytes = new byte[Math.clamp(entry.getSize(), 0, LARGEST_CLASS)];
      int length = readPool(stream, bytes);
      if (ClassFile.hasMagic(bytes) && !ClassFile.isForeign(bytes, length)) {
        contents.addOther();
        return;
      }
      length += stream.readNBytes(bytes, length, bytes.length - length);
      if (length != entry.getSize() || stream.read() != -1) {
        throw new IOException("its length must be as the jar says: " + entry.getSize() + " bytes");
      }
      contents.add(entry.getName(), bytes);
    }
  }

  /** Reads at least the constant pool, which saves a third of the time, and returns how much. */
  private static int readPool(InputStream stream, byte[] bytes) throws IOException {
    ConstantPool pool = new ConstantPool();
    int length = 0;
    int read;
    do {
      read = stream.readNBytes(bytes, length, Math.min(STEP, bytes.length - length));
      length += read;
    } while (read > 0 && !pool.endsWithin(bytes, length));
    return length;
  }
}
