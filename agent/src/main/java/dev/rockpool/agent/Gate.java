package dev.rockpool.agent;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Installs the agent when the program loads the first class that concerns the agent, because
 * loading the agent's classes takes longer than a short program. Only for an agent without options,
 * because options that are not accepted must end the JVM at its start.
 *
 * <p>Has a class loader of its own for all other classes of the agent. Threads of the program load
 * them in the midst of loading a class of the program, and hold locks of the program's class
 * loaders; so they must not wait for such a lock.
 *
 * <p>Only the JVM's own list refers to a gate, as to the transformers of the agent; see {@code
 * AgentTransformer}. So the gate is opened early by retransforming this class. Public for the
 * agent's classes, which are in another module; harmless in anybody's hands.
 */
public final class Gate implements ClassFileTransformer {
  /** The agent, as this class knows it. */
  public interface Installer {
    /**
     * Installs the agent before the program's main method.
     *
     * @param options the user's
     * @param instrumentation the JVM's services for agents
     */
    void premain(@Nullable String options, Instrumentation instrumentation);

    /**
     * Installs or uninstalls the agent at an attach.
     *
     * @param options the user's
     * @param instrumentation the JVM's services for agents
     * @throws UnmodifiableClassException if the JVM refuses to restore a class
     */
    void agentmain(@Nullable String options, Instrumentation instrumentation)
        throws UnmodifiableClassException;

    /**
     * Installs the agent without options, in the midst of the program.
     *
     * @param instrumentation the JVM's services for agents
     * @return the transformers of the agent
     */
    List<? extends ClassFileTransformer> installLate(Instrumentation instrumentation);

    /** Prints version and options. */
    void printOptions();
  }

  /** The class whose method the agent rewrites for the linker. */
  private static final String LINKER = "jdk/internal/foreign/abi/SharedUtils";

  /** The library's class that looks for the agent's. */
  private static final String CARRIER = "dev/rockpool/internal/Carrier";

  /** The method whose calls the agent redirects. */
  private static final byte[] METHOD = {'o', 'f', 'C', 'o', 'n', 'f', 'i', 'n', 'e', 'd'};

  /** Index of the capital letter, which is rarer than the others. */
  private static final int CAPITAL = 2;

  /** Frames that an installation may take, interpreted. */
  private static final int FRAMES = 2048;

  /** Whether there is a gate that is not open. */
  private static final AtomicBoolean CLOSED = new AtomicBoolean();

  /** Whether the agent was given before. */
  private static final AtomicBoolean GIVEN = new AtomicBoolean();

  /** Opened at the start, because the file may be deleted or replaced later; null if it is gone. */
  private static final @Nullable ZipFile JAR = jar();

  /** The loader of the agent's other classes, made when it is first needed. */
  private static final AtomicReference<@Nullable ClassLoader> LOADER = new AtomicReference<>();

  private static volatile @Nullable Installer installer;

  private final Instrumentation instrumentation;

