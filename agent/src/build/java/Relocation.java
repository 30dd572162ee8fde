import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Moves the library's classes into a package of java.base, and replaces some by classes made for
 * that package.
 *
 * <p>A class file names classes, in every form, in the strings of its constant pool; so only these
 * strings are changed. All packages become one, hence a prefix instead of a package name.
 *
 * <p>If {@code src/java.base} has a class of the same name, the latter is compiled among the moved
 * classes and replaces the library's class. The library's class remains as the fallback, with
 * {@code Public} in its name, for JDKs on which the replacement does not work.
 */
final class Relocation {
  /** A package that java.base exports to no program, with the prefix of our classes. */
  static final String CLOSED = "jdk/internal/foreign/Rockpool";

  /** An exported package with the prefix, for interfaces that JMX accesses from another module. */
  static final String EXPORTED = "java/lang/foreign/Rockpool";

  private static final String SUFFIX = ".class";

  /** Names to move; a class left under its own name would hide the application's own Rockpool. */
  private static final Pattern MOVED =
      Pattern.compile("dev([/.])rockpool[/.](?:arena|direct|internal|record)[/.]");

  /** Names of the agent's classes, without those that stay in its jar. */
  private static final Pattern MOVED_OF_AGENT =
      Pattern.compile("dev([/.])rockpool[/.]agent[/.](?=[A-Z])(?!AgentEntry|AgentInJavaBase)");

  /**
   * New names of single classes. An annotation becomes the JVM's own. Names of entries in the
   * exported package are those of no class in the closed one.
   */
  private static final Map<String, String> RENAMED =
      Map.of(
          CLOSED + "Arenas",
          CLOSED + "LibraryArenas",
          CLOSED + "Carrier",
          CLOSED + "CarrierThread",
          CLOSED + "ForceInline",
          "jdk/internal/vm/annotation/ForceInline",
          CLOSED + "ArenaPoolMXBean",
          EXPORTED + "ArenaPoolMXBean",
          CLOSED + "AgentMXBean",
          EXPORTED + "AgentMXBean");

  private static final int CONSTANT_UTF8 = 1;
  private static final int CONSTANT_LONG = 5;
  private static final int CONSTANT_DOUBLE = 6;

  /** Length in bytes of a constant after its tag, by tag; 0 for unused tags. */
  private static final int[] LENGTHS = {
    0, 0, 0, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, 0, 0, 3, 2, 4, 4, 2, 2
  };

  private Relocation() {}

  /**
   * Returns the library's classes as they are to be defined, by name.
   *
   * @param library the library's jar
   * @param home the sources of the classes that replace some of the library's
   * @param scratch a folder to compile in, which may exist
   */
  static Map<String, byte[]> of(Path library, Path home, Path scratch) throws IOException {
    Map<String, Path> sources = files(home, ".java");
    Map<String, byte[]> classes = relocatedClasses(library, sources.keySet());
    Path moved = scratch.resolve("moved");
    for (Map.Entry<String, byte[]> each : classes.entrySet()) {
      Path file = moved.resolve(each.getKey() + SUFFIX);
      Files.createDirectories(file.getParent());
      Files.write(file, each.getValue());
    }
    Path compiled = scratch.resolve("compiled");
    compile(home, moved, compiled, sources.values());
    for (Map.Entry<String, Path> each : files(compiled, SUFFIX).entrySet()) {
      classes.put(each.getKey(), Files.readAllBytes(each.getValue()));
    }
    return classes;
  }

  /** Returns the agent's classes as they are to be defined, by name, from a folder. */
  static Map<String, byte[]> ofAgent(Path classes) throws IOException {
    Map<String, byte[]> moved = new TreeMap<>();
    for (Map.Entry<String, Path> each : files(classes, SUFFIX).entrySet()) {
      if (MOVED_OF_AGENT.matcher(each.getKey()).lookingAt()) {
        moved.put(
            relocatedNames(each.getKey(), MOVED_OF_AGENT, RENAMED),
            relocatedFile(Files.readAllBytes(each.getValue()), MOVED_OF_AGENT, RENAMED));
      }
    }
    return moved;
  }

