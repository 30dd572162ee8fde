package dev.rockpool.agent;

import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/**
 * Where the JVM enters: {@code -javaagent:rockpool-agent.jar[=options]}, or attach to a running
 * JVM. {@code java -jar rockpool-agent.jar} prints the options.
 */
public final class Agent {
  /** What is installed in this JVM; guarded by the class. */
  private static @Nullable Installed installed;

  private record Installed(
      Instrumentation instrumentation,
      @Nullable ArenaTransformer arenas,
      @Nullable LinkerTransformer linker,
      boolean records) {}

  private Agent() {}

  /**
   * Called by the JVM before the program's main method. Options that are not accepted, and a second
   * agent, end the JVM with one line and exit code 1: better no program than one that only seems to
   * run as was asked.
   *
   * @param options what stands behind the jar and {@code =}, or null
   * @param instrumentation the JVM's services for agents
   */
  public static void premain(@Nullable String options, Instrumentation instrumentation) {
    try {
      install(AgentOptions.parse(options), instrumentation);
    } catch (IllegalArgumentException | IllegalStateException refused) {
      Console.print(String.valueOf(refused.getMessage()));
      System.exit(1);
    }
  }

  /**
   * Called by the JVM when the agent is attached to it: the classes that are already loaded are
   * rewritten too.
   *
   * @param options what was passed with the attach, or null
   * @param instrumentation the JVM's services for agents
   * @throws IllegalArgumentException if an option is not accepted; nothing was changed then
   * @throws IllegalStateException if the agent is there already
   */
  public static void agentmain(@Nullable String options, Instrumentation instrumentation) {
    try {
      ArenaTransformer transformer = install(AgentOptions.parse(options), instrumentation);
      if (transformer != null) {
        LoadedClasses loaded = new LoadedClasses(instrumentation);
        loaded.retransform(LoadedClasses.withCallSites(loaded.matching(transformer::covers)));
      }
    } catch (IllegalArgumentException | IllegalStateException refused) {
      // The one who attaches may be told less than this, depending on the JDK.
      Console.print(String.valueOf(refused.getMessage()));
      throw refused;
    }
  }

  private static synchronized @Nullable ArenaTransformer install(
      AgentOptions options, Instrumentation instrumentation) {
    if (installed != null) {
      throw new IllegalStateException("The agent is installed once in a JVM: it is there already");
    }
    if (options.verbose()) {
      Console.print("agent " + version() + " on JDK " + Runtime.version() + ": " + options);
    }
    PooledClasses pooled = new PooledClasses(instrumentation);
    RecordedSites sites =
        options.record().on() ? ArenaRecorder.start(options, pooled, version()) : null;
    ArenaTransformer arenas =
        options.arenas() || sites != null ? new ArenaTransformer(options, pooled, sites) : null;
    LinkerTransformer linker =
        options.linker() ? new LinkerTransformer(options.verbose(), pooled) : null;
    installed = new Installed(instrumentation, arenas, linker, sites != null);
    if (arenas != null) {
      instrumentation.addTransformer(arenas, true);
    }
    if (linker != null) {
      instrumentation.addTransformer(linker, true);
      LinkerTransformer.retransform(instrumentation);
    }
    return arenas;
  }

  /**
   * Takes the agent out again: classes go back to what they were, and the next {@code
   * Arena.ofConfined()} is the JDK's. Arenas that are open stay pooled until they are closed. A
   * recording that the agent started ends. Does nothing if the agent is not there.
   */
  public static synchronized void uninstall() {
    Installed gone = installed;
    if (gone == null) {
      return;
    }
    installed = null;
    ArenaTransformer arenas = gone.arenas();
    if (arenas != null) {
      gone.instrumentation().removeTransformer(arenas);
      LoadedClasses loaded = new LoadedClasses(gone.instrumentation());
      loaded.retransform(loaded.matching(arenas::hasRewritten));
    }
    LinkerTransformer linker = gone.linker();
    if (linker != null) {
      gone.instrumentation().removeTransformer(linker);
      LinkerTransformer.retransform(gone.instrumentation());
    }
    if (gone.records()) {
      ArenaRecorder.stop();
    }
  }

  /**
   * Prints version and options.
   *
   * @param arguments not used
   */
  public static void main(String[] arguments) {
    System.out.println("Rockpool agent " + version());
    System.out.print(AgentOption.help());
  }

  private static String version() {
    String version = Agent.class.getPackage().getImplementationVersion();
    return version == null ? "(unknown version)" : version;
  }
}
