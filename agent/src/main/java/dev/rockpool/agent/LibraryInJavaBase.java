package dev.rockpool.agent;

import dev.rockpool.agent.AgentTransformer.Targets;
import dev.rockpool.internal.Notices;
import dev.rockpool.rewrite.RedirectedMethod;
import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
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
 * <p>Classes are defined in groups; the build puts each group into one file of the jar. A group
 * comes with the groups that it needs, and as late as possible: {@code rewrite} and {@code start}
 * with the first class that has call sites, or with the first rewritten class of the JDK; {@code
 * arenas} when the count of arenas starts the pool. So a program without such classes pays only for
 * the search. No lock is held meanwhile; see {@code AgentInJavaBase} for threads that define the
 * same classes at once.
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

  /** The class of arenas and buffers under the limit of native memory. */
  static final String LIMIT = CLOSED + "Limit";

  /** The class whose {@code allocateDirect(int)} makes our buffers, for recorded calls. */
  static final String BUFFERS = CLOSED + "Buffers";

  /** The package of module jdk.management that runs the JVM's diagnostic commands. */
  private static final String COMMANDS = "com.sun.management.internal";

  /** The group that each group needs. */
  private static final Map<String, String> NEEDED =
      Map.of(
          "start", "rewrite",
          "arenas", "start",
          "cleaner", "arenas",
          "record", "cleaner",
          "ccode", "record",
          "watch", "record",
          "direct", "cleaner",
          "limit", "direct");

  /**
   * Access to java.base, which {@code AgentInJavaBase} gives the agent.
   *
   * @param instrumentation the JVM's services for agents
   * @param definer defines a class of ours, by name in internal form, unless it is defined
   * @param groups reads classes that are defined together, supertypes before subtypes
   * @param maker makes an object of a class of ours that has no state, by name in internal form
   * @param jar the agent's jar; null if it is gone
   */
  record Access(
      Instrumentation instrumentation,
      BiConsumer<String, byte[]> definer,
      Function<String, Map<String, byte[]>> groups,
      Function<String, Object> maker,
      @Nullable String jar) {
    /** Defines a group of classes, as far as they are not defined. */
    void define(String group) {
      for (Map.Entry<String, byte[]> each : groups.apply(group).entrySet()) {
        definer.accept(each.getKey(), each.getValue());
      }
    }
  }

  private final Access access;
  private final Set<String> defined = ConcurrentHashMap.newKeySet();

  /**
   * Ids of the threads that are defining classes now. Ids, not threads, because a thread's methods
   * may be overridden by the program.
   */
  private final Set<Long> definers = ConcurrentHashMap.newKeySet();

  LibraryInJavaBase(Access access) {
    this.access = access;
  }

  @Override
  public void define(RedirectedMethod method) {
    define(method == RedirectedMethod.ALLOCATE_DIRECT ? "direct" : "start");
  }

  @Override
  public String of(RedirectedMethod method, String className) {
    return method == RedirectedMethod.ALLOCATE_DIRECT ? DIRECT_BUFFERS : ARENAS;
  }

  /**
   * Defines a group and those that it needs, once. Returns at once on a thread that is defining
   * classes: this may make the JVM load a rewritten class of the JDK, whose transformer calls this
   * again.
   *
   * @throws java.io.UncheckedIOException if the agent's jar lacks the group
   */
  void define(String group) {
    if (defined.contains(group)) {
      return;
    }
    String needed = NEEDED.get(group);
    if (needed == null) {
      access.define(group);
      defined.add(group);
      return;
    }
    define(needed);
    if (defined.contains(needed) && definers.add(Thread.currentThread().threadId())) {
      try {
        if (group.equals("cleaner")) {
          exportToUnsafe();
        } else if (group.equals("record")) {
          openDiagnosticCommands();
        }
        access.define(group);
        if (group.equals("start")) {
          prepareStart();
        }
        defined.add(group);
      } finally {
        definers.remove(Thread.currentThread().threadId());
      }
    }
  }

  /** Passes on the action that defines the pool's classes to the class that starts the pool. */
  @SuppressWarnings("unchecked")
  private void prepareStart() {
    ((Consumer<Runnable>) access.maker().apply(START + "$Preparation")).accept(new Definition());
  }

  /** Returns the bytes of the direct buffers that {@link #BUFFERS} made and that are not freed. */
  LongSupplier bytesOfBuffers() {
    define("direct");
    return (LongSupplier) access.maker().apply(BUFFERS + "$Reserved");
  }

  /** Returns the limit of native memory, which is to be started. */
  MemoryLimit limit() {
    define("record"); // has what finds callers
    define("limit");
    return (MemoryLimit) access.maker().apply(LIMIT + "$Control");
  }

  /** Returns the agent's jar; null if it is gone. */
  @Nullable String jar() {
    return access.jar();
  }

  /** Exports the closed package to the module of sun.misc.Unsafe, which calls our classes. */
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

  /** Opens the package of the JVM's diagnostic commands to java.base, which has the recorder. */
  private void openDiagnosticCommands() {
    Module management = ModuleLayer.boot().findModule("jdk.management").orElse(null);
    if (management != null && management.getPackages().contains(COMMANDS)) {
      access
          .instrumentation()
          .redefineModule(
              management,
              Set.of(),
              Map.of(),
              Map.of(COMMANDS, Set.of(Object.class.getModule())),
              Set.of(),
              Map.of());
    }
  }

  /** Defines a class in java.lang.foreign, unless it is there already. */
  void defineEntry(String name, byte[] classFile) {
    access.definer().accept(name, classFile);
  }

  /** Defines the classes of the pool, when the count of arenas starts it. */
  private final class Definition implements Runnable {
    @Override
    public void run() {
      define("arenas");
      AgentReport report = Agent.report();
      if (report != null) {
        AgentMonitor.startOnce(report);
        if (report.verbose) {
          Notices.print("the pool starts");
        }
      }
    }
  }
}
