package dev.rockpool.agent;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.CodeSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Defines the agent in java.base, in a package that java.base exports to no program. So the program
 * reaches neither the agent's fields by reflection, nor the agent's package by a lookup.
 *
 * <p>{@link Instrumentation#redefineModule} opens two packages of java.base to one class of ours,
 * {@link Insider}, whose lookups define the rest. All access is in local variables here, and is
 * passed on to the agent alone.
 *
 * <p>Threads that define the agent at once define each class once, and a thread that fails half-way
 * leaves the rest to the next one.
 */
final class Door {
  /** The package that programs can't reach, with the prefix of our classes. */
  private static final String CLOSED = "jdk/internal/foreign/Rockpool";

  /** Modules that our classes in java.base use, if the program's runtime has them. */
  private static final String[] USED = {
    "java.instrument", "java.management", "jdk.management", "jdk.jfr"
  };

  private static final MethodType CONSTRUCTOR = MethodType.methodType(void.class);

  /** Opened at the start, because the file may be deleted or replaced later; null if it is gone. */
  private static final @Nullable ZipFile JAR = jar();

  private Door() {}

  /**
   * Returns the agent: class {@code Agent}, which takes the name of an action and its arguments.
   *
   * @param arguments the first three are filled in: the instrumentation; an object that defines a
   *     class of ours, given name and bytes, unless the class is defined; and a function that reads
   *     a group of classes
   * @throws IOException if the jar is gone, the program has classes of these names, or the JDK has
   *     no such package
   * @throws ReflectiveOperationException if the JDK has other classes than expected
   */
  @SuppressWarnings("unchecked")
  static BiFunction<String, @Nullable Object[], @Nullable Object> open(
      Instrumentation instrumentation, @Nullable Object[] arguments)
      throws IOException, ReflectiveOperationException {
    Gate.requireOurs(ByLookup.class, Definer.class, Groups.class, InsiderLoader.class);
    Class<?> neighbour = MemorySegment.NULL.getClass();
    Module base = Object.class.getModule();
    if (!CLOSED.startsWith(neighbour.getPackageName().replace('.', '/') + "/")
        || neighbour.getModule() != base
        || base.isExported(neighbour.getPackageName())) {
      throw new IOException("this JDK has no closed package as expected: " + neighbour.getName());
    }
    MethodHandles.Lookup insider = insider();
    Set<Module> us = Set.of(insider.lookupClass().getModule());
    instrumentation.redefineModule(
        base,
        present(),
        Map.of(),
        Map.of(neighbour.getPackageName(), us, Arena.class.getPackageName(), us),
        Set.of(),
        Map.of());
    MethodHandles.Lookup closed = MethodHandles.privateLookupIn(neighbour, insider);
    Definer byLookup =
        new Definer(new ByLookup(closed, MethodHandles.privateLookupIn(Arena.class, insider)));
    Object fast = fastDefiner(closed, byLookup);
    Definer definer = fast == null ? byLookup : new Definer((BiConsumer<String, byte[]>) fast);
    for (Map.Entry<String, byte[]> each : classes("agent").entrySet()) {
      definer.accept(each.getKey(), each.getValue());
    }
    arguments[0] = instrumentation;
    arguments[1] = definer;
    arguments[2] = new Groups();
    return (BiFunction<String, @Nullable Object[], @Nullable Object>) made(closed, "Agent");
  }

  /** Returns a lookup from {@link Insider}, which is loaded only by a loader of its own. */
  private static MethodHandles.Lookup insider() throws IOException, ReflectiveOperationException {
    String name = Door.class.getName() + "$Insider";
    Class<?> insider = new InsiderLoader().define(name, bytes(name.replace('.', '/') + ".class"));
    return (MethodHandles.Lookup) insider.getMethod("lookup").invoke(null);
  }

  private static Set<Module> present() {
    Set<Module> present = new HashSet<>();
    for (String name : USED) {
      Module module = ModuleLayer.boot().findModule(name).orElse(null); // a lambda slows startup
      if (module != null) {
        present.add(module);
      }
    }
    return present;
  }

  /**
   * Makes an object that defines classes faster than a lookup; null if it does not work. Tested
   * with bytes that the JVM must refuse.
   */
  @SuppressWarnings("unchecked")
  private static @Nullable Object fastDefiner(MethodHandles.Lookup closed, Definer byLookup)
      throws IOException, ReflectiveOperationException {
    for (Map.Entry<String, byte[]> only : classes("definer").entrySet()) {
      byLookup.accept(only.getKey(), only.getValue());
    }
    try {
      Object fast = made(closed, "Definer");
      try {
        ((BiConsumer<String, byte[]>) fast).accept(CLOSED + "Definer", new byte[1]);
      } catch (ClassFormatError asExpected) {
        return fast;
      }
    } catch (VirtualMachineError noSpace) {
      throw noSpace; // the next thread tries again
    } catch (Throwable otherJdk) {
      return null;
    }
    return null;
  }

  private static Object made(MethodHandles.Lookup closed, String name)
      throws ReflectiveOperationException {
    Class<?> type = Class.forName((CLOSED + name).replace('/', '.'), true, null);
    try {
      Object made = closed.findConstructor(type, CONSTRUCTOR).invoke();
      return made;
    } catch (ReflectiveOperationException | RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable impossible) {
      throw new LinkageError(name, impossible);
    }
  }

  /** Opens the jar of this class; null if the class is from elsewhere, or the jar is gone. */
  private static @Nullable ZipFile jar() {
    try {
      CodeSource source = Door.class.getProtectionDomain().getCodeSource();
      URL location = source == null ? null : source.getLocation();
      return location == null ? null : new ZipFile(new File(location.toURI()));
    } catch (IOException | URISyntaxException | IllegalArgumentException elsewhere) {
      return null;
    }
  }

  /**
   * Reads classes from a file of the agent's jar that the build made.
   *
   * @param group the name of the file, without its suffix
   * @return class files by name in internal form, supertypes before subtypes
   */
  private static Map<String, byte[]> classes(String group) throws IOException {
    String folder = Door.class.getPackageName().replace('.', '/');
    Map<String, byte[]> classes = new LinkedHashMap<>();
    try (InputStream in =
        new InflaterInputStream(
            new ByteArrayInputStream(bytes(folder + "/" + group + ".classes")))) {
      // Not by a DataInputStream, whose way to read numbers takes milliseconds to initialize.
      ByteBuffer bytes = ByteBuffer.wrap(in.readAllBytes());
      for (int length = bytes.getShort(); length > 0; length = bytes.getShort()) {
        String name = new String(next(length, bytes), StandardCharsets.ISO_8859_1);
        classes.put(name, next(bytes.getInt(), bytes));
      }
    }
    return classes;
  }

  private static byte[] next(int length, ByteBuffer from) {
    byte[] bytes = new byte[length];
    from.get(bytes);
    return bytes;
  }

  private static byte[] bytes(String file) throws IOException {
    ZipFile jar = JAR;
    ZipEntry entry = jar == null ? null : jar.getEntry(file);
    if (jar == null || entry == null) {
      throw new IOException("the agent's jar lacks " + file.substring(file.lastIndexOf('/') + 1));
    }
    try (InputStream in = jar.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }

  /** Reads a group of classes, for the agent. */
  private static final class Groups implements Function<String, Map<String, byte[]>> {
    @Override
    public Map<String, byte[]> apply(String group) {
      try {
        return classes(group);
      } catch (IOException unreadable) {
        throw new UncheckedIOException(unreadable);
      }
    }
  }

  /**
   * Defines a class unless it is defined already. A lookup makes the JVM link the class at once.
   * With {@code -Xverify:all} linking fails for lack of classes that come later, but the class is
   * defined nevertheless. A class for JMX or JDK Flight Recorder lacks its supertype if their
   * modules are missing; then it is not needed.
   */
  private static final class Definer implements BiConsumer<String, byte[]> {
    private final BiConsumer<String, byte[]> any;

    Definer(BiConsumer<String, byte[]> any) {
      this.any = any;
    }

    @Override
    public void accept(String name, byte[] classFile) {
      try {
        any.accept(name, classFile);
      } catch (LinkageError refused) {
        boolean lacksSupertype =
            refused instanceof NoClassDefFoundError && present().size() < USED.length;
        if (!lacksSupertype && !isDefined(name)) {
          throw refused;
        }
      }
    }

    private static boolean isDefined(String name) {
      try {
        Class.forName(name.replace('/', '.'), false, null);
        return true;
      } catch (ClassNotFoundException notThere) {
        return false;
      }
    }
  }

  /** Defines classes in either package by a lookup. */
  private record ByLookup(MethodHandles.Lookup closed, MethodHandles.Lookup exported)
      implements BiConsumer<String, byte[]> {
    @Override
    public void accept(String name, byte[] classFile) {
      try {
        (name.startsWith(CLOSED) ? closed : exported).defineClass(classFile);
      } catch (IllegalAccessException impossible) {
        throw new IllegalAccessError(impossible.getMessage());
      }
    }
  }

  /**
   * The class to which packages of java.base are opened. This jar is in the same module as the
   * program's class path, so a package opened to that module would be open to the program.
   * Therefore this class is loaded by a class loader of its own, and so is in a module of its own.
   */
  public static final class Insider {
    private Insider() {}

    /**
     * Called by reflection on the class that {@link InsiderLoader} defined.
     *
     * @return a lookup from this class
     */
    public static MethodHandles.Lookup lookup() {
      return MethodHandles.lookup();
    }
  }

  private static final class InsiderLoader extends ClassLoader {
    InsiderLoader() {
      super(null);
    }

    Class<?> define(String name, byte[] classFile) {
      return defineClass(name, classFile, 0, classFile.length);
    }
  }
}