  private Gate(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /** As {@link AgentEntry#premain}. */
  static void premain(@Nullable String options, Instrumentation instrumentation)
      throws IOException, ReflectiveOperationException {
    if (mayWait(options) && !GIVEN.getAndSet(true)) {
      CLOSED.set(true);
      instrumentation.addTransformer(new Gate(instrumentation), true);
    } else {
      GIVEN.set(true);
      open(instrumentation);
      installer().premain(options, instrumentation);
    }
  }

  /**
   * Whether the agent may be installed later: without options, and where this class's nested
   * classes can be loaded while another class is being loaded.
   */
  private static boolean mayWait(@Nullable String options) {
    return (options == null || options.isEmpty())
        && Gate.class.getClassLoader().isRegisteredAsParallelCapable();
  }

  /** As {@link AgentEntry#agentmain}. */
  static void agentmain(@Nullable String options, Instrumentation instrumentation)
      throws IOException, ReflectiveOperationException, UnmodifiableClassException {
    open(instrumentation);
    installer().agentmain(options, instrumentation);
  }

  /** Opens a gate that is closed. */
  private static void open(Instrumentation instrumentation) {
    if (CLOSED.get()) {
      try {
        instrumentation.retransformClasses(Gate.class);
      } catch (UnmodifiableClassException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the very array that the JVM gave
  public byte @Nullable [] transform(
      Module module,
      @Nullable ClassLoader loader,
      @Nullable String className,
      @Nullable Class<?> redefined,
      ProtectionDomain domain,
      byte[] classFile) {
    if (redefined != Gate.class && !concerns(loader, className, classFile)) {
      return null;
    }
    byte[] rewritten = classFile;
    try {
      requireStack(FRAMES);
      for (ClassFileTransformer each : installer().installLate(instrumentation)) {
        // The JVM does not offer this class to a transformer that joins now.
        byte[] next = each.transform(module, loader, className, redefined, domain, rewritten);
        rewritten = next == null ? rewritten : next;
      }
    } catch (StackOverflowError | OutOfMemoryError noSpace) {
      return null; // the next class finds the gate closed
    } catch (Throwable broken) {
      rewritten = classFile; // the jar is gone: the program runs on without
    }
    if (instrumentation.removeTransformer(this)) {
      CLOSED.set(false);
    }
    return rewritten == classFile ? null : rewritten;
  }

  private static boolean concerns(
      @Nullable ClassLoader loader, @Nullable String className, byte[] classFile) {
    return loader == null
        ? LINKER.equals(className)
        : CARRIER.equals(className) || namesMethod(classFile);
  }

  private static boolean namesMethod(byte[] classFile) {
    int last = classFile.length - METHOD.length + CAPITAL;
    for (int i = CAPITAL; i <= last; i++) {
      if (classFile[i] == METHOD[CAPITAL] && isMethodAt(classFile, i - CAPITAL)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isMethodAt(byte[] classFile, int offset) {
    for (int i = 0; i < METHOD.length; i++) {
      if (classFile[offset + i] != METHOD[i]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Throws a StackOverflowError unless there is stack for so many calls. A program may load classes
   * where its stack is nearly exhausted, and a class that fails to initialize there stays broken.
   *
   * @param frames number of nested calls; each takes 32 bytes once C2 has compiled this method, and
   *     more before
   */
  public static void requireStack(int frames) {
    descend(frames);
  }

  /** Adds after the recursive call, so that no compiler can turn the recursion into a loop. */
  private static int descend(int frames) {
    return frames == 0 ? 0 : 1 + descend(frames - 1);
  }

  /** Returns the agent, whose classes are loaded at the first call. */
  static Installer installer() throws IOException, ReflectiveOperationException {
    Installer known = installer;
    if (known == null) {
      known = (Installer) load("Agent").getDeclaredConstructor().newInstance();
      installer = known;
    }
    return known;
  }

  /** Loads a class of the agent, its name without the package. */
  private static Class<?> load(String name) throws IOException, ClassNotFoundException {
    ClassLoader known = LOADER.get();
    if (known == null) {
      ClassLoader made = Loader.of(classes("agent"));
      known = LOADER.compareAndExchange(null, made);
      known = known == null ? made : known;
    }
    return known.loadClass(Loader.PACKAGE + name);
  }

  /** Opens the jar of this class; null if the class is from elsewhere, or the jar is gone. */
  private static @Nullable ZipFile jar() {
    try {
      CodeSource source = Gate.class.getProtectionDomain().getCodeSource();
      return source == null ? null : new ZipFile(new File(source.getLocation().toURI()));
    } catch (IOException | URISyntaxException | IllegalArgumentException elsewhere) {
      return null;
    }
  }

  /**
   * Reads classes from a file of the agent's jar that the build made.
   *
   * @param group the name of the file, without its suffix
   * @return class files by name in internal form, supertypes before subtypes
   * @throws IOException if the jar is gone, or has no such file
   */
  public static Map<String, byte[]> classes(String group) throws IOException {
    String file = group + ".classes";
    ZipFile jar = JAR;
    String folder = Gate.class.getPackageName().replace('.', '/');
    ZipEntry entry = jar == null ? null : jar.getEntry(folder + "/" + file);
    if (jar == null || entry == null) {
      throw new IOException("the agent's jar lacks " + file);
    }
    Map<String, byte[]> classes = new LinkedHashMap<>();
    try (InputStream in = jar.getInputStream(entry);
        InputStream inflated =
            new InflaterInputStream(new ByteArrayInputStream(in.readAllBytes()))) {
      // Not by a DataInputStream, whose way to read numbers takes milliseconds to initialize.
      ByteBuffer bytes = ByteBuffer.wrap(inflated.readAllBytes());
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

  /** Loads the agent's classes from its jar, and all others from the JDK alone. */
  private static final class Loader extends ClassLoader {
    private static final String PACKAGE = Gate.class.getPackageName() + ".";

    static {
      registerAsParallelCapable();
    }

    private final Map<String, byte[]> classes;

    private Loader(Map<String, byte[]> classes) {
      super("rockpool-agent", null);
      this.classes = classes;
    }

    /** Returned as a ClassLoader, so that verifying class Gate does not load this class. */
    static ClassLoader of(Map<String, byte[]> classes) {
      return new Loader(classes);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(PACKAGE)) {
        return super.loadClass(name, resolve);
      }
      if (name.equals(Gate.class.getName())) {
        return Gate.class;
      }
      if (name.equals(Installer.class.getName())) {
        return Installer.class;
      }
      byte[] classFile = classes.get(name.replace('.', '/'));
      if (classFile == null) {
        throw new ClassNotFoundException(name);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded != null
            ? loaded
            : defineClass(name, classFile, 0, classFile.length, Gate.class.getProtectionDomain());
      }
    }
  }
}
