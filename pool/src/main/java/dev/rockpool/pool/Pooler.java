package dev.rockpool.pool;

import dev.rockpool.agent.PooledClass;
import dev.rockpool.agent.PooledClass.Filter;
import dev.rockpool.pool.PoolResult.Skipped;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites classes, so that their calls of {@code Arena.ofConfined()} lead to {@code
 * dev.rockpool.arena.Arenas}, which the program must then have on its class path.
 *
 * <p>All input is read before anything is written, so bad input changes nothing. Each file is
 * written beside its place and moved there.
 *
 * @param include patterns of which a class name must match one; empty for any
 * @param exclude patterns of which a class name must match none
 * @param dropSignatures whether to remove the signatures of signed jars, which otherwise are
 *     refused, because the rewritten classes would not match them
 */
public record Pooler(List<String> include, List<String> exclude, boolean dropSignatures) {
  /** Most jars in one another; deployments have two. */
  private static final int DEEPEST = 4;

  /** Most bytes of an array. */
  private static final int LARGEST = Integer.MAX_VALUE - 16;

  /** Most bytes of a class that is looked at; the JVM's limits allow few that are larger. */
  private static final int LARGEST_CLASS = 1 << 24;

  private static final String ARENAS_CLASS = "dev/rockpool/arena/Arenas.class";
  private static final Pattern SIGNATURE =
      Pattern.compile("META-INF/([^/]*\\.(SF|RSA|DSA|EC)|SIG-[^/]*)", Pattern.CASE_INSENSITIVE);

  /** Places of jars whose classes the loader of the jar around them loads. */
  private static final Pattern LIBRARY_PLACES =
      Pattern.compile("(BOOT-INF/lib|WEB-INF/lib(-provided)?)/[^/]*\\.jar");

  /**
   * Checks and copies the patterns.
   *
   * @throws IllegalArgumentException if a pattern could match no class name
   */
  public Pooler {
    Filter checked = new Filter(include, exclude);
    include = checked.include();
    exclude = checked.exclude();
  }

  /**
   * Rewrites a jar, a folder or a class file.
   *
   * @param input stays as it is
   * @param output the jar or class file to make, or to replace; the folder to make
   * @throws IllegalArgumentException if the input can't be rewritten, or the output is part of it
   */
  public PoolResult rewrite(Path input, Path output) throws IOException {
    Path from = real(input);
    requireName(output, "output");
    if (Files.isDirectory(from)) {
      if (absolute(output).startsWith(from)) {
        throw new IllegalArgumentException(
            "The output must not be in the input: it is " + output + ", in " + input);
      }
      if (Files.exists(output)) {
        throw new IllegalArgumentException(
            "The output of a folder must be a new folder: " + output + " exists");
      }
    } else if (Files.exists(output) && Files.isSameFile(from, output)) {
      throw new IllegalArgumentException(
          "The output must not be the input, unless that is asked for: it is " + output);
    } else if (Files.exists(output, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(output)) {
      throw new IllegalArgumentException(
          "The output of a file must be a file: "
              + output
              + " is "
              + (Files.isDirectory(output) ? "a folder" : "a device, a pipe or a broken link"));
    } else {
      checkWritable(output);
    }
    Path folder = absolute(output).getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new IllegalArgumentException(
          "The output must be in a folder that exists: it is " + output);
    }
    Work work = new Work();
    if (Files.isDirectory(from)) {
      copy(from, work.folder(from), absolute(output));
    } else {
      byte[] bytes = bytes(from);
      byte[] changed = work.file(input, bytes);
      write(from, changed == null ? bytes : changed, absolute(output));
    }
    return work.result();
  }

  /**
   * Rewrites a jar, a folder or a class file in its place. Files without call sites are not
   * touched, so a second run writes nothing.
   *
   * @throws IllegalArgumentException if the input can't be rewritten
   */
  public PoolResult rewrite(Path place) throws IOException {
    Path from = real(place);
    Work work = new Work();
    if (Files.isDirectory(from)) {
      Map<Path, byte[]> changed = work.folder(from);
      for (Path each : changed.keySet()) {
        checkWritable(each);
      }
      for (Map.Entry<Path, byte[]> each : changed.entrySet()) {
        write(each.getKey(), each.getValue(), each.getKey());
      }
    } else {
      byte[] changed = work.file(place, bytes(from));
      if (changed != null) {
        checkWritable(from);
        write(from, changed, from);
      }
    }
    return work.result();
  }

  private static Path real(Path path) throws IOException {
    requireName(path, "input");
    try {
      return path.toRealPath();
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException(
          "The input must be a jar, a folder or a class file: there is no " + path, e);
    }
  }

  /** Refuses the empty path, which stands for the working directory: a variable was not set. */
  private static void requireName(Path path, String what) {
    if (path.toString().isEmpty()) {
      throw new IllegalArgumentException(
          "The " + what + " must be named: its path is empty; . is the working directory");
    }
  }

