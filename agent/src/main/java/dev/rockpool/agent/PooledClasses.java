package dev.rockpool.agent;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.AccessFlags;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.foreign.Arena;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * The library, defined in java.base: in package {@code java.lang.foreign}, each class with the
 * prefix {@code Rockpool}.
 *
 * <p>Rewritten classes live in any class loader and any module; what they call must be reachable
 * from all of them. Every module reads java.base, and every class loader asks it first. Appending
 * the library to the boot class path instead would make the JVM drop class-data sharing for
 * application classes and warn of restricted methods in our name; {@code docs/architecture.md}
 * weighs the two. It takes no flag and no internal API: {@link Instrumentation#redefineModule}
 * opens the package to one class of ours, {@link MethodHandles.Lookup#defineClass} defines the
 * classes.
 *
 * <p>They are defined when the first class that asks for a confined arena is loaded, or for a
 * direct buffer if those are ours, so that a program without such classes pays nothing.
 */
final class PooledClasses {
  /** The class whose {@code ofConfined()} replaces that of {@code Arena}, in internal form. */
  static final String ARENAS = "java/lang/foreign/RockpoolArenas";

  /** The class that the linker asks for the arena of a call, in internal form, and its method. */
  static final String CALL_ARENAS = "java/lang/foreign/RockpoolCallArenas";

  static final String OPEN = "open";

  /** The class of arenas that are counted, in internal form. */
  static final String RECORDED_ARENA = "java/lang/foreign/RockpoolRecordedArena";

  /** The class whose {@code allocateDirect(int)} replaces that of {@code ByteBuffer}. */
  static final String DIRECT_BUFFERS = "java/lang/foreign/RockpoolDirectBuffers";

  private static final String DIRECT_MONITOR = "java/lang/foreign/RockpoolDirectMonitor";
  private static final String DIRECT_MONITORING = "java/lang/foreign/RockpoolDirectMonitoring";

  /** What is called from outside of its package; in the library it is nobody's business. */
  private static final Set<String> PUBLIC =
      Set.of(CALL_ARENAS, DIRECT_BUFFERS, DIRECT_MONITOR, DIRECT_MONITORING);

  private static final String HOUSEKEEPER = "java.lang.foreign.RockpoolHousekeeper";
  private static final String PREFIX = "java/lang/foreign/Rockpool";
  private static final String RECORDER_PREFIX = "java/lang/foreign/RockpoolRecord";
  private static final String DIRECT_PREFIX = "java/lang/foreign/RockpoolDirect";
  private static final String SUFFIX = ".class";

  private final Instrumentation instrumentation;
  private MethodHandles.@Nullable Lookup lookup;
  private boolean defined;

  PooledClasses(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /** Defines the classes of the pool, the first time it is called in this JVM. */
  synchronized void define() throws IOException, ReflectiveOperationException {
    if (!defined && !isDefined(ARENAS)) {
      define(ARENAS, name -> !name.startsWith(RECORDER_PREFIX) && !name.startsWith(DIRECT_PREFIX));
      monitor();
    }
    defined = true;
  }

  /** Defines those that count arenas, too, the first time it is called in this JVM. */
  synchronized void defineRecorder() throws IOException, ReflectiveOperationException {
    define();
    if (!isDefined(RECORDED_ARENA)) {
      define(RECORDED_ARENA, name -> name.startsWith(RECORDER_PREFIX));
    }
  }

  /** Defines those of direct memory, too, the first time it is called in this JVM. */
  synchronized void defineDirect() throws IOException, ReflectiveOperationException {
    define();
    if (!isDefined(DIRECT_BUFFERS)) {
      define(DIRECT_BUFFERS, name -> name.startsWith(DIRECT_PREFIX));
      monitorDirect();
    }
  }

  private void define(String first, Predicate<String> wanted)
      throws IOException, ReflectiveOperationException {
    MethodHandles.Lookup insider = lookup();
    Map<String, byte[]> undefined = read();
    undefined.keySet().removeIf(name -> !wanted.test(name));
    if (!undefined.containsKey(first)) {
      throw new IOException("the agent's jar lacks " + first + SUFFIX);
    }
    for (String name : List.copyOf(undefined.keySet())) {
      define(name, undefined, insider);
    }
  }

  /** A lookup that may define classes in the package. */
  synchronized MethodHandles.Lookup lookup() throws IOException, ReflectiveOperationException {
    MethodHandles.Lookup found = lookup;
    if (found == null) {
      MethodHandles.Lookup insider = Insider.alone();
      Set<Module> us = Set.of(insider.lookupClass().getModule());
      instrumentation.redefineModule(
          Object.class.getModule(),
          Set.of(),
          Map.of(),
          Map.of(Arena.class.getPackageName(), us),
          Set.of(),
          Map.of());
      found = MethodHandles.privateLookupIn(Arena.class, insider);
      lookup = found;
    }
    return found;
  }

  /**
   * Has the pool shown to JFR and JMX. What does that is in the agent's jar, where the build moved
   * it from the library, because java.base has neither of them.
   */
  private static void monitor() throws ReflectiveOperationException {
    Object monitor =
        Class.forName(PooledClasses.class.getPackageName() + ".PoolMonitor")
            .getConstructor()
            .newInstance();
    Class.forName(HOUSEKEEPER, true, null)
        .getMethod("add", BooleanSupplier.class)
        .invoke(null, monitor);
  }

  /**
   * Lets direct memory ask JMX, and be shown by it and by JFR. Initializes no class that needs the
   * linker: this may be called while the linker itself is being loaded.
   */
  private static void monitorDirect() throws ReflectiveOperationException {
    Constructor<?> monitor =
        Class.forName(PooledClasses.class.getPackageName() + ".JvmMonitor")
            .getDeclaredConstructor();
    Class.forName(DIRECT_MONITORING.replace('/', '.'), true, null)
        .getMethod("use", Class.forName(DIRECT_MONITOR.replace('/', '.'), false, null))
        .invoke(null, monitor.newInstance());
  }

  /** Whether java.base has a class of this name, in internal form. */
  static boolean isDefined(String name) {
    try {
      Class.forName(name.replace('/', '.'), false, null);
      return true;
    } catch (ClassNotFoundException notYet) {
      return false;
    }
  }

  /** Superclasses and interfaces have to be there before their subclasses. */
  private static void define(
      String name, Map<String, byte[]> undefined, MethodHandles.Lookup lookup)
      throws IllegalAccessException {
    byte[] bytes = undefined.remove(name);
    if (bytes == null) {
      return;
    }
    ClassModel model = ClassFile.of().parse(bytes);
    define(model.superclass().orElseThrow().asInternalName(), undefined, lookup);
    for (ClassEntry implemented : model.interfaces()) {
      define(implemented.asInternalName(), undefined, lookup);
    }
    lookup.defineClass(PUBLIC.contains(name) ? makePublic(model) : bytes);
  }

  private static byte[] makePublic(ClassModel model) {
    return ClassFile.of()
        .transformClass(
            model,
            (built, element) -> {
              if (element instanceof AccessFlags flags) {
                built.withFlags(flags.flagsMask() | ClassFile.ACC_PUBLIC);
              } else {
                built.with(element);
              }
            });
  }

  private static Map<String, byte[]> read() throws IOException {
    Map<String, byte[]> classes = new LinkedHashMap<>();
    try (JarFile jar = new JarFile(ownJar().toFile())) {
      for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
        JarEntry entry = all.nextElement();
        String name = entry.getName();
        if (name.startsWith(PREFIX) && name.endsWith(SUFFIX)) {
          try (InputStream in = jar.getInputStream(entry)) {
            classes.put(name.substring(0, name.length() - SUFFIX.length()), in.readAllBytes());
          }
        }
      }
    }
    return classes;
  }

  private static Path ownJar() throws IOException {
    CodeSource source = PooledClasses.class.getProtectionDomain().getCodeSource();
    URL location = source == null ? null : source.getLocation();
    if (location == null) {
      throw new IOException("the agent was not loaded from a jar");
    }
    try {
      return Path.of(location.toURI());
    } catch (URISyntaxException odd) {
      throw new IOException("the agent's jar has no path: " + location, odd);
    }
  }
}
