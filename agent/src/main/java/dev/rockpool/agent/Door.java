package dev.rockpool.agent;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
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
import java.util.List;
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
 * {@link Insider}, whose lookups define the rest. All access is in local variables, and in an
 * object of this class, which only the agent has.
 *
 * <p>Has all code that runs before the agent is defined, because {@code Gate} loads this class at
 * the JVM's start. A program may define in our package each class that is not loaded yet.
 *
 * <p>As a class loader, this has one class, {@link Insider}. As a BiConsumer, this defines a class
 * of ours, given name and bytes, unless the class is defined already. As a Function, this reads a
 * group of classes. Threads that define the agent at once define each class once, and a thread that
 * fails half-way leaves the rest to the next one.
 */
final class Door extends ClassLoader
    implements BiConsumer<String, byte[]>, Function<String, Map<String, byte[]>> {
  /** The package that programs can't reach, with the prefix of our classes. */
  private static final String CLOSED = "jdk/internal/foreign/Rockpool";

  private static final String NEIGHBOUR = "jdk.internal.foreign.AbstractMemorySegmentImpl";

  /** Modules that our classes in java.base use, if the program's runtime has them. */
  private static final List<String> USED =
      List.of("java.instrument", "java.management", "jdk.management", "jdk.jfr");

  private static final MethodType CONSTRUCTOR = MethodType.methodType(void.class);

  /** Opened at the start, because the file may be deleted or replaced later; null if it is gone. */
  private static final @Nullable ZipFile JAR = jar();

  private final MethodHandles.Lookup closed;
  private final MethodHandles.Lookup exported;

  /** Whether the agent was defined in this JVM. */
  private static volatile boolean wasOpen;

  /** Whether the agent was defined before, so that most classes are there. */
  private final boolean again = wasOpen;

  /** Defines classes faster than a lookup; null if that does not work on this JDK. */
  private @Nullable BiConsumer<String, byte[]> fast;

  private Door(Instrumentation instrumentation) throws IOException, ReflectiveOperationException {
    super(null);
    // Not initialized here, where the heap may be at its end.
    Class<?> neighbour = Class.forName(NEIGHBOUR, false, null);
    Module base = Object.class.getModule();
    if (neighbour.getModule() != base || base.isExported(neighbour.getPackageName())) {
      throw new IOException("this JDK has no closed package as expected: " + neighbour.getName());
    }
    String name = Door.class.getName() + "$Insider";
    byte[] bytes = bytes(name.replace('.', '/') + ".class");
    Class<?> us = defineClass(name, bytes, 0, bytes.length);
    instrumentation.redefineModule(
        base,
        present(),
        Map.of(),
        Map.of(
            neighbour.getPackageName(),
            Set.of(us.getModule()),
            Arena.class.getPackageName(),
            Set.of(us.getModule())),
        Set.of(),
        Map.of());
    MethodHandles.Lookup insider = (MethodHandles.Lookup) us.getMethod("lookup").invoke(null);
    closed = MethodHandles.privateLookupIn(neighbour, insider);
    exported = MethodHandles.privateLookupIn(Arena.class, insider);
  }

  /** Initializes this class, and so opens the jar. */
  static void prepare() {}

  /**
   * Returns the agent: class {@code Agent}, which takes the name of an action and its arguments.
   * All types are the JDK's, because class {@code Agent} and this class see no other common type.
   *
   * @param arguments the first three are filled in: the instrumentation; this object, which defines
   *     a class of ours; and this object again, which reads a group of classes
   * @throws IOException if the jar is gone, or the JDK has no such package
   * @throws ReflectiveOperationException if the JDK has other classes than expected
   */
  @SuppressWarnings("unchecked")
  static BiFunction<String, @Nullable Object[], @Nullable Object> open(
      Instrumentation instrumentation, @Nullable Object[] arguments)
      throws IOException, ReflectiveOperationException {
    Door door = new Door(instrumentation);
    door.findFastWay();
    for (Map.Entry<String, byte[]> each : classes("agent").entrySet()) { // a lambda slows startup
      door.accept(each.getKey(), each.getValue());
    }
    wasOpen = true;
    arguments[0] = instrumentation;
    arguments[1] = door;
    arguments[2] = door;
    return (BiFunction<String, @Nullable Object[], @Nullable Object>) door.made("Agent");
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
   * Tests whether the faster way works with a class that is defined already, which the JVM must
   * refuse. The JVM offers each class file to other agents, therefore this one is well-formed.
   */
  @SuppressWarnings("unchecked")
  private void findFastWay() throws IOException {
    Map.Entry<String, byte[]> definer = classes("definer").entrySet().iterator().next();
    accept(definer.getKey(), definer.getValue());
    try {
      BiConsumer<String, byte[]> found = (BiConsumer<String, byte[]>) made("Definer");
      try {
        found.accept(definer.getKey(), definer.getValue());
      } catch (LinkageError refused) {
        // A subclass would mean that this JDK has no such way.
        fast = refused.getClass() == LinkageError.class ? found : null;
      }
    } catch (VirtualMachineError noSpace) {
      throw noSpace; // the next thread tries again
    } catch (Throwable otherJdk) {
      fast = null;
    }
  }

  private Object made(String name) throws ReflectiveOperationException {
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

  /**
   * {@inheritDoc}
   *
   * <p>A lookup makes the JVM link the class at once. With {@code -Xverify:all} linking fails for
   * lack of classes that come later, but the class is defined nevertheless. A class for JMX or JDK
   * Flight Recorder lacks its supertype if their modules are missing; then it is not needed.
   */
  @Override
  public void accept(String name, byte[] classFile) {
    if (again && isDefined(name)) {
      return; // The JVM would parse the class, and count it as loaded, before it refuses.
    }
    BiConsumer<String, byte[]> faster = fast;
    try {
      if (faster != null) {
        faster.accept(name, classFile);
      } else {
        (name.startsWith(CLOSED) ? closed : exported).defineClass(classFile);
      }
    } catch (IllegalAccessException impossible) {
      throw new IllegalAccessError(impossible.getMessage());
    } catch (LinkageError refused) {
      boolean lacksSupertype =
          refused instanceof NoClassDefFoundError && present().size() < USED.size();
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

  @Override
  public Map<String, byte[]> apply(String group) {
    try {
      return classes(group);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
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

  /**
   * The class to which packages of java.base are opened. This jar is in the same module as the
   * program's class path, so a package opened to that module would be open to the program.
   * Therefore this class is loaded by a class loader of its own, and so is in a module of its own.
   */
  public static final class Insider {
    private Insider() {}

    /**
     * Called by reflection on the class that a door defined.
     *
     * @return a lookup from this class
     */
    public static MethodHandles.Lookup lookup() {
      return MethodHandles.lookup();
    }
  }
}
