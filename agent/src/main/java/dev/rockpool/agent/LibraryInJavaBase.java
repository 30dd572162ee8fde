package dev.rockpool.agent;

import dev.rockpool.agent.CallSiteTransformer.Targets;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Defines the library in java.base: in a package that java.base exports to no program, each class
 * with the prefix {@code Rockpool}. Programs reach a few classes in {@code java.lang.foreign}, each
 * with one method that is harmless in anybody's hands.
 *
 * <p>Rewritten classes are in any class loader and any module, and must reach the classes they
 * call. Every module reads java.base. Class loaders ask their parents first, and so in the end
 * java.base. A loader that passes on only a list of names does not find our classes, so its classes
 * must be excluded by option. Appending the library to the boot class path would not do: the JVM
 * would drop class-data sharing for application classes, and warn of restricted methods in our
 * name. {@code docs/architecture.md} compares the two.
 *
 * <p>{@link Instrumentation#redefineModule} opens two packages of java.base to one class of ours;
 * {@link MethodHandles.Lookup#defineClass} defines the classes. The lookup stays in this object.
 * Only the JVM's own list of transformers leads to this object, no static field, and so no
 * reflection.
 *
 * <p>The class that counts arenas is defined when the first class with call sites, or a rewritten
 * class of the JDK, is loaded; the pool's classes when that class starts the pool. So a program
 * without such classes pays only for the search. No lock is held meanwhile. Threads that define the
 * same classes at once define each class once, and a thread that fails half-way leaves the rest to
 * the next one.
 */
final class LibraryInJavaBase implements Targets {
  /** The package that programs can't reach, with the prefix of our classes. */
  private static final String CLOSED = "jdk/internal/foreign/Rockpool";

  /** The class whose {@code ofConfined()} replaces that of {@code Arena}, in internal form. */
  private static final String ARENAS = "java/lang/foreign/RockpoolArenas";

  /** The class whose {@code allocateDirect(int)} replaces that of {@code ByteBuffer}. */
  private static final String DIRECT_BUFFERS = "java/lang/foreign/RockpoolDirectBuffers";

  /**
   * The class that starts the pool. The linker asks it for the arena of a call, by method {@link
   * #OPEN}.
   */
  static final String START = CLOSED + "Start";

  static final String OPEN = "open";

  /** The class of recorded confined arenas. */
  static final String RECORDED_ARENA = CLOSED + "RecordedArena";

  /** The class of recorded arenas that are not confined. */
  static final String HELD_ARENA = CLOSED + "HeldArena";

  /** The class of recorded buffers and mapped files. */
  static final String HOLDING = CLOSED + "Holding";

  /** The class whose {@code invokeCleaner(ByteBuffer)} frees our buffers. */
  static final String BUFFERS = CLOSED + "Buffers";

  /** The class that defines the others. */
  private static final String DEFINER = CLOSED + "Definer";

  /** The class that knows whether arenas are checked. */
  private static final String SETTING = CLOSED + "SwitchSetting";

  private static final MethodType IS = MethodType.methodType(boolean.class);

  /** Optional modules of the JDK that our classes in java.base use. */
  private static final String[] MONITORING = {"java.management", "jdk.management", "jdk.jfr"};

  /** Classes behind {@code ByteBuffer.allocateDirect}, JDK 25 to 28. */
  private static final String[] BUFFERS_OF_THE_JDK = {
    "Bits",
    "Bits$1",
    "DirectByteBuffer",
    "DirectByteBuffer$Deallocator",
    "BufferCleaner",
    "BufferCleaner$CleanerList",
    "BufferCleaner$CleanerList$Node",
    "BufferCleaner$CleaningRunnable",
    "BufferCleaner$PhantomCleaner"
  };

  private final Instrumentation instrumentation;
  private final boolean verbose;
  private final Group definer = new Group("definer");
  private final Group start = new Group("start");
  private final Group arenas = new Group("arenas");
  private final Group recorder = new Group("record");
  private final Group direct = new Group("direct");

  /**
   * Ids of the threads that are defining classes now. Ids, not threads, because a thread's methods
   * may be overridden by the program.
   */
  private final Set<Long> definers = ConcurrentHashMap.newKeySet();

  /** Access to the closed package and to java.lang.foreign; null until first needed. */
  private volatile @Nullable Insiders insiders;

  LibraryInJavaBase(Instrumentation instrumentation, boolean verbose) {
    this.instrumentation = instrumentation;
    this.verbose = verbose;
  }

  @Override
  public void define(RedirectedMethod method) throws IOException, ReflectiveOperationException {
    if (method == RedirectedMethod.OF_CONFINED) {
      defineStart();
    } else {
      defineDirect();
    }
  }

  /** Defines the class that counts arenas and starts the pool, the first time in this JVM. */
  void defineStart() throws IOException, ReflectiveOperationException {
    define(start);
  }

  @Override
  public String of(RedirectedMethod method, String className) {
    return method == RedirectedMethod.OF_CONFINED ? ARENAS : DIRECT_BUFFERS;
  }

  /** Defines the classes of the pool, the first time it is called in this JVM. */
  @Override
  public void defineArenas() throws IOException, ReflectiveOperationException {
    define(arenas);
  }

  /** Defines the recording classes, too, the first time it is called in this JVM. */
  void defineRecorder() throws IOException, ReflectiveOperationException {
    defineArenas();
    define(recorder);
  }

  /** Defines the classes of direct memory, too, the first time it is called in this JVM. */
  void defineDirect() throws IOException, ReflectiveOperationException {
    defineArenas();
    if (!direct.isDefined) {
      initializeBuffersOfTheJdk();
    }
    define(direct);
  }

  /** The fallback's classes would stay broken if their first use met the end of a stack. */
  private static void initializeBuffersOfTheJdk() {
    for (String name : BUFFERS_OF_THE_JDK) {
      try {
        Class.forName("java.nio." + name, true, null);
      } catch (ClassNotFoundException otherRelease) {
        // Another release has other classes.
      }
    }
  }

  /**
   * Defines a group once. Returns at once on a thread that is defining classes already: defining
   * one may make the JVM load a rewritten class of the JDK, and so lead back here. The rewritten
   * class only names ours, which will be defined soon.
   */
  private void define(Group group) throws IOException, ReflectiveOperationException {
    if (group.isDefined || !definers.add(Thread.currentThread().threadId())) {
      return;
    }
    try {
      if (direct.equals(group)) {
        exportToUnsafe();
      }
      group.define(insiders());
      if (start.equals(group)) {
        insiders().prepare(new Definition());
      }
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

  /** Exports the closed package to the module of sun.misc.Unsafe, which calls our Buffers. */
  private void exportToUnsafe() throws IOException, ReflectiveOperationException {
    String closed = insiders().closed().lookupClass().getPackageName();
    Set<Module> unsupported = present("jdk.unsupported");
    if (!unsupported.isEmpty()) {
      instrumentation.redefineModule(
          Object.class.getModule(),
          Set.of(),
          Map.of(closed, unsupported),
          Map.of(),
          Set.of(),
          Map.of());
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

  /** Returns a static method of one of our classes in the closed package. */
  MethodHandle method(String name, String method, MethodType type)
      throws IOException, ReflectiveOperationException {
    MethodHandles.Lookup closed = insiders().closed();
    return closed.findStatic(
        Class.forName((CLOSED + name).replace('/', '.'), true, null), method, type);
  }

  /**
   * Returns whether this JVM's pool checks its arenas; null if the agent was never installed
   * before. If the pool was not used yet, reads the system property now.
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

  /** Opens the two packages to a new module with one class. */
  private Insiders open() throws IOException, ReflectiveOperationException {
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
        present(MONITORING),
        Map.of(),
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

  /** Returns a lookup from {@link Insider}, which is loaded only by a loader of its own. */
  private MethodHandles.Lookup insider() throws IOException, ReflectiveOperationException {
    Map.Entry<String, byte[]> only = Gate.classes("insider").entrySet().iterator().next();
    Class<?> insider = new InsiderLoader().define(only.getKey().replace('/', '.'), only.getValue());
    return (MethodHandles.Lookup) insider.getMethod("lookup").invoke(null);
  }

  /** Makes the definer; null if it does not work. Tested with bytes that the JVM must refuse. */
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
      Module module = ModuleLayer.boot().findModule(name).orElse(null); // a lambda slows startup
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

  /**
   * Access to packages of java.base.
   *
   * @param closed a lookup in the closed package
   * @param exported a lookup in java.lang.foreign
   * @param definer defines a class by name in either package, faster than a lookup; null if it does
   *     not work on this JDK
   */
  private record Insiders(
      MethodHandles.Lookup closed,
      MethodHandles.Lookup exported,
      @Nullable BiConsumer<String, byte[]> definer) {
    /** Passes on the action that defines the pool's classes to the class that starts the pool. */
    @SuppressWarnings("unchecked")
    void prepare(Runnable definition) throws ReflectiveOperationException {
      if (definer != null) {
        ((Consumer<Runnable>) definer).accept(definition);
        return;
      }
      MethodHandle prepare =
          closed.findStatic(
              Class.forName(START.replace('/', '.'), true, null),
              "prepare",
              MethodType.methodType(void.class, Runnable.class));
      try {
        prepare.invokeExact(definition);
      } catch (Throwable failure) {
        throw new LinkageError(START, failure);
      }
    }

    /**
     * Defines a class unless it is defined already. A lookup makes the JVM link the class at once.
     * With {@code -Xverify:all} linking fails for lack of classes that come later, but the class is
     * defined nevertheless. A class for JMX or JDK Flight Recorder lacks its supertype if their
     * modules are missing; then it is not needed.
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

  /** Classes that are defined together, which the build puts into one file of the jar. */
  private static final class Group {
    private final String name;
    private volatile boolean isDefined;

    Group(String name) {
      this.name = name;
    }

    /** Defines the classes in their order in the file, supertypes before subtypes. */
    void define(Insiders insiders) throws IOException, IllegalAccessException {
      for (Map.Entry<String, byte[]> each : Gate.classes(name).entrySet()) {
        insiders.defineOnce(each.getKey(), each.getValue());
      }
    }
  }

  /** Defines the classes of the pool, when the count of arenas starts it. */
  private final class Definition implements Runnable {
    @Override
    public void run() {
      try {
        defineArenas();
        if (verbose) {
          Console.print("the pool starts");
        }
      } catch (IOException | ReflectiveOperationException | RuntimeException failure) {
        Console.print(CallSiteTransformer.NO_ARENAS, failure);
        throw new IllegalStateException(failure);
      }
    }
  }

  /**
   * The class to which packages of java.base are opened. The agent is in the same module as the
   * program's class path, so a package opened to the agent would be open to the program. Therefore
   * this class is loaded by a class loader of its own, and so is in a module of its own.
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
