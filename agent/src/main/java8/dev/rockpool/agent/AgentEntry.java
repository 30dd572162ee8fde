package dev.rockpool.agent;

import java.lang.instrument.Instrumentation;
import java.security.CodeSource;
import org.jspecify.annotations.Nullable;

/**
 * The entry point of the agent: {@code -javaagent:rockpool-agent.jar[=options]}, or attach to a
 * running JVM. {@code java -jar rockpool-agent.jar} prints the options.
 *
 * <p>Compiled for Java 8. A fleet may give the agent to all of its JVMs, so a JVM too old for the
 * agent must still run its program. The JVM itself tells whether it is too old, when it loads class
 * {@code AgentInJavaBase}.
 */
public final class AgentEntry {
  /** The system property that switches the agent off or on in a JVM. */
  static final String PROPERTY = "rockpool.agent";

  /** The environment variable that does so where the property does not. */
  static final String VARIABLE = "ROCKPOOL_AGENT";

  /** Nearly always long enough for a line to be printed before the program goes on. */
  private static final long PATIENCE_MILLIS = 1000;

  private static final String TOO_OLD =
      "needs Java 25 or newer, this is "
          + System.getProperty("java.version")
          + "; the program runs on without it";

  private static final String SHADOWED =
      "a class of the program's shadows the agent's own, dev.rockpool.agent.AgentInJavaBase;"
          + " the program runs on without Rockpool";

  private AgentEntry() {}

  /**
   * Called by the JVM before the program's main method.
   *
   * @param options the text after the jar and {@code =}, or null
   * @param instrumentation the JVM's services for agents
   */
  public static void premain(@Nullable String options, Instrumentation instrumentation) {
    try {
      if (isSwitchedOff()) {
        return;
      }
      if (isShadowed()) {
        print(SHADOWED);
      } else {
        AgentInJavaBase.run("premain", options, version(), instrumentation);
      }
    } catch (UnsupportedClassVersionError tooOld) {
      print(TOO_OLD);
    } catch (Throwable failure) {
      // Thrown on, this would end the JVM, and the program never began.
      print("the agent failed, and the program runs on without Rockpool: " + failure);
    }
  }

  /**
   * Called by the JVM when the agent is attached.
   *
   * @param options the text passed with the attach, or null
   * @param instrumentation the JVM's services for agents
   * @throws IllegalArgumentException if an option is not accepted; nothing was changed then
   * @throws IllegalStateException if the agent is switched off, too new for this JVM, or shadowed
   *     by a class of the program's; if it is there already with other options, or was there with
   *     another option {@code check}; or if an uninstall leaves its transformer behind
   * @throws Exception if the agent failed; classes may stay rewritten then
   */
  public static void agentmain(@Nullable String options, Instrumentation instrumentation)
      throws Exception {
    try {
      if (isShadowed()) {
        refuse(SHADOWED);
      } else if (!"uninstall".equals(options) && isSwitchedOff()) {
        refuse("The agent is switched off in this JVM; the program runs on without it");
      } else {
        AgentInJavaBase.run("agentmain", options, version(), instrumentation);
      }
    } catch (UnsupportedClassVersionError tooOld) {
      refuse(TOO_OLD);
    }
  }

  /**
   * Prints version and options.
   *
   * @param arguments not used
   */
  public static void main(String[] arguments) {
    try {
      String options = AgentInJavaBase.help();
      System.out.println("Rockpool agent " + version());
      System.out.print(options);
    } catch (UnsupportedClassVersionError tooOld) {
      System.err.println("[rockpool] " + TOO_OLD);
      System.exit(1);
    }
  }

  private static String version() {
    String version = AgentEntry.class.getPackage().getImplementationVersion();
    return version == null ? "(unknown version)" : version;
  }

  /** Whether the agent is switched off. The first setting that is on or off counts. */
  private static boolean isSwitchedOff() {
    String value = System.getProperty(PROPERTY);
    if (!isOnOrOff("System property " + PROPERTY, value)) {
      value = System.getenv(VARIABLE);
      isOnOrOff("Environment variable " + VARIABLE, value);
    }
    return "off".equals(value);
  }

  /** Reports other values. */
  private static boolean isOnOrOff(String setting, @Nullable String value) {
    if (value == null || value.equals("on") || value.equals("off")) {
      return value != null;
    }
    print(setting + " must be on or off, and is ignored: \"" + value + "\"");
    return false;
  }

  /**
   * Whether class AgentInJavaBase comes from another place than this class. The JVM appends an
   * agent's jar to the class path, so classes of the same name that are earlier on the path are
   * found first.
   */
  private static boolean isShadowed() {
    return !place(AgentInJavaBase.class).equals(place(AgentEntry.class));
  }

  /** Returns a class's origin as text, because comparing URLs may look up hosts in the network. */
  private static String place(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source == null ? "" : String.valueOf(source.getLocation());
  }

  /** Throws unless standard error blocks: the JVM prints the exception, and would block, too. */
  private static void refuse(String message) {
    if (print(message)) {
      throw new IllegalStateException(message);
    }
  }

  /**
   * Prints on a thread of our own, because the program's standard error may never return.
   *
   * @return false if standard error has not returned yet
   */
  private static boolean print(String message) {
    Thread printer = new Thread(new Line(message), "rockpool-notice");
    printer.setDaemon(true);
    printer.start();
    try {
      printer.join(PATIENCE_MILLIS);
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
    }
    return !printer.isAlive();
  }

  private static final class Line implements Runnable {
    private final String message;

    Line(String message) {
      this.message = message;
    }

    @Override
    public void run() {
      System.err.println("[rockpool] " + message);
    }
  }
}
