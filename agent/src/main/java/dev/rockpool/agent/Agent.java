package dev.rockpool.agent;

import com.sun.management.OperatingSystemMXBean;
import dev.rockpool.internal.Notices;
import dev.rockpool.internal.Setting;
import dev.rockpool.watch.Watch;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Installs and uninstalls the agent. Called by {@code AgentInJavaBase}, which is no class of
 * java.base and so can't be named here.
 *
 * <p>An {@link Instrumentation}, and everything that leads to one, is in local variables, in the
 * JVM's list of transformers (see {@link AgentTransformer}), and behind the action that {@code
 * RockpoolStart} keeps in a static field: in java.base, where no program reaches them.
 */
final class Agent implements BiConsumer<String, @Nullable Object[]> {
  /**
   * The system property with the options in force, while the agent is installed. {@code ./rockpool}
   * reads it from outside without a change to the JVM.
   */
  static final String OPTIONS = "rockpool.agent.options";

  /**
   * The system property with the size of the JDK's own pool, while the agent leaves arenas to it.
   * Read as {@link #OPTIONS} is.
   */
  static final String JDK_POOL = "rockpool.agent.jdk.pool";

  /** The JDK's property with the largest temporary buffer that a thread keeps, in bytes. */
  private static final String TEMPORARY_BUFFERS = "jdk.nio.maxCachedBufferSize";

  private static final int LARGEST_TEMPORARY = 256 << 10;

  /** The first JDK that waits for callbacks of agents before the JVM exits. */
  private static final int ORDERLY_EXIT_WAITS = 26;

  private static final Object LOCK = new Object();

  /** The report of the agent that is installed, or is being installed; null if there is none. */
  private static volatile @Nullable AgentReport report;

  /** The limit that the budget in this JVM was made with; null if there is none. */
  private static @Nullable String limitInForce;

  /** The system property {@link Setting#CHECK} before option {@code check} set it. */
  private static @Nullable String checkBefore;

  /**
   * Does what the JVM asks for.
   *
   * @param action premain or agentmain
   * @param arguments five that make a {@link LibraryInJavaBase}, the agent's version, and the
   *     user's options
   */
  @Override
  @SuppressWarnings("unchecked")
  public void accept(String action, @Nullable Object[] arguments) {
    LibraryInJavaBase library =
        new LibraryInJavaBase(
            (Instrumentation) Objects.requireNonNull(arguments[0]),
            (BiConsumer<String, byte[]>) Objects.requireNonNull(arguments[1]),
            (Function<String, Map<String, byte[]>>) Objects.requireNonNull(arguments[2]),
            (Function<String, Object>) Objects.requireNonNull(arguments[3]),
            (String) arguments[4]);
    String version = (String) Objects.requireNonNull(arguments[5]);
    String options = (String) arguments[6];
    synchronized (LOCK) { // no class of the program can take it
      if (action.equals("premain")) {
        premain(options, version, library);
      } else {
        agentmain(options, version, library);
      }
    }
  }

  /**
   * Installs the agent before the program's main method. Options that are not accepted, and a
   * second agent with other options, end the JVM with one line and exit code 1. A program must not
   * run with other options than the user believes.
   */
  private static void premain(@Nullable String text, String version, LibraryInJavaBase library) {
    try {
      AgentOptions options = AgentOptions.parse(text);
      if (options.has(Setting.UNINSTALL)) {
        throw new IllegalArgumentException(
            "Agent option uninstall is for attach, to a JVM that has the agent:"
                + " ./rockpool detach PID");
      }
      install(options, version, library, false);
    } catch (IllegalArgumentException | IllegalStateException refused) {
      System.err.println("[rockpool] " + refused.getMessage());
      exit();
    }
  }