  /** Refuses a file that is protected: to be replaced, it need only be in a writable folder. */
  private static void checkWritable(Path output) throws IOException {
    if (Files.isRegularFile(output) && (!Files.isWritable(output) || isProtected(output))) {
      throw new IllegalArgumentException(
          "The file to replace must be writable: " + output + " is read-only");
    }
  }

  /** Whether the owner may not write: root may, but does not expect to. */
  private static boolean isProtected(Path file) throws IOException {
    PosixFileAttributeView view = posix(file);
    return view != null
        && !view.readAttributes().permissions().contains(PosixFilePermission.OWNER_WRITE);
  }

  private static byte[] bytes(Path file) throws IOException {
    if (Files.size(file) > LARGEST) {
      throw new IllegalArgumentException("The input must be smaller than 2 GiB: " + file);
    }
    return Files.readAllBytes(file);
  }

  /** Returns the path without links in the part that exists: the folder. */
  private static Path absolute(Path path) throws IOException {
    Path absolute = path.toAbsolutePath().normalize();
    if (Files.exists(absolute)) {
      return absolute.toRealPath();
    }
    Path folder = absolute.getParent();
    return folder != null && Files.isDirectory(folder)
        ? folder.toRealPath().resolve(absolute.getFileName())
        : absolute;
  }

  /** Writes a file like {@code model} with other bytes. */
  private static void write(Path model, byte[] bytes, Path file) throws IOException {
    Path made = Files.createTempFile(file.getParent(), ".rockpool", null);
    try {
      Files.write(made, bytes);
      PosixFileAttributeView view = posix(made);
      if (view != null) {
        view.setPermissions(Files.getPosixFilePermissions(model));
        keepOwner(file, view);
      }
      Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(made);
    }
  }

  private static @Nullable PosixFileAttributeView posix(Path file) {
    return Files.getFileAttributeView(file, PosixFileAttributeView.class);
  }

  /** Keeps the owner of a file that root replaces; others may not, and replace their own files. */
  private static void keepOwner(Path replaced, PosixFileAttributeView made) throws IOException {
    if (Files.exists(replaced)) {
      PosixFileAttributes old = Files.readAttributes(replaced, PosixFileAttributes.class);
      try {
        made.setOwner(old.owner());
        made.setGroup(old.group());
      } catch (FileSystemException notAllowed) {
        // The file then belongs to whoever runs this.
      }
    }
  }

