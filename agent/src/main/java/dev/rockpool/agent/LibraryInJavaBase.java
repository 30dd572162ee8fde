package dev.rockpool.agent;

import dev.rockpool.agent.AgentTransformer.Targets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
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
 * name; and modules would not read the library.
 *
 * <p>This class is itself there, as are all classes of the agent; see {@code AgentInJavaBase}.
 *
 * <p>The class that counts arenas is defined with the first class that has call sites, or with the
 * first rewritten class of the JDK. The pool's classes are defined when the count starts the pool.
 * So a program without such classes pays only for the search. No lock is held meanwhile; see {@code
 * AgentInJavaBase} for threads that define the same classes at once.
 */
final class LibraryInJavaBase implements Targets {
  /** The package that programs can't reach, with the prefix of our classes. */
  static final String CLOSED = "jdk/internal/foreign/Rockpool";

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
  static final String HOLDING_ARENA = CLOSED + "HoldingArena";

  /** The class of recorded buffers and mapped files. */
  static final String HOLDING = CLOSED + "Holding";

  /** The class whose {@code invokeCleaner(ByteBuffer)} frees our buffers. */
  static final String BUFFERS = CLOSED + "Buffers";

  /** The class that knows whether arenas are checked. */
  private static final String SETTING = CLOSED + "SwitchSetting";

  /**
   * Access to java.base, which {@code AgentInJavaBase} gives the agent.
   *
   * @param instrumentation the JVM's services for agents
   * @param definer defines a class of ours, by name in internal form, unless it is defined
   * @param groups reads classes that are defined together, supertypes before subtypes
   * @param maker makes an object of a class of ours that has no state, by name in internal form
   */
  record Access(
      Instrumentation instrumentation,
      BiConsumer<String, byte[]> definer,
      Function<String, Map<String, byte[]>> groups,
      Function<String, Object> maker) {
    /** Defines a group of classes, as far as they are not defined. */
    void define(String group) {
      for (Map.Entry<String, byte[]> each : groups.apply(group).entrySet()) {
        definer.accept(each.getKey(), each.getValue());
      }
    }
  }

  private final Access access;
  private final boolean verbose;

  /** Groups of classes that are defined: the build puts each into one file of the jar. */
  private final Set<String> defined = ConcurrentHashMap.newKeySet();

  /**
   * Ids of the threads that are defining classes now. Ids, not threads, because a thread's methods
   * may be overridden by the program.
   */
  private final Set<Long> definers = ConcurrentHashMap.newKeySet();

  LibraryInJavaBase(Access access, boolean verbose) {
    this.access = access;
    this.verbose = verbose;
  }

  @Override
  public void define(RedirectedMethod method) throws IOException, ReflectiveOperationException {
    if (of(method, "").equals(ARENAS)) {
      defineStart();
    } else {
      defineDirect();
    }
  }

  /** Defines the agent's classes beyond those of an install without options and of the search. */
  void defineRewrite() {
    if (!defined.contains("rewrite")) {
      access.define("rewrite");
      defined.add("rewrite");
    }
  }

  /** Defines the class that counts arenas and starts the pool, the first time in this JVM. */
  void defineStart() throws IOException, ReflectiveOperationException {
    defineRewrite(); // has classes that prepare the start
    define("start");
  }

  @Override
  public String of(RedirectedMethod method, String className) {
    if (method == RedirectedMethod.OF_CONFINED) {
      return ARENAS;
    }
    if (method == RedirectedMethod.ALLOCATE_DIRECT) {
      return DIRECT_BUFFERS;
    }
    throw new IllegalArgumentException("Only the recorder redirects " + method);
  }

  /** Defines the classes of the pool, the first time it is called in this JVM. */
  void defineArenas() throws IOException, ReflectiveOperationException {
    defineStart(); // its group has classes that the pool needs
    define("arenas");
  }

  /**
   * Defines the recording classes, with the agent's own, the first time it is called in this JVM.
   */
  void defineRecorder() throws IOException, ReflectiveOperationException {
    defineArenas();
    define("record");
  }

