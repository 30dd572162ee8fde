package dev.rockpool.agent;

import java.lang.instrument.Instrumentation;
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

  private static final String TOO_OLD =
      "needs Java 25 or newer, this is "
          + System.getProperty("java.version")
          + "; the program runs on without it";

  private AgentEntry() {}

  /**
   * Called by the JVM before the program's main method.
   *
   * @param options the text after the jar and {@code =}, or null
   * @param instrumentation the JVM's services for agents
   */
  public static void premain(@Nullable String options, Instrumentation instrumentation) {
    try {
      if (!isSwitchedOff()) {
        AgentInJavaBase.run("premain", options, version(), instrumentation);
      }
    } catch (UnsupportedClassVersionError tooOld) {
      print(TOO_OLD);
    } catch (Exception | LinkageError failure) {
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
   * @throws IllegalStateException if the agent is switched off, or too new for this JVM; if it is
   *     there already with other options, or was there with another option {@code check}; or if an
   *     uninstall leaves its transformer behind
   * @throws Exception if the agent failed; classes may stay rewritten then
   */
  public static void agentmain(@Nullable String options, Instrumentation instrumentation)
      throws Exception {
    try {
      if (!"uninstall".equals(options) && isSwitchedOff()) {
        throw refused("The agent is switched off in this JVM; the program runs on without it");
      }
      AgentInJavaBase.run("agentmain", options, version(), instrumentation);
    } catch (UnsupportedClassVersionError tooOld) {
      throw refused(TOO_OLD);
    }
  }

  /**
   * Prints version and settings.
   *
   * @param arguments not used
   */
  public static void main(String[] arguments) {
    try {
      String settings = AgentTool.help();
      System.out.println("Rockpool agent " + version());
      System.out.print(settings);
    } catch (UnsupportedClassVersionError tooOld) {
      print(TOO_OLD);
      System.exit(1);
    }
  }

  private static String version() {
    String version = AgentEntry.class.getPackage().getImplementationVersion();
    return version == null ? "(unknown version)" : version;
  }

  /** Whether the agent is switched off. The first setting that is on or off counts. */
  private static boolean isSwitchedOff() {
    String value = onOrOff("System property " + PROPERTY, System.getProperty(PROPERTY));
    if (value == null) {
      value = onOrOff("Environment variable " + VARIABLE, System.getenv(VARIABLE));
    }
    return "off".equals(value);
  }

  /** Returns the value if it is on or off, and null otherwise; reports other values. */
  private static @Nullable String onOrOff(String setting, @Nullable String value) {
    if (value == null || value.equals("on") || value.equals("off")) {
      return value;
    }
    print(setting + " must be on or off, and is ignored: \"" + value + "\"");
    return null;
  }

  /** Prints the message, too, because some JDKs pass less on to the attaching process. */
  private static IllegalStateException refused(String message) {
    print(message);
    return new IllegalStateException(message);
  }

  private static void print(String message) {
    System.err.println("[rockpool] " + message);
  }
}
