package dev.rockpool.agent;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.URISyntaxException;
import java.security.CodeSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * The library, defined in java.base: in a package that java.base exports to no program, each class
 * with the prefix {@code Rockpool}. Programs reach a few classes in {@code java.lang.foreign}, each
 * with one method that is harmless in anybody's hands.
 *
 * <p>Rewritten classes live in any class loader and any module; they must reach what they call.
 * Every module reads java.base. Class loaders ask their parents first, and so in the end java.base;
 * one that lets through a list of names only lacks ours, and its classes are to be excluded.
 * Appending the library to the boot class path instead would make the JVM drop class-data sharing
 * for application classes and warn of restricted methods in our name; {@code docs/architecture.md}
 * weighs the two.
 *
 * <p>{@link Instrumentation#redefineModule} opens two packages of java.base to one class of ours,
 * {@link MethodHandles.Lookup#defineClass} defines the classes. The lookup stays in this object,
 * and this object is reachable from the JVM's own list of transformers alone: no static field leads
 * to it, so that no reflection does.
 *
 * <p>The agent's jar is opened when this object is made, as it may be gone or replaced later.
 * Classes are defined when the first class that asks for a confined arena is loaded, or for a
 * direct buffer if those are ours, so that a program without such classes pays for their reading
 * alone. No lock is held meanwhile: threads that define the same classes at once define each class
 * once, and a thread that fails half-way leaves the rest to the next one.
 */
final class PooledClasses {
  /** The class whose {@code ofConfined()} replaces that of {@code Arena}, in internal form. */
  static final String ARENAS = "java/lang/foreign/RockpoolArenas";

  /** The class whose {@code allocateDirect(int)} replaces that of {@code ByteBuffer}. */
  static final String DIRECT_BUFFERS = "java/lang/foreign/RockpoolDirectBuffers";

  /** The package that programs can't reach, and the prefix of our classes there. */
  private static final String CLOSED = "jdk/internal/foreign/Rockpool";

  /** The class that the linker asks for the arena of a call, and its method. */
  static final String CALL_ARENAS = CLOSED + "CallArenas";

  static final String OPEN = "open";

  /** The class that defines the others. */
  private static final String DEFINER = CLOSED + "Definer";

  /** The class that knows whether arenas are checked. */
  private static final String SETTING = CLOSED + "SwitchSetting";

  private static final MethodType IS = MethodType.methodType(boolean.class);

  /** The class of arenas that are counted. */
  static final String RECORDED_ARENA = CLOSED + "RecordedArena";

  /** The class whose {@code invokeCleaner(ByteBuffer)} frees buffers of ours. */
  static final String BUFFERS = CLOSED + "Buffers";

  /** Modules of the JDK that our classes in java.base use where they are there. */
  private static final String[] MONITORING = {"java.management", "jdk.management", "jdk.jfr"};

  private final Instrumentation instrumentation;
  private final boolean verbose;
  private final @Nullable ZipFile jar = jar();
  private final Group definer = new Group("definer");
  private final Group arenas = new Group("arenas");
  private final Group recorder = new Group("record");
  private final Group direct = new Group("direct");

  /**
   * Ids of the threads that are defining classes right now. A thread's own methods may be
   * anybody's.
   */
  private final Set<Long> definers = ConcurrentHashMap.newKeySet();

  /** Into the closed package and into java.lang.foreign; both null until first needed. */
  private volatile @Nullable Insiders insiders;

  /**
   * Ways into java.base.
   *
   * @param closed a lookup in the closed package
   * @param exported one in java.lang.foreign
   * @param definer defines a class by name in either, and faster; null where it does not work
   */
  private record Insiders(
      MethodHandles.Lookup closed,
      MethodHandles.Lookup exported,
      @Nullable BiConsumer<String, byte[]> definer) {
    /**
     * Defines a class unless it is there. A lookup has the JVM link it at once, which with {@code
     * -Xverify:all} fails for the lack of classes that come later; the class is there nevertheless.
     * A class that shows the pool to JMX or JDK Flight Recorder lacks its supertype where their
     * modules are missing, and is not needed there.
     */
    void defineOnce(String name, byte[] classFile) throws IllegalAccessException {
      try {
        if (definer != null) {
          definer.accept(name, classFile);
        } else {
          (name.startsWith(CLOSED) ? closed : exported).defineClass(classFile);
        }
      } catch (LinkageError refused) {
        boolean lacksSupertype =
            refused instanceof NoClassDefFoundError
                && present(MONITORING).size() < MONITORING.length;
        if (!lacksSupertype && !isDefined(name)) {
          throw refused;
        }
      }
    }
  }

  PooledClasses(Instrumentation instrumentation, boolean verbose) {
    this.instrumentation = instrumentation;
    this.verbose = verbose;
  }

  /** Defines the classes of the pool, the first time it is called in this JVM. */
  void define() throws IOException, ReflectiveOperationException {
    define(arenas);
  }

  /** Defines those that count arenas, too, the first time it is called in this JVM. */
  void defineRecorder() throws IOException, ReflectiveOperationException {
    define();
    define(recorder);
  }

  /** Defines those of direct memory, too, the first time it is called in this JVM. */
  void defineDirect() throws IOException, ReflectiveOperationException {
    define();
    define(direct);
  }

  /**
   * Where defining a class makes the JVM load one of the JDK that is rewritten, and so leads back
   * here, the classes are about to be defined: that class only names them.
   */
  private void define(Group group) throws IOException, ReflectiveOperationException {
    if (group.isDefined || !definers.add(Thread.currentThread().threadId())) {
      return;
    }
    try {
      group.define(insiders());
      group.isDefined = true;
      if (verbose && arenas.equals(group)) {
        tellOfObstacle("NativeMemory", "the pool goes by public API, which takes longer");
      } else if (verbose && direct.equals(group)) {
        tellOfObstacle("BareBuffers", "direct buffers have scopes, which take longer");
      }
    } finally {
      definers.remove(Thread.currentThread().threadId());
    }
  }

  /** Says so if a class can't use java.base from within, and leaves its work to public API. */
  private void tellOfObstacle(String name, String consequence)
      throws IOException, ReflectiveOperationException {
    MethodHandle obstacle = method(name, "obstacle", MethodType.methodType(String.class));
    String why;
    try {
      why = (String) obstacle.invokeExact();
    } catch (Throwable unusable) {
      why = unusable.toString();
    }
    if (why != null) {
      Console.print(consequence + ", on this JDK: " + why);
    }
  }

  /** Defines a class in java.lang.foreign, unless it is there already. */
  void defineEntry(String name, byte[] classFile) throws IOException, ReflectiveOperationException {
    insiders().defineOnce(name, classFile);
  }

  /** A static method of one of our classes in the closed package. */
  MethodHandle method(String name, String method, MethodType type)
      throws IOException, ReflectiveOperationException {
    MethodHandles.Lookup closed = insiders().closed();
    return closed.findStatic(
        Class.forName((CLOSED + name).replace('/', '.'), true, null), method, type);
  }

  /**
   * Whether the pool of this JVM checks its arenas; null where the agent has not been before. Read
   * from the system property now, if the pool was not used yet.
   */
  @Nullable Boolean isChecked() {
    if (!isDefined(SETTING)) {
      return null;
    }
    try {
      Class<?> type = Class.forName(SETTING.replace('/', '.'), true, null);
      MethodHandles.Lookup closed = insiders().closed();
      Object setting = closed.findStaticGetter(type, "CHECK", type).invoke();
      return (boolean) closed.findVirtual(type, "isOn", IS).invoke(setting);
    } catch (Throwable impossible) {
      throw new LinkageError(SETTING, impossible);
    }
  }

  private Insiders insiders() throws IOException, ReflectiveOperationException {
    Insiders found = insiders;
    if (found == null) {
      found = open();
      insiders = found;
    }
    return found;
  }

  /** The jar that this class is from; null where it is from elsewhere, or not there any more. */
  private static @Nullable ZipFile jar() {
    try {
      CodeSource source = PooledClasses.class.getProtectionDomain().getCodeSource();
      return source == null ? null : new ZipFile(new File(source.getLocation().toURI()));
    } catch (IOException | URISyntaxException | IllegalArgumentException elsewhere) {
      return null;
    }
  }

  /** A file of the agent's package. */
  private byte[] read(String file) throws IOException {
    String name = PooledClasses.class.getPackageName().replace('.', '/') + "/" + file;
    ZipEntry entry = jar == null ? null : jar.getEntry(name);
    if (jar == null || entry == null) {
      throw new IOException("the agent's jar lacks " + file);
    }
    try (InputStream in = jar.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }

  /** Opens the two packages to a new module with nothing else in it. */
  private Insiders open() throws IOException, ReflectiveOperationException {
    Class<?> neighbour = MemorySegment.NULL.getClass();
    Module base = Object.class.getModule();
    if (!CLOSED.startsWith(neighbour.getPackageName().replace('.', '/') + "/")
        || neighbour.getModule() != base
        || base.isExported(neighbour.getPackageName())) {
      throw new IOException("this JDK has no closed package as expected: " + neighbour.getName());
    }
    Set<Module> unsupported = present("jdk.unsupported"); // has Unsafe, which calls us
    MethodHandles.Lookup insider = Insider.alone(read("Insider.class"));
    Set<Module> us = Set.of(insider.lookupClass().getModule());
    instrumentation.redefineModule(
        base,
        present(MONITORING),
        unsupported.isEmpty() ? Map.of() : Map.of(neighbour.getPackageName(), unsupported),
        Map.of(neighbour.getPackageName(), us, Arena.class.getPackageName(), us),
        Set.of(),
        Map.of());
    Insiders byLookup =
        new Insiders(
            MethodHandles.privateLookupIn(neighbour, insider),
            MethodHandles.privateLookupIn(Arena.class, insider),
            null);
    return new Insiders(byLookup.closed(), byLookup.exported(), definer(byLookup));
  }

  /** Tried on bytes that are no class, which the JVM itself refuses, if it gets them. */
  @SuppressWarnings("unchecked")
  private @Nullable BiConsumer<String, byte[]> definer(Insiders byLookup)
      throws IOException, ReflectiveOperationException {
    definer.define(byLookup);
    Class<?> type = Class.forName(DEFINER.replace('/', '.'), true, null);
    MethodHandle made = byLookup.closed().findConstructor(type, MethodType.methodType(void.class));
    try {
      Object found = made.invoke();
      var all = (BiConsumer<String, byte[]>) found;
      try {
        all.accept(DEFINER, new byte[1]);
      } catch (ClassFormatError asExpected) {
        return all;
      }
    } catch (VirtualMachineError noSpace) {
      throw noSpace; // the next thread tries again
    } catch (Throwable otherJdk) {
      return null;
    }
    return null;
  }

  private static Set<Module> present(String... names) {
    Set<Module> present = new HashSet<>();
    for (String name : names) {
      Module module = ModuleLayer.boot().findModule(name).orElse(null); // no lambda: it costs
      if (module != null) {
        present.add(module);
      }
    }
    return present;
  }

  /** Whether java.base has a class of this name, in internal form. */
  private static boolean isDefined(String name) {
    try {
      Class.forName(name.replace('/', '.'), false, null);
      return true;
    } catch (ClassNotFoundException notThere) {
      return false;
    }
  }

  /** Classes that are defined together, as the build has put them into a file of the jar. */
  private final class Group {
    private final String file;
    private volatile boolean isDefined;

    Group(String name) {
      file = name + ".classes";
    }

    /** Superclasses come before their subclasses. */
    void define(Insiders insiders) throws IOException, IllegalAccessException {
      try (DataInputStream in =
          new DataInputStream(new InflaterInputStream(new ByteArrayInputStream(read(file))))) {
        for (String name = in.readUTF(); !name.isEmpty(); name = in.readUTF()) {
          byte[] classFile = new byte[in.readInt()];
          in.readFully(classFile);
          insiders.defineOnce(name, classFile);
        }
      }
    }
  }
}