  /** Defines the classes of direct memory, too, the first time it is called in this JVM. */
  void defineDirect() throws IOException, ReflectiveOperationException {
    defineArenas();
    define("direct");
  }

  /**
   * Defines a group once. Returns at once on a thread that is defining classes. Defining a class
   * may make the JVM load a rewritten class of the JDK, whose transformer calls this again.
   */
  private void define(String group) throws IOException, ReflectiveOperationException {
    if (defined.contains(group) || !definers.add(Thread.currentThread().threadId())) {
      return;
    }
    try {
      if (group.equals("direct")) {
        exportToUnsafe();
      }
      access.define(group);
      if (group.equals("start")) {
        prepareStart();
      }
      defined.add(group);
      if (verbose && group.equals("arenas")) {
        tellOfObstacle("NativeMemory", "the pool goes by public API, which takes longer");
      } else if (verbose && group.equals("direct")) {
        tellOfObstacle("BareBuffers", "direct buffers have scopes, which take longer");
      }
    } catch (UncheckedIOException unreadable) {
      throw unreadable.getCause();
    } finally {
      definers.remove(Thread.currentThread().threadId());
    }
  }

  /** Passes on the action that defines the pool's classes to the class that starts the pool. */
  @SuppressWarnings("unchecked")
  private void prepareStart() {
    ((BiConsumer<Runnable, Runnable>) access.maker().apply(START + "$Preparation"))
        .accept(new Definition(), new Ready());
  }

  /** Exports the closed package to the module of sun.misc.Unsafe, which calls our Buffers. */
  private void exportToUnsafe() {
    Module unsupported = ModuleLayer.boot().findModule("jdk.unsupported").orElse(null);
    if (unsupported != null) {
      access
          .instrumentation()
          .redefineModule(
              Object.class.getModule(),
              Set.of(),
              Map.of(LibraryInJavaBase.class.getPackageName(), Set.of(unsupported)),
              Map.of(),
              Set.of(),
              Map.of());
    }
  }

  /** Says so if a class can't use java.base from within, and leaves its work to public API. */
  private void tellOfObstacle(String name, String consequence) throws ReflectiveOperationException {
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
  void defineEntry(String name, byte[] classFile) {
    access.definer().accept(name, classFile);
  }

  /** Returns a static method of one of our classes in the closed package, which is ours, too. */
  MethodHandle method(String name, String method, MethodType type)
      throws ReflectiveOperationException {
    return MethodHandles.lookup()
        .findStatic(Class.forName((CLOSED + name).replace('/', '.'), true, null), method, type);
  }

  /**
   * Returns whether this JVM's pool checks its arenas; null if the agent was never installed
   * before. If the pool was not used yet, reads the system property now.
   */
  @Nullable Boolean isChecked() {
    try {
      Class<?> type = Class.forName(SETTING.replace('/', '.'), true, null);
      MethodHandles.Lookup closed = MethodHandles.lookup();
      MethodType is = MethodType.methodType(boolean.class);
      Object setting = closed.findStaticGetter(type, "CHECK", type).invoke();
      return (boolean) closed.findVirtual(type, "isOn", is).invoke(setting);
    } catch (ClassNotFoundException never) {
      return null;
    } catch (Throwable impossible) {
      throw new LinkageError(SETTING, impossible);
    }
  }

  /** Defines the classes of the pool, when the count of arenas starts it. */
  private final class Definition implements Runnable {
    @Override
    public void run() {
      try {
        defineArenas();
      } catch (IOException
          | ReflectiveOperationException
          | RuntimeException
          | LinkageError failure) {
        Console.print(AgentTransformer.NO_ARENAS, failure);
        throw new IllegalStateException(failure);
      }
    }
  }

  /** Called when the pool is ready. */
  private final class Ready implements Runnable {
    @Override
    public void run() {
      AgentReport report = Agent.report();
      if (report != null) {
        AgentMonitor.startOnce(report);
      }
      if (verbose) {
        Console.print("the pool starts");
      }
    }
  }
}
