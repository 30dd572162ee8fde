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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Moves the classes of library and agent into a package of java.base, and replaces some by classes
 * made for that package.
 *
 * <p>A class file names classes, in every form, in the strings of its constant pool; so only these
 * strings are changed. All packages become one, hence a prefix instead of a package name.
 *
 * <p>If {@code src/java.base} has a class of the same name, the latter is compiled among the moved
 * classes and replaces the library's class.
 */
final class Relocation {
  /** A package that java.base exports to no program, with the prefix of our classes. */
  static final String CLOSED = "jdk/internal/foreign/Rockpool";

  /** An exported package with the prefix, for interfaces that JMX accesses from another module. */
  static final String EXPORTED = "java/lang/foreign/Rockpool";

  private static final String SUFFIX = ".class";

  /** Names to move; a class left under its own name would hide the application's own Rockpool. */
  private static final Pattern LIBRARY =
      Pattern.compile("dev([/.])rockpool[/.](?:arena|direct|internal)[/.]");

  /**
   * Names to move in the agent's classes: not those that stay in its jar, nor the package names by
   * which the agent knows a library of the application's.
   */
  private static final Pattern AGENT =
      Pattern.compile(
          "dev([/.])rockpool[/.](?:arena|direct|internal|record|watch|agent|rewrite|malloc)[/.](?=[A-Z])"
              + "(?!AgentEntry|AgentInJavaBase|AgentTool)");

  /**
   * New names of single classes. An annotation becomes the JVM's own. Names of entries in the
   * exported package are those of no class in the closed one.
   */
  private static final Map<String, String> RENAMED =
      Map.of(
          CLOSED + "Arenas",
          CLOSED + "LibraryArenas",
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
   * Returns all classes as they are to be defined, by name.
   *
   * @param library the library's jar
   * @param agent the folders of the agent's classes, and of those of module rewrite
   * @param home the sources of the classes that replace some of the library's
   * @param scratch a folder to compile in, which may exist
   */
  static Map<String, byte[]> of(Path library, List<Path> agent, Path home, Path scratch)
      throws IOException {
    Map<String, byte[]> classes = new TreeMap<>();
    try (FileSystem jar = FileSystems.newFileSystem(library)) {
      move(jar.getPath("/"), LIBRARY, classes);
    }
    for (Path folder : agent) {
      move(folder, AGENT, classes);
    }
    Path moved = scratch.resolve("moved");
    for (Map.Entry<String, byte[]> each : classes.entrySet()) {
      Path file = moved.resolve(each.getKey() + SUFFIX);
      Files.createDirectories(file.getParent());
      Files.write(file, each.getValue());
    }
    Path compiled = Files.createDirectories(scratch.resolve("compiled"));
    Map<String, Path> sources = files(home, ".java");
    compile(List.of("java.base=" + home, moved.toString()), compiled, sources);
    classes.keySet().removeIf(name -> sources.containsKey(name.split("\\$")[0]));
    for (Map.Entry<String, Path> each : files(compiled, SUFFIX).entrySet()) {
      classes.put(each.getKey(), Files.readAllBytes(each.getValue()));
    }
    return classes;
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

  private static void move(Path folder, Pattern moved, Map<String, byte[]> classes)
      throws IOException {
    for (Map.Entry<String, Path> each : files(folder, SUFFIX).entrySet()) {
      String name = relocatedNames(each.getKey(), moved);
      if (moved.matcher(each.getKey()).lookingAt()
          && !name.contains("-info")
          && !name.startsWith("jdk/internal/vm/")
          && classes.put(name, relocated(Files.readAllBytes(each.getValue()), moved)) != null) {
        throw new IllegalStateException(
            "All packages become one, so a class name is in one of them only: " + name);
      }
    }
  }

  private static byte[] relocated(byte[] classFile, Pattern moved) throws IOException {
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
        out.writeUTF(relocatedNames(in.readUTF(), moved));
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
  private static String relocatedNames(String text, Pattern which) {
    Matcher matcher = which.matcher(text);
    StringBuilder moved = new StringBuilder();
    while (matcher.find()) {
      String prefix = matcher.group(1).equals("/") ? CLOSED : CLOSED.replace('/', '.');
      matcher.appendReplacement(moved, prefix);
    }
    String all = matcher.appendTail(moved).toString();
    for (Map.Entry<String, String> each : RENAMED.entrySet()) {
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
  private static void compile(List<String> patch, Path compiled, Map<String, Path> sources)
      throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add("--patch-module");
    arguments.add(String.join(System.getProperty("path.separator"), patch));
    arguments.addAll(List.of("-d", compiled.toString(), "-source", "25", "-target", "25", "-g"));
    arguments.addAll(List.of("-Xlint:all,-options,-auxiliaryclass", "-Werror"));
    sources.values().forEach(source -> arguments.add(source.toString()));
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(null, System.err, System.err, arguments.toArray(String[]::new));
    if (failed != 0) {
      throw new IllegalStateException("Classes that replace those of the library do not compile");
    }
  }
}
