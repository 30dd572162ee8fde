package dev.rockpool.scan;

import dev.rockpool.scan.Scan.Skipped;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The classes of one jar or folder, and the jars in it. One thread fills it.
 *
 * <p>A file that can't be read is named, and the rest goes on. Limits keep a hostile jar from
 * taking all memory, or forever.
 */
final class Contents {
  /** No honest jar has jars in jars in jars, and on and on. */
  private static final int DEEPEST = 4;

  /** Class files of a jar that one thread reads. */
  private static final int PORTION = 128;

  /** Bytes of a class file that are unpacked at once, until its constant pool is there. */
  private static final int STEP = 1024;

  private static final int LARGEST_CLASS = 16 << 20;
  private static final List<String> ARCHIVES = List.of(".jar", ".war", ".ear", ".jmod");

  /** Bytes that a jar on disk may unpack to, with all jars in it. */
  private static final long LARGEST_JAR = 16L << 30;

  /** Bytes of unpacked jars that one thread has in memory, one in the other. */
  private static final long LARGEST_NESTED =
      Math.min(1 << 30, Runtime.getRuntime().maxMemory() / 4);

  /** Larger jars in jars are unpacked one at a time. */
  private static final long LARGE_NESTED = 16 << 20;

  private static final ReentrantLock LARGE = new ReentrantLock();

  /** A path; with "!/" and another one for each jar that it is in. */
  final String name;

  /** The jar or folder that it is in, or is. */
  final Contents outermost;

  /** Its class files that may matter. */
  final List<ClassFile> foreign = new ArrayList<>();

  final List<Skipped> skipped = new ArrayList<>();

  /** The jars in it. */
  final List<Contents> nested = new ArrayList<>();

  /** The number of class files, of any kind. */
  int classes;

  private final ClassFile.Store store;
  private final int depth;

  /** Bytes that were unpacked of the outermost jar. */
  private final AtomicLong unpacked;

  private Contents(String name, @Nullable Contents outermost, ClassFile.Store store, int depth) {
    this.name = name;
    this.outermost = outermost == null ? this : outermost;
    this.unpacked = outermost == null ? new AtomicLong() : outermost.unpacked;
    this.store = store;
    this.depth = depth;
  }

  /** An empty one, of a jar or folder on disk. */
  Contents(String name, ClassFile.Store store) {
    this(name, null, store, 0);
  }

  /** An empty one, to be added to this one. */
  Contents part() {
    return new Contents(name, outermost, store, depth);
  }

  static boolean isArchive(String entry) {
    return ARCHIVES.stream().anyMatch(entry::endsWith);
  }

  /** Reads a jar on disk, on all processors. */
  static Contents ofJar(Path path, ClassFile.Store store) {
    Contents contents = new Contents(path.toString(), store);
    try (Zip zip = Zip.of(path)) {
      contents.add(zip, LARGEST_NESTED);
    } catch (IOException | RuntimeException e) {
      contents.skip("", e);
    }
    return contents;
  }

  private void add(Zip zip, long room) {
    if (!zip.complete) {
      skip("", "the directory of a jar must be whole: it is damaged, and the rest is not read");
    }
    Stream<List<Zip.Entry>> jars =
        zip.entries.stream().filter(entry -> isArchive(entry.name())).map(List::of);
    Stream<List<Zip.Entry>> classFiles =
        zip.entries.stream()
            .filter(entry -> ClassFile.isNamedLikeOne(entry.name()))
            .gather(Gatherers.windowFixed(PORTION));
    // A thread with a large jar in memory must not wait for others, which may want to have one.
    List<List<Zip.Entry>> portions = Stream.concat(jars, classFiles).toList();
    (depth == 0 ? portions.parallelStream() : portions.stream())
        .map(portion -> read(zip, portion, room))
        .toList()
        .forEach(this::add);
  }

  private Contents read(Zip zip, List<Zip.Entry> entries, long room) {
    Contents part = part();
    try (Zip.Reader reader = zip.new Reader()) {
      for (Zip.Entry entry : entries) {
        try {
          if (isArchive(entry.name())) {
            part.addNested(zip, reader, entry, room);
          } else {
            part.addClass(reader, entry);
          }
        } catch (IOException | RuntimeException e) {
          part.skip(entry.name(), e);
        }
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

  private void addNested(Zip zip, Zip.Reader reader, Zip.Entry entry, long room)
      throws IOException {
    if (depth == DEEPEST) {
      throw new IOException("a jar in a jar may be " + DEEPEST + " deep: it is deeper");
    }
    unpack(entry.size());
    Contents inner = new Contents(name + "!/" + entry.name(), outermost, store, depth + 1);
    nested.add(inner);
    try {
      if (Zip.isStored(entry)) {
        inner.add(zip.stored(entry), room);
        return;
      }
      if (entry.size() > room) {
        throw new IOException(
            "a jar in a jar must unpack to at most %d MB, depending on the heap: it has %d MB"
                .formatted(room >> 20, entry.size() >> 20));
      }
      boolean large = entry.size() > LARGE_NESTED;
      if (large) {
        LARGE.lock();
      }
      try {
        inner.add(Zip.of(reader.readAll(entry)), room - entry.size());
      } finally {
        if (large) {
          LARGE.unlock();
        }
      }
    } catch (IOException | RuntimeException e) {
      inner.skip("", e);
    }
  }

  /** Reads a class only as far as it takes to know that it does not matter. */
  private void addClass(Zip.Reader reader, Zip.Entry entry) throws IOException {
    checkSize(entry.size());
    int size = (int) entry.size();
    reader.open(entry);
    ClassFile.ConstantPool pool = new ClassFile.ConstantPool();
    byte[] all = new byte[STEP];
    int length = 0;
    int read;
    do {
      int step = Math.min(STEP, size - length);
      if (length + step > all.length) {
        all = Arrays.copyOf(all, Math.min(Math.max(size, STEP), 2 * all.length));
      }
      read = reader.read(all, length, step);
      length += read;
    } while (read > 0
        && (length < Integer.BYTES || ClassFile.hasMagic(all))
        && !pool.endsWithin(all, length));
    unpack(length);
    if (ClassFile.hasMagic(all)
        && pool.endsWithin(all, length)
        && !ClassFile.mayMatter(all, length)) {
      classes++;
    } else if (length >= Integer.BYTES && !ClassFile.hasMagic(all)) {
      add(entry.name(), Arrays.copyOf(all, Integer.BYTES));
    } else {
      byte[] whole = reader.readAll(entry);
      unpack(whole.length);
      add(entry.name(), whole);
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
    if (!ClassFile.hasMagic(bytes)) {
      skip(entry, "a class file starts with CAFEBABE: it does not");
    } else if (!new ClassFile.ConstantPool().endsWithin(bytes, bytes.length)) {
      skip(entry, ClassFile.DAMAGED + "it breaks off in its constant pool");
    } else if (ClassFile.mayMatter(bytes, bytes.length)) {
      try {
        foreign.add(ClassFile.of(entry, bytes, store));
      } catch (IOException e) {
        skip(entry, e);
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