  private static void copy(Path from, Map<Path, byte[]> changed, Path to) throws IOException {
    List<Path> all = all(from);
    Path made = Files.createTempDirectory(to.getParent(), ".rockpool");
    try {
      for (Path each : all) {
        Path copy = made.resolve(from.relativize(each).toString());
        byte[] bytes = changed.get(each);
        if (bytes != null) {
          write(each, bytes, copy);
        } else {
          copyAsItIs(each, copy);
        }
      }
      Files.move(made, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException e) {
      for (Path each : all(made).reversed()) {
        Files.delete(each);
      }
      throw e;
    }
  }

  /** Returns a folder and all in it, each folder before its files. */
  private static List<Path> all(Path folder) throws IOException {
    try (Stream<Path> walk = Files.walk(folder)) {
      return walk.sorted().toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Copies a file, folder or link, and the link as a link. */
  private static void copyAsItIs(Path from, Path to) throws IOException {
    if (Files.readAttributes(from, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .isOther()) {
      throw new IOException(
          "A folder must have files, folders and links only, as reading others may never end: "
              + from);
    }
    Files.copy(
        from,
        to,
        LinkOption.NOFOLLOW_LINKS,
        StandardCopyOption.COPY_ATTRIBUTES,
        StandardCopyOption.REPLACE_EXISTING);
  }

  /** One run: what it found so far. */
  private final class Work {
    private final Filter filter = new Filter(include, exclude);
    private int classes;
    private int callSites;
    private boolean hasLibrary;
    private final List<String> notes = new ArrayList<>();
    private final List<Skipped> skipped = new ArrayList<>();

    PoolResult result() {
      return new PoolResult(classes, callSites, notes, skipped, hasLibrary);
    }

    /** Returns the rewritten class files of a folder. */
    Map<Path, byte[]> folder(Path folder) throws IOException {
      Map<Path, byte[]> changed = new TreeMap<>();
      List<Path> modules = new ArrayList<>();
      for (Path file : all(folder)) {
        String name = folder.relativize(file).toString().replace('\\', '/');
        if (!Files.isRegularFile(file)) {
          if (Files.isSymbolicLink(file)) {
            skipped.add(new Skipped(name, Files.exists(file) ? "link to a folder" : "broken link"));
          }
          continue;
        }
        hasLibrary |= name.endsWith(ARENAS_CLASS);
        if (isModule(name)) {
          modules.add(file);
        } else if (name.endsWith(".class")) {
          byte[] rewritten = classFile(name, Files.readAllBytes(file));
          if (rewritten != null) {
            changed.put(file, rewritten);
          }
        } else if (name.endsWith(".jar")) {
          skipped.add(new Skipped(name, "jar in a folder"));
        }
      }
      for (Path module : changed.isEmpty() || hasLibrary ? List.<Path>of() : modules) {
        byte[] reading = module(folder.relativize(module).toString(), Files.readAllBytes(module));
        if (reading != null) {
          changed.put(module, reading);
        }
      }
      return changed;
    }

    /** Returns a rewritten jar or class file; null if nothing changes. */
    byte @Nullable [] file(Path path, byte[] bytes) {
      try {
        return isClassFile(bytes) ? ofClass(path.toString(), bytes) : jar("", new Zip(bytes));
      } catch (ZipException | IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "The input must be a jar, a folder or a class file that can be rewritten: "
                + path
                + ": "
                + e.getMessage(),
            e);
      }
    }

    private static boolean isClassFile(byte[] bytes) {
      return bytes.length >= Integer.BYTES && ByteBuffer.wrap(bytes).getInt() == 0xCAFEBABE;
    }

    private static boolean isModule(String name) {
      return name.equals(ModuleInfo.FILE) || name.endsWith("/" + ModuleInfo.FILE);
    }

    private byte @Nullable [] classFile(String name, byte[] bytes) {
      try {
        return ofClass(name, bytes);
      } catch (IllegalArgumentException e) {
        skipped.add(new Skipped(name, String.valueOf(e.getMessage())));
        return null;
      }
    }

    private byte @Nullable [] ofClass(String name, byte[] bytes) {
      PooledClass pooled = PooledClass.of(bytes, filter);
      if (pooled == null) {
        return null;
      }
      String reason = pooled.skipped();
      if (reason != null) {
        skipped.add(new Skipped(name, reason));
        return null;
      }
      classes++;
      callSites += pooled.callSites();
      return pooled.bytes();
    }

    private byte @Nullable [] module(String name, byte[] bytes) {
      byte[] reading = ModuleInfo.readingLibrary(bytes);
      if (reading != null) {
        notes.add(name + ": requires dev.rockpool now");
      }
      return reading;
    }

    /** Returns a rewritten jar; null if nothing changes. */
    private byte @Nullable [] jar(String prefix, Zip jar) throws ZipException {
      Map<Zip.Entry, byte[]> changed = new HashMap<>();
      Map<Zip.Entry, byte[]> modules = new HashMap<>();
      Set<Zip.Entry> signatures = new HashSet<>();
      for (Zip.Entry entry : jar.entries()) {
        String name = prefix + entry.name();
        hasLibrary |= name.endsWith(ARENAS_CLASS);
        if (SIGNATURE.matcher(entry.name()).matches()) {
          signatures.add(entry);
        } else if (isModule(name)) {
          modules.put(entry, jar.content(entry));
        } else {
          byte[] rewritten = rewritten(jar, entry, name);
          if (rewritten != null) {
            changed.put(entry, rewritten);
          }
        }
      }
      if (changed.isEmpty()) {
        return null;
      }
      if (!signatures.isEmpty()) {
        dropSignatures(prefix);
      }
      if (jar.entries().stream().anyMatch(entry -> entry.name().equals(ARENAS_CLASS))) {
        modules.clear(); // their packages are the module's own
      }
      for (Map.Entry<Zip.Entry, byte[]> each : modules.entrySet()) {
        byte[] reading = module(prefix + each.getKey().name(), each.getValue());
        if (reading != null) {
          changed.put(each.getKey(), reading);
        }
      }
      return jar.with(changed, signatures);
    }

    private void dropSignatures(String prefix) {
      if (!dropSignatures) {
        throw new IllegalArgumentException(
            "it is signed, and its classes would not match the signatures; --drop-signatures"
                + " removes them");
      }
      notes.add(prefix + "META-INF: signatures removed");
    }

    private byte @Nullable [] rewritten(Zip jar, Zip.Entry entry, String name) {
      try {
        if (name.endsWith(".class")) {
          if (jar.size(entry) > LARGEST_CLASS) {
            throw new ZipException("a class of more than 16 MiB");
          }
          return ofClass(name, jar.content(entry));
        }
        return name.endsWith(".jar") ? nested(entry.name(), name, jar.content(entry)) : null;
      } catch (ZipException | IllegalArgumentException e) {
        skipped.add(new Skipped(name, String.valueOf(e.getMessage())));
        return null;
      }
    }

    /** Rewrites a jar in a jar; counts nothing of one that stays as it is. */
    private byte @Nullable [] nested(String entry, String name, byte[] bytes) throws ZipException {
      if (name.split("!/", -1).length > DEEPEST) {
        throw new ZipException("more than " + DEEPEST + " jars in one another");
      }
      Work work = new Work();
      byte[] rewritten = work.jar(name + "!/", new Zip(bytes));
      boolean isLoaded = LIBRARY_PLACES.matcher(entry).matches();
      hasLibrary |= isLoaded && work.hasLibrary;
      if (rewritten != null && !isLoaded) {
        skipped.add(
            new Skipped(
                name,
                "jar in a jar, outside BOOT-INF/lib and WEB-INF/lib, with "
                    + work.result().summary()));
        return null;
      }
      classes += work.classes;
      callSites += work.callSites;
      notes.addAll(work.notes);
      skipped.addAll(work.skipped);
      return rewritten;
    }
  }
}
