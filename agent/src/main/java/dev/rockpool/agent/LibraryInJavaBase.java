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
 * <p>This class is itself there, as are all classes of the agent; see {@code AgentInJavaBase}, also
 * for threads that define the same classes at once. No lock is held meanwhile.
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

  /** The package of module jdk.management that runs the JVM's diagnostic commands. */
  private static final String COMMANDS = "com.sun.management.internal";

  final Instrumentation instrumentation;

  /** Defines a class of ours, by name in internal form, unless it is defined. */
  private final BiConsumer<String, byte[]> definer;

  /** Reads the classes of a group, supertypes before subtypes. */
  private final Function<String, Map<String, byte[]>> groups;

  /** Makes an object of a class of ours that has no state, by name in internal form. */
  private final Function<String, Object> maker;

  /** The agent's jar; null if it is gone. */
  final @Nullable String jar;

  private final Set<ClassGroup> defined = ConcurrentHashMap.newKeySet();

  /**
   * Ids of the threads that are defining classes now. Ids, not threads, because a thread's methods
   * may be overridden by the program.
   */
  private final Set<Long> definers = ConcurrentHashMap.newKeySet();

  LibraryInJavaBase(
      Instrumentation instrumentation,
      BiConsumer<String, byte[]> definer,
      Function<String, Map<String, byte[]>> groups,
      Function<String, Object> maker,
      @Nullable String jar) {
    this.instrumentation = instrumentation;
    this.definer = definer;
    this.groups = groups;
    this.maker = maker;
    this.jar = jar;
    defined.add(ClassGroup.AGENT);
  }

  @Override
  public void define(RedirectedMethod method) {
    define(method == RedirectedMethod.ALLOCATE_DIRECT ? ClassGroup.DIRECT : ClassGroup.START);
  }

  @Override
  public String of(RedirectedMethod method, String className) {
    return method == RedirectedMethod.ALLOCATE_DIRECT ? DIRECT_BUFFERS : ARENAS;
  }

  /**
   * Defines a group and those before it, once. Returns at once on a thread that is defining what
   * rewritten classes call: this may make the JVM load a rewritten class of the JDK, whose
   * transformer calls this again, and needs no more than {@link ClassGroup#REWRITE}.
   *
   * @throws java.io.UncheckedIOException if the agent's jar lacks a group
   */
  void define(ClassGroup last) {
    defineOnce(ClassGroup.REWRITE);
    long thread = Thread.currentThread().threadId();
    if (defined.contains(last) || !definers.add(thread)) {
      return;
    }
    try {
      for (ClassGroup each : ClassGroup.values()) {
        if (each.compareTo(last) <= 0) {
          defineOnce(each);
        }
      }
    } finally {
      definers.remove(thread);
    }
  }

  private void defineOnce(ClassGroup group) {
    if (defined.contains(group)) {
      return;
    }
    if (group == ClassGroup.DIRECT) {
      exportToUnsafe();
    } else if (group == ClassGroup.RECORD) {
      openDiagnosticCommands();
    }
    groups.apply(group.file()).forEach(definer);
    if (group == ClassGroup.START) {
      prepareStart();
    }
    defined.add(group);
  }

  /** Passes on the action that defines the pool's classes to the class that starts the pool. */
  @SuppressWarnings("unchecked")
  private void prepareStart() {
    ((Consumer<Runnable>) maker.apply(START + "$Preparation")).accept(new Definition());
  }

  /** Returns the bytes of our direct buffers that are not freed. */
  LongSupplier bytesOfBuffers() {
    define(ClassGroup.DIRECT);
    return (LongSupplier) maker.apply(CLOSED + "Buffers$Reserved");
  }

  MemoryLimit limit() {
    define(ClassGroup.RECORD);
    return (MemoryLimit) maker.apply(CLOSED + "Limit$Control");
  }

  /** Exports the closed package to the module of sun.misc.Unsafe, which calls our classes. */
  private void exportToUnsafe() {
    Module unsupported = ModuleLayer.boot().findModule("jdk.unsupported").orElse(null);
    if (unsupported != null) {
      String closed = LibraryInJavaBase.class.getPackageName();
      redefine(Object.class.getModule(), Map.of(closed, Set.of(unsupported)), Map.of());
    }
  }

  /** Opens the package of the JVM's diagnostic commands to java.base, which has the recorder. */
  private void openDiagnosticCommands() {
    Module management = ModuleLayer.boot().findModule("jdk.management").orElse(null);
    if (management != null && management.getPackages().contains(COMMANDS)) {
      redefine(management, Map.of(), Map.of(COMMANDS, Set.of(Object.class.getModule())));
    }
  }

  private void redefine(
      Module module, Map<String, Set<Module>> exports, Map<String, Set<Module>> opens) {
    instrumentation.redefineModule(module, Set.of(), exports, opens, Set.of(), Map.of());
  }

  /** Returns the texts in the constant pool of a class; null if this JDK does not tell. */
  @SuppressWarnings("unchecked")
  @Nullable Set<String> constants(Class<?> loaded) {
    try {
      return ((Function<Class<?>, Set<String>>) maker.apply(CLOSED + "Constants")).apply(loaded);
    } catch (LinkageError | RuntimeException otherJdk) {
      return null;
    }
  }

  /** Defines a class in java.lang.foreign, unless it is there already. */
  void defineEntry(String name, byte[] classFile) {
    definer.accept(name, classFile);
  }

  /** Defines the classes of the pool, when the count of arenas starts it. */
  private final class Definition implements Runnable {
    @Override
    public void run() {
      define(ClassGroup.ARENAS);
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
