package dev.rockpool.agent;

import dev.rockpool.agent.AgentOptions.Option;
import dev.rockpool.agent.AgentTransformer.Targets;
import dev.rockpool.agent.LibraryInJavaBase.Access;
import dev.rockpool.agent.LoadedClasses.ClassFiles;
import dev.rockpool.internal.SwitchSetting;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Installs and uninstalls the agent. Called by {@code Gate}, which is no class of java.base and so
 * can't be named here.
 *
 * <p>An {@link Instrumentation}, and everything that leads to one, is in local variables, in the
 * JVM's list of transformers (see {@link AgentTransformer}), and behind the actions that {@code
 * RockpoolStart} keeps in static fields: in java.base, where no program reaches them.
 */
final class Agent implements BiFunction<String, @Nullable Object[], @Nullable Object> {
  private static final String CHECK = SwitchSetting.CHECK_PROPERTY;

  static final String FAILED = "the agent failed, and the program runs on without Rockpool";

  /**
   * The system property with the options in force, while the agent is installed. {@code ./rockpool}
   * reads it from outside without a change to the JVM.
   */
  static final String OPTIONS = "rockpool.agent.options";

  /** Longest wait for an install or uninstall on another thread. */
  private static final long PATIENCE_NANOS = 5_000_000_000L;

  private static final long PAUSE_NANOS = 1_000_000;

  /** The first JDK that waits for callbacks of agents before the JVM exits. */
  private static final int ORDERLY_EXIT_WAITS = 26;

  private static volatile @Nullable Presence presence;

  /** The lock of {@code presence}. */
  private static final Object PRESENCE = new Object();

  /** The states are in the description of the package. */
  private enum State {
    COMING,
    THERE,
    GOING
  }

  /**
   * The agent in this JVM.
   *
   * @param checkBefore value of system property {@link #CHECK} before option {@code check} set it
   */
  private record Presence(State state, AgentReport report, @Nullable String checkBefore) {
    Presence in(State next) {
      return new Presence(next, report, checkBefore);
    }
  }

  /**
   * Does what {@code Gate} asks for.
   *
   * @param action premain, agentmain or installLate
   * @param arguments four that make an {@link Access}, the agent's version, and the user's options
   * @return the transformer, after installLate; after agentmain, whether the attach was accepted
   */
  @Override
  @SuppressWarnings("unchecked")
  public @Nullable Object apply(String action, @Nullable Object[] arguments) {
    Access access =
        new Access(
            (Instrumentation) Objects.requireNonNull(arguments[0]),
            (BiConsumer<String, byte[]>) Objects.requireNonNull(arguments[1]),
            (Function<String, Map<String, byte[]>>) Objects.requireNonNull(arguments[2]),
            (Function<String, Object>) Objects.requireNonNull(arguments[3]));
    String version = (String) Objects.requireNonNull(arguments[4]);
    String options = (String) arguments[5];
    return switch (action) {
      case "premain" -> {
        premain(options, version, access);
        yield null;
      }
      case "agentmain" -> agentmain(options, version, access);
      case "installLate" -> installLate(version, access);
      default -> throw new IllegalArgumentException(action);
    };
  }

  /**
   * Installs the agent before the program's main method. Options that are not accepted, and a
   * second agent with other options, end the JVM with one line and exit code 1. A program must not
   * run with other options than the user believes.
   */
  private static void premain(@Nullable String text, String version, Access access) {
    try {
      access.define("options");
      AgentOptions options = AgentOptions.parse(text);
      if (options.has(Option.UNINSTALL)) {
        throw new IllegalArgumentException(
            "Agent option uninstall is for attach, to a JVM that has the agent:"
                + " ./rockpool detach PID");
      }
      install(options, version, access, false);
    } catch (IllegalArgumentException | IllegalStateException refused) {
      Console.printLast(String.valueOf(refused.getMessage()));
      exit();
    } catch (Throwable failure) {
      Console.print(FAILED, failure);
    }
  }

