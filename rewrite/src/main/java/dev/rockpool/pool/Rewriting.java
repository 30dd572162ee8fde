package dev.rockpool.pool;

import static dev.rockpool.rewrite.RedirectedMethod.OF_CONFINED;

import dev.rockpool.pool.PoolResult.Skipped;
import dev.rockpool.rewrite.CallSites;
import dev.rockpool.rewrite.ClassPatterns;
import dev.rockpool.rewrite.Skip;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** The rewriting of a class file, a folder or a jar in memory, and what it has found so far. */
final class Rewriting {
  /** Most jars in one another; deployments have two. */
  private static final int DEEPEST = 4;

  /** Most bytes of a class that is looked at; the JVM's limits allow few that are larger. */
  private static final int LARGEST_CLASS = 1 << 24;

  /** The class that rewritten classes call, which the program must have on its class path. */
  private static final String ARENAS = "dev/rockpool/arena/Arenas";

  private static final String ARENAS_FILE = ARENAS + ".class";
  private static final Pattern SIGNATURE =
      Pattern.compile("META-INF/([^/]*\\.(SF|RSA|DSA|EC)|SIG-[^/]*)", Pattern.CASE_INSENSITIVE);

  /** Places of jars whose classes the loader of the jar around them loads. */
  private static final Pattern LIBRARY_PLACES =
      Pattern.compile("(BOOT-INF/lib|WEB-INF/lib(-provided)?)/[^/]*\\.jar");

  private final ClassPatterns patterns;
  private final boolean dropsSignatures;
  private int classes;
  private int callSites;
  private boolean hasLibrary;
  private final List<String> notes = new ArrayList<>();
  private final List<Skipped> skipped = new ArrayList<>();

  /**
   * Starts with nothing found.
   *
   * @param dropsSignatures whether a signed jar loses its signatures; otherwise it is refused
   */
  Rewriting(ClassPatterns patterns, boolean dropsSignatures) {
    this.patterns = patterns;
    this.dropsSignatures = dropsSignatures;
  }

  PoolResult result() {
    return new PoolResult(classes, callSites, notes, skipped, hasLibrary);
  }

  private void skip(String name, @Nullable String reason) {
    skipped.add(new Skipped(name, String.valueOf(reason)));
  }

