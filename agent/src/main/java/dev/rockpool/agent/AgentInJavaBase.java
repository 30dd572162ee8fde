package dev.rockpool.agent;

import static java.util.Objects.requireNonNull;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.instrument.Instrumentation;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.CodeSource;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Defines the agent in java.base, in a package that java.base exports to no program. So the program
 * reaches neither the agent's fields by reflection, nor the agent's package by a lookup.
 *
 * <p>{@link Instrumentation#redefineModule} exports the package of the JDK's {@code Unsafe} to the
 * unnamed module of this class loader, which has one class, {@code Definer}. All access is in local
 * variables, and in an object of this class, which only the agent has. Static fields here are
 * harmless in anybody's hands: any class of the program may reach them by reflection.
 *
 * <p>As a Consumer, this takes the one {@code Definer}. As a BiConsumer, this defines a class of
 * ours, given name and bytes, unless the class is defined already. As a Function, this reads a
 * group of classes. Threads that define a group at once define each class once, and a thread that
 * fails half-way leaves the rest to the next one.
 */
@SuppressWarnings("overloads") // andThen, of two interfaces, is not called
final class AgentInJavaBase extends ClassLoader
    implements Consumer<Object>, BiConsumer<String, byte[]>, Function<String, Map<String, byte[]>> {
  /** The package of our classes. */
  private static final String CLOSED = "jdk.internal.foreign";

  /** The package whose class Unsafe defines classes. */
  private static final String UNSAFE = "jdk.internal.misc";

  private static final int NUMBER = 3;

  /** Modules that our classes in java.base use, if the program's runtime has them. */
  private static final List<String> USED =
      List.of("java.instrument", "java.management", "jdk.management", "jdk.jfr");

  /** Opened at the start, because the file may be deleted or replaced later; null if it is gone. */
  private static final @Nullable ZipFile JAR = jar();

  private static volatile boolean wasDefined;

  /** Whether the agent was defined before, so that most classes are there. */
  private final boolean again = wasDefined;

  private @Nullable Object definer;

  private AgentInJavaBase(Instrumentation instrumentation)
      throws IOException, ReflectiveOperationException {
    super(null);
    Module base = Object.class.getModule();
    if (!base.getPackages().contains(CLOSED) || base.isExported(CLOSED)) {
      throw new IOException("this JDK has no closed package as expected: " + CLOSED);
    }
    Map.Entry<String, byte[]> ours = classes("definer").entrySet().iterator().next();
    instrumentation.redefineModule(
        base, present(), Map.of(UNSAFE, Set.of(getUnnamedModule())), Map.of(), Set.of(), Map.of());
    String name = ours.getKey().replace('/', '.');
    defineClass(name, ours.getValue(), 0, ours.getValue().length);
    Class.forName(name, true, this);
  }

  /** Called by the initializer of {@code Definer}, with its one object. */
  @Override
  public void accept(Object theDefiner) {
    definer = theDefiner;
  }

  /**
   * Defines class {@code Agent}, which takes the name of an action and its arguments, and runs it.
   * All types are the JDK's, because class {@code Agent} and this class see no other common type.
   *
   * @param action premain or agentmain
   * @throws IOException if the jar is gone, or the JDK has no such package
   * @throws ReflectiveOperationException if the JDK has other classes than expected
   */
  @SuppressWarnings("unchecked")
  static void run(
      String action, @Nullable String options, String version, Instrumentation instrumentation)
      throws IOException, ReflectiveOperationException {
    AgentInJavaBase here = new AgentInJavaBase(instrumentation);
    classes("agent").forEach(here);
    wasDefined = true;
    Function<String, Object> maker = (Function<String, Object>) requireNonNull(here.definer);
    String jar = JAR == null ? null : JAR.getName();
    ((BiConsumer<String, @Nullable Object[]>) maker.apply(LibraryInJavaBase.CLOSED + "Agent"))
        .accept(
            action,
            new @Nullable Object[] {instrumentation, here, here, maker, jar, version, options});
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
   * {@inheritDoc}
   *
   * <p>A class for JMX or JDK Flight Recorder lacks its supertype if their modules are missing;
   * then it is not needed.
   */
  @Override
  @SuppressWarnings("unchecked")
  public void accept(String name, byte[] classFile) {
    if (again && isDefined(name)) {
      return; // The JVM would parse the class, and count it as loaded, before it refuses.
    }
    try {
      ((BiConsumer<String, byte[]>) requireNonNull(definer)).accept(name, classFile);
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
      CodeSource source = AgentInJavaBase.class.getProtectionDomain().getCodeSource();
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
  static Map<String, byte[]> classes(String group) throws IOException {
    String folder = AgentInJavaBase.class.getPackageName().replace('.', '/');
    Map<String, byte[]> classes = new LinkedHashMap<>();
    byte[] bytes = bytes(folder + "/" + group + ".classes");
    for (int at = 0, length = number(bytes, at); length > 0; length = number(bytes, at)) {
      int start = at + NUMBER + length;
      String name = new String(bytes, at + NUMBER, length, StandardCharsets.ISO_8859_1);
      at = start + NUMBER + number(bytes, start);
      classes.put(name, Arrays.copyOfRange(bytes, start + NUMBER, at));
    }
    return classes;
  }

  /** Not by a stream or buffer, whose ways to read numbers take milliseconds to initialize. */
  private static int number(byte[] bytes, int at) {
    return (bytes[at] & 0xFF) << 16 | (bytes[at + 1] & 0xFF) << 8 | (bytes[at + 2] & 0xFF);
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
}