  /**
   * Ends the JVM with exit code 1. From JDK 26 on, an orderly end waits a minute for this very
   * thread to return from {@code premain}; so there the process ends at once. Links the function
   * itself, because each program with the agent would pay for defining {@code CLibrary} so early.
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
   * nothing.
   *
   * @return whether the attach was accepted
   * @throws IllegalArgumentException if an option is not accepted; nothing was changed then
   * @throws IllegalStateException for the reasons that {@code AgentEntry.agentmain} lists
   */
  private static boolean agentmain(@Nullable String text, String version, Access access) {
    try {
      access.define("options");
      AgentOptions options = AgentOptions.parse(text);
      if (options.has(Option.UNINSTALL)) {
        uninstall(access.instrumentation());
      } else {
        install(options, version, access, true);
      }
      return true;
    } catch (IllegalArgumentException | IllegalStateException refused) {
      // Printed, too, because some JDKs pass less than the message on to the attaching process.
      if (Console.print(String.valueOf(refused.getMessage()))) {
        throw refused;
      }
    } catch (Throwable failure) {
      if (Console.print("the agent failed, and the program runs on", failure)) {
        throw failure;
      }
    }
    return false;
  }

  /**
   * Installs the agent without options, in the midst of the program. Prints a failure.
   *
   * @return the transformer to apply to the class that is being loaded: the one that joined now, or
   *     if another thread is installing the agent, one that does the same and never joins; null if
   *     there is none
   * @throws VirtualMachineError if stack or heap is exhausted; nothing was changed then
   */
  private static @Nullable AgentTransformer installLate(String version, Access access) {
    try {
      AgentOptions options = AgentOptions.parse(null);
      AgentTransformer joined = installFirst(options, version, access, false);
      Presence there = presence;
      if (joined == null && there != null && there.report().options.equals(options)) {
        LibraryInJavaBase library = new LibraryInJavaBase(access, false);
        return new AgentTransformer(access.instrumentation(), there.report(), library, library);
      }
      return joined;
    } catch (VirtualMachineError noSpace) {
      throw noSpace;
    } catch (Throwable failure) {
      Console.print(FAILED, failure);
      return null;
    }
  }

  private static void install(
      AgentOptions options, String version, Access access, boolean attached) {
    awaitOthers();
    if (installFirst(options, version, access, attached) != null) {
      return;
    }
    Presence there = presence;
    if (there == null || there.state() != State.THERE) {
      throw comingOrGoing();
    }
    if (!there.report().options.equals(options)) {
      throw new IllegalStateException(
          "The agent is installed once in a JVM: it is there already, with other options");
    }
    Console.print("the agent is there already, with the same options");
  }

  /**
   * Installs the agent unless it is there, coming or going. Holds no lock, because this loads
   * classes, by the program's loaders and under their locks.
   *
   * @return the transformer; null if not installed
   */
  private static @Nullable AgentTransformer installFirst(
      AgentOptions options, String version, Access access, boolean attached) {
    AgentReport report = new AgentReport(version, options);
    Presence coming = new Presence(State.COMING, report, System.getProperty(CHECK));
    if (!replace(null, coming)) {
      return null;
    }
    AgentTransformer transformer = null;
    try {
      if (options.has(Option.CHECK)) {
        System.setProperty(CHECK, "on");
      }
      transformer = transformer(access, report, attached);
      transformer.join();
      LoadedClasses loaded = new LoadedClasses(access.instrumentation(), report);
      for (JdkMethod method : JdkMethod.of(options)) { // a lambda slows startup
        loaded.retransform(method);
      }
      if (attached && !transformer.wanted.isEmpty()) {
        loaded.retransform(wantedBy(transformer, loaded));
      }
      report.tell();
      setProperty(OPTIONS, options.toString());
      presence = coming.in(State.THERE);
      return transformer;
    } catch (Throwable failure) {
      takeBack(access.instrumentation(), coming, transformer);
      throw failure;
    }
  }

  /** Compares and sets by a monitor: an AtomicReference is one more class to load at the start. */
  @SuppressWarnings("ReferenceEquality") // the very one that was looked at
  private static boolean replace(@Nullable Presence known, Presence next) {
    synchronized (PRESENCE) {
      if (presence != known) {
        return false;
      }
      presence = next;
      return true;
    }
  }

  private static AgentTransformer transformer(Access access, AgentReport report, boolean attached) {
    AgentOptions options = report.options;
    if (options.has(Option.VERBOSE)) {
      Console.print("agent " + report.version + " on JDK " + Runtime.version() + ": " + options);
    }
    LibraryInJavaBase library = new LibraryInJavaBase(access, options.has(Option.VERBOSE));
    if (attached) {
      refuseOtherPool(library, options);
    }
    Targets sites =
        options.has(Option.RECORD) ? ArenaRecorder.start(options, library, report.version) : null;
    return new AgentTransformer(
        access.instrumentation(), report, sites == null ? library : sites, library);
  }