  byte @Nullable [] file(Path path, Path real) throws IOException {
    try {
      return isClassFile(real)
          ? classFile(path.toString(), Files.readAllBytes(real))
          : jar("", real);
    } catch (ZipException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "The input must be a jar, a folder or a class file that can be rewritten: "
              + path
              + ": "
              + e.getMessage(),
          e);
    }
  }

  private static boolean isClassFile(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      byte[] start = in.readNBytes(Integer.BYTES);
      return start.length == Integer.BYTES && ByteBuffer.wrap(start).getInt() == 0xCAFEBABE;
    }
  }

  /** Returns the files that change in a folder, of which all files are given. */
  Map<Path, byte[]> folder(Path folder, List<Path> files) throws IOException {
    Changes changes = new Changes("");
    for (Path file : files) {
      String name = folder.relativize(file).toString().replace('\\', '/');
      if (Files.isRegularFile(file)) {
        if (name.endsWith(".jar")) {
          skip(name, "jar in a folder");
        } else {
          changes.add(name, Files.size(file), () -> Files.readAllBytes(file));
        }
      } else if (Files.isSymbolicLink(file)) {
        skip(name, Files.exists(file) ? "link to a folder" : "broken link");
      }
    }
    changes.addModules();
    Map<Path, byte[]> changed = new TreeMap<>();
    changes.contents.forEach((name, content) -> changed.put(folder.resolve(name), content));
    return changed;
  }

  /** Returns a rewritten class file; null if it has no call sites, is skipped, or is ours. */
  private byte @Nullable [] classFile(String name, byte[] bytes) {
    if (!OF_CONFINED.mayBeIn(bytes)) {
      return null;
    }
    CallSites sites = CallSites.in(bytes, EnumSet.of(OF_CONFINED));
    Skip reason = sites.skipped.get(OF_CONFINED);
    if ((reason == null && sites.methods.isEmpty()) || CallSites.isOurs(sites.className())) {
      return null;
    }
    if (!patterns.covers(sites.className().replace('/', '.'))) {
      reason = Skip.EXCLUDED;
    }
    if (reason != null) {
      skip(name, reason.text);
      return null;
    }
    classes++;
    callSites += sites.count(OF_CONFINED);
    return sites.redirectedTo(Map.of(OF_CONFINED, ARENAS));
  }

  private byte @Nullable [] jar(String prefix, Path file) throws IOException {
    try (Jar jar = new Jar(file)) {
      Changes changes = new Changes(prefix);
      Set<String> signatures = new HashSet<>();
      for (ZipEntry entry : jar.entries()) {
        if (SIGNATURE.matcher(entry.getName()).matches()) {
          signatures.add(entry.getName());
        } else {
          changes.add(entry.getName(), entry.getSize(), () -> jar.content(entry));
        }
      }
      if (changes.contents.isEmpty()) {
        return null;
      }
      if (!signatures.isEmpty()) {
        if (!dropsSignatures) {
          throw new IllegalArgumentException(
              "it is signed, and its classes would not match the signatures; --drop-signatures"
                  + " removes them");
        }
        notes.add(prefix + "META-INF: signatures removed");
      }
      changes.addModules();
      return jar.with(changes.contents, signatures);
    }
  }

  /** Reads a file, at most once. */
  private interface Content {
    byte[] read() throws IOException;
  }

  private final class Changes {
    final Map<String, byte[]> contents = new HashMap<>();
    private final String prefix;
    private final Map<String, byte[]> modules = new HashMap<>();
    private boolean isLibrary;

    Changes(String prefix) {
      this.prefix = prefix;
    }

    /** Adds a file if it changes, and is no module's: these change only with others. */
    void add(String file, long size, Content content) throws IOException {
      String name = prefix + file;
      isLibrary |= file.endsWith(ARENAS_FILE);
      hasLibrary |= isLibrary;
      try {
        byte[] rewritten = null;
        if (file.equals(ModuleInfo.FILE) || file.endsWith("/" + ModuleInfo.FILE)) {
          modules.put(file, content.read());
        } else if (file.endsWith(".class")) {
          if (size > LARGEST_CLASS) {
            throw new ZipException("a class of more than 16 MiB");
          }
          rewritten = classFile(name, content.read());
        } else if (file.endsWith(".jar")) {
          rewritten = nested(file, name, content.read());
        }
        if (rewritten != null) {
          contents.put(file, rewritten);
        }
      } catch (ZipException | IllegalArgumentException e) {
        skip(name, e.getMessage());
      }
    }

    /** Has modules read the library, unless their packages are the library's own. */
    void addModules() {
      if (!contents.isEmpty() && !isLibrary) {
        modules.forEach(
            (file, bytes) -> {
              byte[] reading = ModuleInfo.readingLibrary(bytes);
              if (reading != null) {
                notes.add(prefix + file + ": requires dev.rockpool now");
                contents.put(file, reading);
              }
            });
      }
    }
  }

  /** Rewrites a jar in a jar; counts nothing of one that stays as it is. */
  private byte @Nullable [] nested(String entry, String name, byte[] bytes) throws IOException {
    if (name.split("!/", -1).length > DEEPEST) {
      throw new ZipException("more than " + DEEPEST + " jars in one another");
    }
    Rewriting inner = new Rewriting(patterns, dropsSignatures);
    byte[] rewritten;
    Path copy = Files.createTempFile("rockpool", ".jar");
    try {
      Files.write(copy, bytes);
      rewritten = inner.jar(name + "!/", copy);
    } finally {
      Files.delete(copy);
    }
    boolean isLoaded = LIBRARY_PLACES.matcher(entry).matches();
    hasLibrary |= isLoaded && inner.hasLibrary;
    if (rewritten != null && !isLoaded) {
      skip(
          name,
          "jar in a jar, outside BOOT-INF/lib and WEB-INF/lib, with " + inner.result().summary());
      return null;
    }
    classes += inner.classes;
    callSites += inner.callSites;
    notes.addAll(inner.notes);
    skipped.addAll(inner.skipped);
    return rewritten;
  }
}
