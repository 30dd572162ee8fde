package dev.rockpool.scan;

import dev.rockpool.scan.Scan.Skipped;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Gatherers;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * The classes of one jar or folder, and the jars in it. One thread fills it.
 *
 * <p>A file that can't be read is named, and the rest goes on. Limits keep a hostile jar from
 * taking all memory, or forever.
 */
final class Contents {
  /** No honest jar has jars in jars in jars, and on and on. */
  private static final int DEEPEST = 4;

  /** Entries of a jar that one thread reads. */
  private static final int PORTION = 128;

  /** In which any bytes are a name; names that are marked as UTF-8 are read as such. */
  private static final Charset NAMES = StandardCharsets.ISO_8859_1;

  private static final int STEP = 64 << 10;
  private static final int LARGEST_CLASS = 16 << 20;
  private static final List<String> ARCHIVES = List.of(".jar", ".war", ".ear", ".jmod");

  /** Bytes that a jar on disk may unpack to, with all jars in it. */
  private static final long LARGEST_JAR = 16L << 30;

  /** Bytes of a jar in a jar, which is unpacked to a temporary file. */
  private static final long LARGEST_NESTED = 1L << 30;

  /** A path; with "!/" and another one for each jar that it is in. */
  final String name;

  final List<ClassFile> foreign = new ArrayList<>();

  final List<Skipped> skipped = new ArrayList<>();

  final List<Contents> nested = new ArrayList<>();

  int classes;

  private final int depth;

  /** Bytes that were unpacked of the outermost jar. */
  private final AtomicLong unpacked;

  private Contents(String name, AtomicLong unpacked, int depth) {
    this.name = name;
    this.unpacked = unpacked;
    this.depth = depth;
  }

  Contents(String name) {
    this(name, new AtomicLong(), 0);
  }

  /** Makes an empty one, to be added to this one. */
  Contents part() {
    return new Contents(name, unpacked, depth);
  }

  static boolean isArchive(String entry) {
    return ARCHIVES.stream().anyMatch(entry::endsWith);
  }

  /** Reads a jar on disk, on all processors. */
  static Contents ofJar(Path path) {
    Contents contents = new Contents(path.toString());
    contents.addJar(path);
    return contents;
  }

  private void addJar(Path path) {
    try (ZipFile zip = new ZipFile(path.toFile(), NAMES)) {
      List<? extends ZipEntry> entries =
          zip.stream()
              .filter(each -> isArchive(each.getName()) || ClassFile.isNamedLikeOne(each.getName()))
              .toList();
      entries.stream().gather(Gatherers.windowFixed(PORTION)).toList().parallelStream()
          .map(portion -> read(zip, portion))
          .toList()
          .forEach(this::add);
    } catch (ZipException e) {
      skip("", "a jar must be whole, and such as the JDK can read: " + e.getMessage());
    } catch (IOException | RuntimeException e) {
      skip("", e);
    }
  }

  private Contents read(ZipFile zip, List<? extends ZipEntry> entries) {
    Contents part = part();
    for (ZipEntry entry : entries) {
      try {
        if (isArchive(entry.getName())) {
          part.addNested(zip, entry);
        } else {
          part.addClass(zip, entry);
        }
      } catch (EOFException | ZipException damaged) {
        part.skip(entry.getName(), "an entry of a jar must be whole: " + damaged.getMessage());
      } catch (IOException | RuntimeException e) {
        part.skip(entry.getName(), e);
      }
    }
    return part;
  }

  private void unpack(long bytes) throws IOException {
    if (bytes > LARGEST_JAR || unpacked.addAndGet(bytes) > LARGEST_JAR) {
      throw new IOException(
          "a jar must unpack to at most " + (LARGEST_JAR >> 30) + " GB in all: it has more");
    }
  }

  private void addNested(ZipFile zip, ZipEntry entry) throws IOException {
    if (depth == DEEPEST) {
      throw new IOException("a jar in a jar may be " + DEEPEST + " deep: it is deeper");
    }
    if (entry.getSize() > LARGEST_NESTED) {
      throw new IOException(
          "a jar in a jar must have at most %d MB: it has %d MB"
              .formatted(LARGEST_NESTED >> 20, entry.getSize() >> 20));
    }
    unpack(entry.getSize());
    Path copy = Files.createTempFile("rockpool-scan", ".jar");
    try {
      copy(zip, entry, copy);
      Contents inner = new Contents(name + "!/" + entry.getName(), unpacked, depth + 1);
      nested.add(inner);
      inner.addJar(copy);
    } finally {
      Files.delete(copy);
    }
  }

  /** Copies no more than the jar says, because a few bytes may unpack to any number. */
  private static void copy(ZipFile zip, ZipEntry entry, Path to) throws IOException {
    try (InputStream in = zip.getInputStream(entry);
        OutputStream out = Files.newOutputStream(to)) {
      byte[] step = new byte[STEP];
      long left = entry.getSize();
      for (int read = in.read(step); read > 0 && left >= 0; read = in.read(step)) {
        out.write(step, 0, read);
        left -= read;
      }
      checkLength(left == 0, entry);
    }
  }

  private void addClass(ZipFile zip, ZipEntry entry) throws IOException {
    checkSize(entry.getSize());
    unpack(entry.getSize());
    try (InputStream in = zip.getInputStream(entry)) {
      byte[] bytes = in.readNBytes((int) entry.getSize());
      checkLength(bytes.length == entry.getSize() && in.read() < 0, entry);
      add(entry.getName(), bytes);
    }
  }

  private static void checkLength(boolean isRight, ZipEntry entry) throws ZipException {
    if (!isRight) {
      throw new ZipException("it has not the " + entry.getSize() + " bytes that the jar says");
    }
  }

  static void checkSize(long size) throws IOException {
    if (size > LARGEST_CLASS) {
      throw new IOException(
          "a class file must have at most %d MB: it has %d MB"
              .formatted(LARGEST_CLASS >> 20, size >> 20));
    }
  }

  void add(String entry, byte[] bytes) {
    classes++;
    int poolEnd = ClassFile.poolEnd(bytes);
    if (!ClassFile.hasMagic(bytes)) {
      skip(entry, "a class file starts with CAFEBABE: it does not");
    } else if (poolEnd < 0) {
      skip(entry, ClassFile.DAMAGED + "it breaks off in its constant pool");
    } else if (ClassFile.mayMatter(bytes, poolEnd)) {
      try {
        foreign.add(ClassFile.of(entry, bytes));
      } catch (RuntimeException e) {
        skipped.add(ClassFile.unreadable(nameOf(entry), e));
      }
    }
  }

  /** The name of what is in it; a class file that is an argument is all of itself. */
  String nameOf(String entry) {
    return entry.isEmpty() || ClassFile.isNamedLikeOne(name) ? name : name + "!/" + entry;
  }

  void skip(String entry, String reason) {
    skipped.add(new Skipped(nameOf(entry), reason));
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
