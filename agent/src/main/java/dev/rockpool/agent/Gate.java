package dev.rockpool.agent;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Installs the agent when the program loads the first class that concerns the agent, because
 * loading the agent's classes takes longer than a short program. Only for an agent without options,
 * because options that are not accepted must end the JVM at its start.
 *
 * <p>Threads of the program define the agent in the midst of loading a class of the program, and
 * hold locks of the program's class loaders. So they must not wait for such a lock: the agent's
 * classes are in java.base, see {@link Door}.
 *
 * <p>Only the JVM's own list refers to a gate, as to the transformer of the agent; see {@code
 * AgentTransformer}. So the gate is opened early by retransforming this class. Static fields here
 * are harmless in anybody's hands: any class of the program may reach them by reflection. Only
 * compile-time constants are used of classes that the agent's jar lacks.
 */
final class Gate implements ClassFileTransformer {
  /** The method whose calls the agent redirects. */
  private static final byte[] METHOD = {'o', 'f', 'C', 'o', 'n', 'f', 'i', 'n', 'e', 'd'};

  /** Index of the capital letter, which is rarer than the others. */
  private static final int CAPITAL = 2;

  /** Nested calls of {@link #descend} that take the stack of an installation, compiled or not. */
  private static final int FRAMES = 640;

  /** Bytes of heap that an installation takes. */
  private static final int HEAP = 2 << 20;

  /** Pause between two collections, as a multiple of the time that one takes. */
  private static final int PAUSE = 10;

  /** Collections without pauses: a class that is refused meanwhile stays without the agent. */
  private static final int WITHOUT_PAUSE = 64;

  /** Races lose counts, which only delays the first pause. */
  private static int collections;

  /** Time from which on the next collection may start, after a pause. */
  private static volatile long nextCollectionNanos;

  /** The value of property {@link Agent#OPTIONS} until there are options in force. */
  private static final String WAITS = "none yet, waits for the first class that opens arenas";

  /** Whether there is a gate that is not open. */
  private static volatile boolean isClosed;

  /**
   * 1 if a gate that sees this class retransformed is to open. Not an AtomicBoolean, here and
   * below, because that class takes milliseconds to initialize at the JVM's start.
   */
  private static final AtomicInteger OPENS = new AtomicInteger();

  /** 1 if a gate that sees this class retransformed is to go away. */
  private static final AtomicInteger GOES = new AtomicInteger();

  /** 1 if the agent was given before. */
  private static final AtomicInteger GIVEN = new AtomicInteger();

  private final Instrumentation instrumentation;

