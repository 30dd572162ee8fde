package dev.rockpool.agent;

import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.List;
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
      CallSiteTransformer callSites,
      List<JdkMethodTransformer> jdkMethods,
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
      CallSiteTransformer callSites = install(AgentOptions.parse(options), instrumentation);
      if (callSites.hasWork()) {
        LoadedClasses loaded = new LoadedClasses(instrumentation);
        loaded.retransform(
            LoadedClasses.withCallSites(loaded.matching(callSites::covers), callSites::mayRewrite));
      }
    } catch (IllegalArgumentException | IllegalStateException refused) {
      // The one who attaches may be told less than this, depending on the JDK.
      Console.print(String.valueOf(refused.getMessage()));
      throw refused;
    }
  }

  private static synchronized CallSiteTransformer install(
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
    CallSiteTransformer callSites = new CallSiteTransformer(options, pooled, sites);
    List<JdkMethodTransformer> jdkMethods = new ArrayList<>();
    if (options.linker()) {
      jdkMethods.add(new JdkMethodTransformer(JdkMethod.LINKER, options.verbose(), pooled));
    }
    if (options.direct()) {
      jdkMethods.add(new JdkMethodTransformer(JdkMethod.CLEANER, options.verbose(), pooled));
    }
    installed = new Installed(instrumentation, callSites, jdkMethods, sites != null);
    if (callSites.hasWork()) {
      instrumentation.addTransformer(callSites, true);
    }
    jdkMethods.forEach(method -> method.install(instrumentation));
    return callSites;
  }

  /**
   * Takes the agent out again: classes go back to what they were, and the next {@code
   * Arena.ofConfined()} is the JDK's. Arenas that are open stay pooled until they are closed, and
   * direct buffers ours until nothing can reach them: by hand they can't be freed any more. A
   * recording that the agent started ends. Does nothing if the agent is not there.
   */
  public static synchronized void uninstall() {
    Installed gone = installed;
    if (gone == null) {
      return;
    }
    installed = null;
    Instrumentation instrumentation = gone.instrumentation();
    if (instrumentation.removeTransformer(gone.callSites())) {
      LoadedClasses loaded = new LoadedClasses(instrumentation);
      loaded.retransform(loaded.matching(gone.callSites()::hasRewritten));
    }
    gone.jdkMethods().forEach(method -> method.remove(instrumentation));
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