  /** Returns the files in a folder by name, with slashes and without the suffix that all have. */
  private static Map<String, Path> files(Path folder, String suffix) throws IOException {
    Map<String, Path> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(each -> each.toString().endsWith(suffix)).toList()) {
        String name = folder.relativize(file).toString().replace('\\', '/');
        files.put(name.substring(0, name.length() - suffix.length()), file);
      }
    }
    return files;
  }

  private static Map<String, byte[]> relocatedClasses(Path library, Set<String> replaced)
      throws IOException {
    Map<String, byte[]> classes = new TreeMap<>();
    try (FileSystem jar = FileSystems.newFileSystem(library)) {
      for (Map.Entry<String, Path> each : files(jar.getPath("/"), SUFFIX).entrySet()) {
        String from = each.getKey();
        if (!MOVED.matcher(from).lookingAt() || from.contains("-info")) {
          continue;
        }
        Map<String, String> own = new LinkedHashMap<>(RENAMED);
        String outermost = relocatedNames(from, MOVED, RENAMED).split("\\$")[0];
        if (replaced.contains(outermost)) {
          own.put(outermost, outermost.replace(CLOSED, CLOSED + "Public"));
        }
        String to = relocatedNames(from, MOVED, own);
        if (to.startsWith("jdk/internal/vm/")) {
          continue;
        }
        byte[] classFile = relocatedFile(Files.readAllBytes(each.getValue()), MOVED, own);
        if (classes.put(to, classFile) != null) {
          throw new IllegalStateException(
              "Packages of the library become one, so a class name is in one of them only: " + to);
        }
      }
    }
    return classes;
  }

  private static byte[] relocatedFile(byte[] classFile, Pattern which, Map<String, String> renamed)
      throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeLong(in.readLong()); // magic number and version
    int count = in.readUnsignedShort();
    out.writeShort(count);
    for (int i = 1; i < count; i++) {
      int tag = in.readUnsignedByte();
      out.writeByte(tag);
      if (tag == CONSTANT_UTF8) {
        out.writeUTF(relocatedNames(in.readUTF(), which, renamed));
      } else {
        out.write(in.readNBytes(LENGTHS[tag]));
      }
      if (tag == CONSTANT_LONG || tag == CONSTANT_DOUBLE) {
        i++; // takes two places
      }
    }
    in.transferTo(out);
    return bytes.toByteArray();
  }

  /** Renames classes in a string of a constant pool, where names may have slashes or dots. */
  private static String relocatedNames(String text, Pattern which, Map<String, String> renamed) {
    Matcher matcher = which.matcher(text);
    StringBuilder moved = new StringBuilder();
    while (matcher.find()) {
      String prefix = matcher.group(1).equals("/") ? CLOSED : CLOSED.replace('/', '.');
      matcher.appendReplacement(moved, prefix);
    }
    String all = matcher.appendTail(moved).toString();
    for (Map.Entry<String, String> each : renamed.entrySet()) {
      all = replaced(all, each.getKey(), each.getValue());
      all = replaced(all, each.getKey().replace('/', '.'), each.getValue().replace('/', '.'));
    }
    return all;
  }

  /** Replaces a name, which may follow the L of a descriptor and precede a nested class's name. */
  private static String replaced(String text, String name, String other) {
    return text.contains(name) ? text.replaceAll(Pattern.quote(name) + "(?!\\w)", other) : text;
  }

  /** Uses -source, not --release, which would hide packages that java.base does not export. */
  private static void compile(Path home, Path moved, Path compiled, Collection<Path> sources)
      throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--patch-module",
                "java.base=" + home + System.getProperty("path.separator") + moved,
                "-d",
                Files.createDirectories(compiled).toString(),
                "-source",
                "25",
                "-target",
                "25",
                "-Xlint:all,-options,-auxiliaryclass",
                "-Werror",
                "-g"));
    sources.forEach(source -> arguments.add(source.toString()));
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(null, System.err, System.err, arguments.toArray(String[]::new));
    if (failed != 0) {
      throw new IllegalStateException("Classes that replace those of the library do not compile");
    }
  }
}