  private Gate(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /** As {@link AgentEntry#premain}. */
  static void premain(@Nullable String options, Instrumentation instrumentation)
      throws IOException, ReflectiveOperationException {
    if (mayWait(options) && GIVEN.getAndSet(1) == 0) {
      requireOurDoor();
      Door.prepare(); // a name once loaded can't be given to a class of the program
      close(instrumentation);
    } else {
      GIVEN.set(1);
      ask(OPENS, instrumentation);
      if (!Switch.isOff()) {
        agent("premain", options, instrumentation);
      }
    }
  }

  /**
   * Whether the agent may be installed later. Needs: no options, a class loader that loads our
   * classes while it loads another class, and stacks that are large enough.
   */
  private static boolean mayWait(@Nullable String options) {
    ClassLoader ours = Gate.class.getClassLoader();
    return (options == null || options.isEmpty())
        && ours != null // it is on the boot class path, too, if that is how the user wants it
        && ours.isRegisteredAsParallelCapable()
        && hasStack();
  }

  /** Whether this thread has stack for an installation. If not now, then not later either. */
  private static boolean hasStack() {
    try {
      requireStack();
      return true;
    } catch (StackOverflowError small) {
      return false;
    }
  }

  private static void requireStack() {
    descend(FRAMES, 0, 0, 0, 0, 0, 0, 0);
  }

  private static void close(Instrumentation instrumentation) {
    isClosed = true;
    show(WAITS);
    instrumentation.addTransformer(new Gate(instrumentation), true);
  }

  /** A program's own Properties may refuse; then {@code ./rockpool} does not see the gate. */
  private static void show(@Nullable String options) {
    try {
      if (options == null) {
        System.clearProperty(Agent.OPTIONS);
      } else {
        System.setProperty(Agent.OPTIONS, options);
      }
    } catch (RuntimeException | Error refused) {
      return;
    }
  }

  /**
   * As {@link AgentEntry#agentmain}. The attach's options replace those of a waiting gate, which
   * therefore goes away first, and comes back if the attach is not accepted.
   */
  static void agentmain(@Nullable String options, Instrumentation instrumentation)
      throws IOException, ReflectiveOperationException {
    boolean gone = ask(GOES, instrumentation);
    boolean accepted = false;
    try {
      accepted = attach(options, instrumentation);
    } finally {
      if (gone && !accepted) {
        close(instrumentation);
      }
    }
  }

  private static boolean attach(@Nullable String options, Instrumentation instrumentation)
      throws IOException, ReflectiveOperationException {
    if (!"uninstall".equals(options) && Switch.isOff()) {
      String refused = "The agent is switched off in this JVM; the program runs on without it";
      if (Console.print(refused)) { // standard error works, on which the JVM prints exceptions
        throw new IllegalStateException(refused);
      }
      return true;
    }
    return Boolean.TRUE.equals(agent("agentmain", options, instrumentation));
  }

  /**
   * Asks a waiting gate to open, or to go away.
   *
   * @return whether there was one
   */
  private static boolean ask(AtomicInteger request, Instrumentation instrumentation) {
    if (!isClosed) {
      return false;
    }
    request.set(1);
    try {
      instrumentation.retransformClasses(Gate.class);
      return request.get() == 0;
    } catch (UnmodifiableClassException impossible) {
      throw new IllegalStateException(impossible);
    } finally {
      request.set(0);
    }
  }

  @Override
  public byte @Nullable [] transform(
      Module module,
      @Nullable ClassLoader loader,
      @Nullable String className,
      @Nullable Class<?> redefined,
      ProtectionDomain domain,
      byte[] classFile) {
    if (redefined == Gate.class && GOES.getAndSet(0) != 0) {
      goAway();
      show(null);
      return null;
    }
    if (redefined == Gate.class
        ? OPENS.getAndSet(0) == 0
        : !concerns(loader, className, classFile)) {
      return null;
    }
    byte[] rewritten = null;
    try {
      requireRoom();
      // The JVM took its list of transformers before it called this gate. One that joins now does
      // not see this class, therefore the gate calls it itself.
      ClassFileTransformer joined = installed(instrumentation);
      if (joined != null) {
        rewritten = joined.transform(module, loader, className, redefined, domain, classFile);
      }
    } catch (StackOverflowError | OutOfMemoryError noSpace) {
      show(WAITS);
      return null; // the next class finds the gate closed
    } catch (Throwable broken) {
      tell(broken);
    }
    goAway();
    return rewritten;
  }

  private static void tell(Throwable broken) {
    try {
      Console.print(Agent.FAILED, broken);
    } catch (Throwable untold) {
      // The jar was overwritten, for one, so that it has no Console any more.
    }
    show(null);
  }

  private void goAway() {
    if (instrumentation.removeTransformer(this)) {
      isClosed = false;
    }
  }

  /** Installs the agent; returns its transformer, if there is one. */
  private static @Nullable ClassFileTransformer installed(Instrumentation instrumentation)
      throws IOException, ReflectiveOperationException {
    if (Switch.isOff()) {
      show(null);
      return null;
    }
    return (ClassFileTransformer) agent("installLate", null, instrumentation);
  }

  private static boolean concerns(
      @Nullable ClassLoader loader, @Nullable String className, byte[] classFile) {
    return loader == null
        ? JdkMethod.LinkerMethod.OWNER.equals(className)
        : AgentTransformer.CARRIER.equals(className) || namesMethod(classFile);
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
   * Throws a StackOverflowError or an OutOfMemoryError unless there is room for an installation. A
   * program may load classes where its stack or heap is nearly exhausted, and a class of the JDK
   * that fails to initialize there stays broken. An error of the JVM's own would end a program that
   * runs with -XX:+ExitOnOutOfMemoryError, therefore nothing is allocated on trial.
   */
  private static void requireRoom() {
    requireStack();
    if (freeHeap() < HEAP) {
      collectSeldom();
      if (freeHeap() < HEAP) {
        throw new OutOfMemoryError();
      }
    }
  }

  /** Collects garbage, which is not free; pauses after the first times. */
  private static void collectSeldom() {
    long start = System.nanoTime();
    if (collections < WITHOUT_PAUSE || start - nextCollectionNanos >= 0) {
      collections++;
      System.gc();
      long end = System.nanoTime();
      nextCollectionNanos = end + PAUSE * (end - start);
    }
  }

  private static long freeHeap() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
  }

  /**
   * Adds after the recursive call, so that no compiler makes a loop of it. Uses each argument
   * there, so that each has a place in the frame.
   */
  private static long descend(int frames, long a, long b, long c, long d, long e, long f, long g) {
    return frames == 0
        ? a
        : descend(frames - 1, b, c, d, e, f, g, a + frames) + (a ^ b ^ c ^ d ^ e ^ f ^ g);
  }

  /**
   * Has the agent do something.
   *
   * @param action a word that class {@code Agent} knows
   */
  private static @Nullable Object agent(
      String action, @Nullable String options, Instrumentation instrumentation)
      throws IOException, ReflectiveOperationException {
    @Nullable Object[] arguments = {null, null, null, null, version(), options};
    requireOurDoor();
    return Door.open(instrumentation, arguments).apply(action, arguments);
  }

  /**
   * Throws unless class Door comes from the place of this class: the class path precedes our jar.
   */
  private static void requireOurDoor() throws IOException {
    if (!place(Door.class).equals(place(Gate.class))) {
      throw new IOException(
          "a class of the program's shadows the agent's own, " + Door.class.getName());
    }
  }

  /** Returns a class's origin as text, because comparing URLs may look up hosts in the network. */
  private static String place(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source == null ? "" : String.valueOf(source.getLocation());
  }

  private static String version() {
    String version = Gate.class.getPackage().getImplementationVersion();
    return version == null ? "(unknown version)" : version;
  }

  /** Prints version and options. */
  static void printOptions() {
    System.out.println("Rockpool agent " + version());
    System.out.print(AgentOptions.Option.help());
  }
}