  /** A JVM's pool is made once and survives an uninstall, so its check option can't change. */
  private static void refuseOtherPool(LibraryInJavaBase library, AgentOptions options) {
    Boolean isChecked = library.isChecked();
    boolean check = options.has(Option.CHECK) || "on".equals(System.getProperty(CHECK, "").strip());
    if (isChecked != null && (isChecked ? !check : options.has(Option.CHECK))) {
      throw new IllegalStateException(
          String.format(
              "Agent option check must be what it was when the agent first came to this JVM, %s:"
                  + " \"%s\"; attach with check=%1$s, or start the JVM anew",
              isChecked ? "on" : "off", check ? "on" : "off"));
    }
  }

  private static List<Class<?>> wantedBy(AgentTransformer callSites, LoadedClasses loaded) {
    try (ClassFiles files = new ClassFiles(callSites::mayRewrite)) {
      return loaded.matching(
          each -> {
            String name = LoadedClasses.internalName(each);
            List<byte[]> candidates = files.of(each);
            if (candidates != null) {
              callSites.countIfExcluded(name, candidates);
            }
            return callSites.wants(name, candidates);
          });
    }
  }

  /** Undoes a failed installation. */
  private static void takeBack(
      Instrumentation instrumentation, Presence leaving, @Nullable AgentTransformer transformer) {
    try {
      if (transformer != null) {
        transformer.leave();
      }
    } catch (Throwable alsoFailed) {
      // The transformer does nothing any more, even if the JVM still lists it.
    }
    try {
      restore(instrumentation, leaving);
    } catch (Throwable alsoFailed) {
      Console.print("classes that were rewritten stay so", alsoFailed);
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
    awaitOthers();
    Presence there = presence;
    if (there == null) {
      return;
    }
    if (there.state() != State.THERE) {
      throw comingOrGoing();
    }
    AgentReport report = there.report();
    report.startLeaving();
    try {
      instrumentation.retransformClasses(AgentTransformer.Leaving.class);
    } catch (UnmodifiableClassException impossible) {
      throw new IllegalStateException(impossible);
    } finally {
      report.stopLeaving();
    }
    if (report.isJoined) {
      throw new IllegalStateException(
          "The agent leaves when the JVM has its class retransformed: its transformer is still"
              + " there, and nothing was changed; take it out by ./rockpool detach PID");
    }
    if (!replace(there, there.in(State.GOING))) {
      throw comingOrGoing();
    }
    restore(instrumentation, there);
  }

  /**
   * Waits for an install or uninstall under way on another thread, though not for ever: a class of
   * the program's may have begun it just before an attach.
   */
  private static void awaitOthers() {
    long start = System.nanoTime();
    Presence seen = presence;
    while (seen != null
        && seen.state() != State.THERE
        && System.nanoTime() - start < PATIENCE_NANOS) {
      LockSupport.parkNanos(PAUSE_NANOS);
      seen = presence;
    }
  }

  private static IllegalStateException comingOrGoing() {
    return new IllegalStateException(
        "One install or uninstall must end before the next: another is under way; try again later");
  }

  /** Restores rewritten classes and ends everything else, after the transformer has left. */
  private static void restore(Instrumentation instrumentation, Presence leaving) {
    AgentReport report = leaving.report();
    AgentOptions options = report.options;
    try {
      LoadedClasses loaded = new LoadedClasses(instrumentation, report);
      loaded.retransform(
          loaded.matching(each -> report.mayHaveRewritten(LoadedClasses.internalName(each))));
      JdkMethod.of(options).forEach(loaded::retransform);
    } finally {
      try {
        if (options.has(Option.RECORD)) {
          ArenaRecorder.stop();
        }
      } finally {
        if (options.has(Option.CHECK)) {
          setProperty(CHECK, leaving.checkBefore());
        }
        setProperty(OPTIONS, null);
        presence = null;
      }
      AgentMonitor.stop();
    }
  }

  /** Sets or clears a property; a program's own Properties may refuse. */
  private static void setProperty(String name, @Nullable String value) {
    try {
      if (value == null) {
        System.clearProperty(name);
      } else {
        System.setProperty(name, value);
      }
    } catch (RuntimeException | Error refused) {
      // The agent works all the same; ./rockpool does not see it.
    }
  }

  /** Returns the agent's report, or null if the agent is not installed. */
  static @Nullable AgentReport report() {
    Presence there = presence;
    return there == null ? null : there.report();
  }
}