  /**
   * Ends the JVM with exit code 1. From JDK 26 on, an orderly end waits a minute for this very
   * thread to return from {@code premain}; so there the process ends at once.
   */
  @SuppressWarnings("restricted") // this class is in java.base
  private static void exit() {
    if (Runtime.version().feature() >= ORDERLY_EXIT_WAITS) {
      try {
        Linker linker = Linker.nativeLinker();
        MethodHandle exitAtOnce =
            linker.downcallHandle(
                linker.defaultLookup().findOrThrow("_exit"),
                FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT));
        exitAtOnce.invokeExact(1);
      } catch (Throwable unavailable) {
        // ends below, after that minute
      }
    }
    System.exit(1);
  }

  /**
   * Installs or uninstalls the agent at an attach. Classes that are already loaded are rewritten,
   * too.
   *
   * <p>The JVM prints a thrown exception to standard error, on the one thread that serves all
   * attaches. If standard error blocks, no later attach would be served; so then this method throws
   * nothing. The line is printed here, too, because some JDKs pass less on to who attaches.
   *
   * @throws IllegalArgumentException if an option is not accepted; nothing was changed then
   * @throws IllegalStateException for the reasons that {@code AgentEntry.agentmain} lists
   */
  private static void agentmain(@Nullable String text, String version, LibraryInJavaBase library) {
    try {
      AgentOptions options = AgentOptions.parse(text);
      if (options.has(Setting.UNINSTALL)) {
        library.define(ClassGroup.REWRITE);
        uninstall(library.instrumentation);
      } else {
        install(options, version, library, true);
      }
    } catch (IllegalArgumentException | IllegalStateException refused) {
      if (Notices.print(String.valueOf(refused.getMessage()))) {
        throw refused;
      }
    } catch (RuntimeException | LinkageError failure) {
      if (Notices.print("the agent failed, and the program runs on", failure)) {
        throw failure;
      }
    }
  }

  private static void install(
      AgentOptions options, String version, LibraryInJavaBase library, boolean attached) {
    AgentReport there = report;
    if (there != null) {
      if (!there.options.equals(options)) {
        throw new IllegalStateException(
            "The agent is installed once in a JVM: it is there already, with other options");
      }
      Notices.print("the agent is there already, with the same options");
      return;
    }
    AgentReport coming = new AgentReport(version, options);
    refuseOtherCheck(coming);
    refuseOtherLimit(coming);
    report = coming;
    checkBefore = System.getProperty(Setting.CHECK.key());
    boolean isInstalled = false;
    try {
      if (options.has(Setting.CHECK_ARENAS)) {
        System.setProperty(Setting.CHECK.key(), "on");
      }
      AgentTransformer transformer = transformer(library, coming, attached);
      transformer.join();
      if (attached
          || options.has(Setting.DIRECT)
          || options.countsMemory()
          || options.has(Setting.RECORD)) {
        // else only another agent used the linker
        LoadedClasses loaded = new LoadedClasses(library.instrumentation, coming);
        JdkMethod.of(options).forEach(loaded::retransform);
        if (attached && !transformer.wanted.isEmpty()) {
          loaded.retransform(loaded.matching(transformer::wants));
        }
      }
      setProperty(OPTIONS, options.toString());
      isInstalled = true;
    } finally {
      if (!isInstalled) {
        coming.isActive = false; // the transformer does nothing any more
        restore(library.instrumentation, coming);
      }
    }
  }

  private static AgentTransformer transformer(
      LibraryInJavaBase library, AgentReport report, boolean attached) {
    AgentOptions options = report.options;
    if (report.verbose) {
      Notices.print("agent " + report.version + " on JDK " + Runtime.version() + ": " + options);
    }
    if (options.has(Setting.ARENAS) && !report.poolsArenas) {
      String size = JdkPool.enlarge(library.instrumentation);
      setProperty(JDK_POOL, size);
      if (report.verbose) {
        Notices.print("arenas are " + size);
      }
    }
    if (attached || options.has(Setting.DIRECT) || options.countsMemory()) {
      library.define(ClassGroup.REWRITE);
    }
    boolean counts = options.countsMemory() || options.has(Setting.RECORD);
    boolean canCount = counts && canCount(library);
    boolean limits = canCount && options.countsMemory() && startLimit(report, library);
    if (limits && options.has(Setting.LIMIT) && !attached) {
      boundTemporaryBuffers(report);
    }
    if (limits) {
      limitInForce = options.limitText();
    }
    startWatch(report, library);
    boolean records = canCount && options.has(Setting.RECORD) && startRecorder(report, library);
    return new AgentTransformer(
        report,
        limits || records ? new SiteTargets(library, report, records) : library,
        library,
        records || (limits && ArenaRecorder.startOwners()) ? new OwnerRules(options) : null);
  }

  private static boolean canCount(LibraryInJavaBase library) {
    library.define(ClassGroup.RECORD);
    return ArenaRecorder.canCount();
  }

  private static boolean startLimit(AgentReport report, LibraryInJavaBase library) {
    long byteSize = report.options.limit(Agent::memoryOfContainer);
    try {
      MemoryLimit limit = library.limit();
      limit.start(
          byteSize,
          report.options.limitWarns(),
          report.options.limitWaitNanos(),
          report.poolsArenas,
          report.options::covers,
          report.options::skips);
      report.limit = limit;
      if (report.options.has(Setting.COUNT_LOG)) {
        CountLog.start(report, limit);
      }
    } catch (IllegalStateException | LinkageError failure) {
      Notices.print(
          "native memory can't be "
              + (report.options.has(Setting.LIMIT) ? "limited" : "counted")
              + ", and the program runs on",
          failure);
      return false;
    }
    if (report.verbose) {
      Notices.print(
          byteSize == MemoryLimit.NONE
              ? "native memory is counted, without a limit"
              : "the limit of native memory is " + byteSize + " bytes");
    }
    AgentMonitor.startOnce(report);
    return true;
  }

  /**
   * Has the JDK keep only small temporary buffers of channels, unless the user has said otherwise.
   * Each thread keeps one of the size of its largest read or write of a heap buffer, and nobody can
   * free it. Without effect once a channel was used.
   */
  private static void boundTemporaryBuffers(AgentReport report) {
    if (System.getProperty(TEMPORARY_BUFFERS) == null) {
      setProperty(TEMPORARY_BUFFERS, Integer.toString(LARGEST_TEMPORARY));
      if (report.verbose) {
        Notices.print("limit sets -D" + TEMPORARY_BUFFERS + "=" + LARGEST_TEMPORARY);
      }
    }
  }

  private static void startWatch(AgentReport report, LibraryInJavaBase library) {
    AgentOptions options = report.options;
    MemoryLimit limit = report.limit;
    Path evidence = options.evidence();
    long bound = limit == null ? 0 : options.limitProcess(Agent::memoryOfContainer);
    long exit = limit == null ? 0 : options.limitExit();
    if (evidence != null || bound > 0 || exit > 0) {
      library.define(ClassGroup.RECORD);
      report.isWatched = true;
      long memory = report.getMemory();
      Runnable dump = options.has(Setting.RECORD) ? ArenaRecorder::startDump : () -> {};
      report.evidence = evidence == null ? "" : evidence.toString();
      report.processBound = bound;
      if (report.verbose) {
        Notices.print(
            "memory of the process: %s; evidence goes to %s"
                .formatted(
                    bound > 0 ? "the bound is " + bound + " bytes" : "without a bound",
                    evidence == null ? "no file" : evidence));
      }
      Watch.start(
          new Watch.Orders(memory, bound, evidence, AgentOptions.host(), dump, exit), limit);
    }
  }

  /** Returns the bytes that a container has, or without one the machine. */
  private static long memoryOfContainer() {
    try {
      return TotalMemory.read();
    } catch (LinkageError noModule) {
      throw new IllegalArgumentException(
          "A share of the memory, in agent options limit and limit.process, needs module"
              + " jdk.management: name a number of bytes, or start java with --add-modules"
              + " jdk.management");
    }
  }

  /** Names classes of an optional module. */
  static final class TotalMemory {
    static long read() {
      return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    }
  }

  private static boolean startRecorder(AgentReport report, LibraryInJavaBase library) {
    try {
      return ArenaRecorder.start(report, library);
    } catch (IllegalStateException | LinkageError failure) {
      Notices.print(ArenaRecorder.WITHOUT, failure);
      return false;
    }
  }

  /**
   * Changes the limit while the program runs.
   *
   * @param asked a number of bytes, or a share of the memory
   * @return the limit in bytes
   * @throws IllegalStateException if there is no limit to change
   * @throws IllegalArgumentException if the text is no limit, or less than what is in use; nothing
   *     was changed then
   */
  static long changeLimit(@Nullable MemoryLimit limit, @Nullable String asked) {
    String text = String.valueOf(asked);
    if (limit == null || limit.limit() == MemoryLimit.NONE) {
      throw new IllegalStateException(
          "A JVM must have a limit before it can be changed: start its agent with option limit");
    }
    long byteSize = AgentOptions.limit(text, Agent::memoryOfContainer);
    if (byteSize <= 0) {
      throw AgentOptions.notAccepted(Setting.LIMIT, text);
    }
    long inUse = limit.inUse();
    if (byteSize < inUse) {
      throw new IllegalArgumentException(
          String.format(
              "The limit must not be below what is in use: %d bytes asked for, %d in use; free"
                  + " memory first, or set a higher limit",
              byteSize, inUse));
    }
    limit.changeLimit(byteSize);
    return byteSize;
  }

  /** A budget is made once in a JVM: an agent that comes again must ask for the same limit. */
  private static void refuseOtherLimit(AgentReport coming) {
    String asked = coming.options.limitText();
    boolean isAsked = coming.options.countsMemory();
    if (limitInForce != null && isAsked && !limitInForce.equals(asked)) {
      throw new IllegalStateException(
          String.format(
              "Agent option limit must be what it was when the agent first came to this JVM,"
                  + " \"%s\": \"%s\"; attach with the former, or start the JVM anew",
              limitInForce, asked));
    }
  }

  /** A JVM's pool is made once and survives an uninstall, so its check option can't change. */
  private static void refuseOtherCheck(AgentReport coming) {
    Boolean inForce = Setting.checkInForce();
    boolean isAsked = coming.options.has(Setting.CHECK_ARENAS);
    if (inForce != null && (inForce ? !coming.checksArenas : isAsked)) {
      throw new IllegalStateException(
          String.format(
              "Agent option check must be what it was when the agent first came to this JVM, %s:"
                  + " \"%s\"; attach with check=%1$s, or start the JVM anew",
              inForce ? "on" : "off", isAsked ? "on" : "off"));
    }
  }

  /**
   * Uninstalls the agent: restores rewritten classes, so that the next {@code Arena.ofConfined()}
   * is the JDK's. Open arenas stay pooled until they are closed. Our direct buffers live until they
   * are unreachable, and can't be freed by hand any more. A recording that the agent started ends.
   * Does nothing if the agent is not installed.
   *
   * <p>Changes nothing before the transformer has left.
   */
  private static void uninstall(Instrumentation instrumentation) {
    AgentReport there = report;
    if (there == null) {
      return;
    }
    there.isLeaving = true;
    try {
      instrumentation.retransformClasses(AgentTransformer.Leaving.class);
    } catch (UnmodifiableClassException impossible) {
      throw new IllegalStateException(impossible);
    } finally {
      there.isLeaving = false;
    }
    if (there.isActive) {
      throw new IllegalStateException(
          "The agent leaves when the JVM has its class retransformed: its transformer is still"
              + " there, and nothing was changed; take it out by ./rockpool detach PID");
    }
    restore(instrumentation, there);
  }

  /** Restores rewritten classes and ends everything else, after the transformer has left. */
  private static void restore(Instrumentation instrumentation, AgentReport leaving) {
    AgentOptions options = leaving.options;
    try {
      LoadedClasses loaded = new LoadedClasses(instrumentation, leaving);
      loaded.retransform(
          loaded.matching(each -> leaving.mayHaveRewritten(LoadedClasses.internalName(each))));
      JdkMethod.of(options).forEach(loaded::retransform);
    } finally {
      try {
        if (options.has(Setting.RECORD)) {
          ArenaRecorder.stop();
        }
      } finally {
        if (leaving.isWatched) { // else its class may not be there
          Watch.stop();
        }
        MemoryLimit limit = leaving.limit;
        if (limit != null) {
          limit.stop();
          if (options.has(Setting.COUNT_LOG)) {
            CountLog.stop();
          }
        }
        if (options.has(Setting.CHECK_ARENAS)) {
          setProperty(Setting.CHECK.key(), checkBefore);
        }
        setProperty(OPTIONS, null);
        setProperty(JDK_POOL, null);
        report = null;
      }
      if (!leaving.isFirstLook()) { // else the class may not be defined
        AgentMonitor.stop();
      }
    }
  }

  /** Sets or clears a property; a program's own Properties may refuse. */
  static void setProperty(String name, @Nullable String value) {
    try {
      if (value == null) {
        System.clearProperty(name);
      } else {
        System.setProperty(name, value);
      }
    } catch (RuntimeException refused) {
      // The agent works all the same; ./rockpool does not see it.
    }
  }

  static @Nullable AgentReport report() {
    return report;
  }
}
