package dev.rockpool.agent;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Installs the agent when the program loads the first class that concerns the agent, because
 * loading the agent's classes takes longer than a short program. Only for an agent without options,
 * because options that are not accepted must end the JVM at its start.
 *
 * <p>Only the JVM's own list refers to a gate, as to the transformers of the agent; see {@code
 * AgentTransformer}. So the gate is opened early by retransforming this class.
 */
final class Gate implements ClassFileTransformer {
  /** Settings that switch the agent off or on in a JVM. The first one given counts. */
  enum Switch {
    PROPERTY("System property", "rockpool.agent"),
    VARIABLE("Environment variable", "ROCKPOOL_AGENT");

    private final String kind;
    private final String key;

    Switch(String kind, String key) {
      this.kind = kind;
      this.key = key;
    }

    /** Returns the kind of setting, as messages name it. */
    String kind() {
      return kind;
    }

    /** Returns the name as the user writes it. */
    String key() {
      return key;
    }

    private @Nullable String value() {
      return this == PROPERTY ? System.getProperty(key) : System.getenv(key);
    }
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

  private static final String SHADOWED =
      "a class of the program's shadows the agent's own, dev.rockpool.agent.Agent;"
          + " the program runs on without";

  /** Whether there is a gate that is not open. */
  private static final AtomicBoolean CLOSED = new AtomicBoolean();

  /** Whether the agent was given before. */
  private static final AtomicBoolean GIVEN = new AtomicBoolean();

  private final Instrumentation instrumentation;

  private Gate(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /** As {@link AgentEntry#premain}. */
  static void premain(@Nullable String options, Instrumentation instrumentation) {
    if (mayWait(options)) {
      CLOSED.set(true);
      instrumentation.addTransformer(new Gate(instrumentation), true);
    } else if (mayStart()) {
      GIVEN.set(true);
      open(instrumentation);
      Agent.premain(options, instrumentation);
    }
  }

  /**
   * Whether the agent may be installed later: the first agent, without options. Threads that
   * install the agent load classes while the program's loaders hold locks of theirs, so a system
   * class loader with one lock for all classes could make them wait for each other.
   */
  private static boolean mayWait(@Nullable String options) {
    return (options == null || options.isEmpty())
        && Gate.class.getClassLoader().isRegisteredAsParallelCapable()
        && !GIVEN.getAndSet(true);
  }

  /** As {@link AgentEntry#agentmain}. */
  static void agentmain(@Nullable String options, Instrumentation instrumentation)
      throws UnmodifiableClassException {
    if (isShadowed()) {
      refuse(SHADOWED);
    } else if (isOff() && !"uninstall".equals(options)) {
      refuse("The agent is switched off in this JVM; the program runs on without it");
    } else {
      open(instrumentation);
      Agent.agentmain(options, instrumentation);
    }
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
      if (mayStart()) {
        for (AgentTransformer each : Agent.installLate(instrumentation)) {
          // The JVM does not offer this class to a transformer that joins now.
          byte[] next = each.transform(module, loader, className, redefined, domain, rewritten);
          rewritten = next == null ? rewritten : next;
        }
      }
    } catch (StackOverflowError | OutOfMemoryError noSpace) {
      return null; // the next class finds the gate closed
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

  /** Whether the agent may start before the program's main method, or at its first class. */
  private static boolean mayStart() {
    if (isOff()) {
      return false;
    }
    if (isShadowed()) {
      Console.print(SHADOWED);
      return false;
    }
    return true;
  }

  /** Whether class Agent comes from another place than this class, as {@link AgentEntry} asks. */
  private static boolean isShadowed() {
    return !place(Agent.class).equals(place(Gate.class));
  }

  /** Returns a class's origin as text, because comparing URLs may look up hosts in the network. */
  private static String place(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source == null ? "" : String.valueOf(source.getLocation());
  }

  /** Whether the agent is switched off. Reports and ignores a value that is neither on nor off. */
  private static boolean isOff() {
    for (Switch each : Switch.values()) {
      String value = each.value();
      if ("off".equals(value)) {
        return true;
      }
      if ("on".equals(value)) {
        return false;
      }
      if (value != null) {
        Console.print(
            each.kind()
                + " "
                + each.key()
                + " must be on or off, and is ignored: \""
                + value
                + "\"");
      }
    }
    return false;
  }

  /** Throws unless standard error blocks: the JVM prints the exception, and would block, too. */
  private static void refuse(String message) {
    if (Console.print(message)) {
      throw new IllegalStateException(message);
    }
  }

  /**
   * Throws a StackOverflowError unless there is stack for so many calls. A program may load classes
   * where its stack is nearly exhausted, and a class that fails to initialize there stays broken.
   */
  static void requireStack(int frames) {
    descend(frames);
  }

  /** Adds after the recursive call, so that no compiler can turn the recursion into a loop. */
  private static int descend(int frames) {
    return frames == 0 ? 0 : 1 + descend(frames - 1);
  }

  /**
   * Starts a daemon thread of the agent. The thread keeps nothing of the calling thread reachable.
   *
   * @throws OutOfMemoryError if the system can't create a thread
   */
  static Thread startThread(String name, Runnable task) {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group != null && group.getParent() != null) {
      group = group.getParent();
    }
    Thread thread = new Thread(group, task, name, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    thread.start();
    return thread;
  }
}
