package dev.rockpool.agent;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.security.CodeSource;
import org.jspecify.annotations.Nullable;

/**
 * The entry point of the agent: {@code -javaagent:rockpool-agent.jar[=options]}, or attach to a
 * running JVM. {@code java -jar rockpool-agent.jar} prints the options.
 *
 * <p>Compiled for Java 8, and names no other class of the agent. A fleet may give the agent to all
 * of its JVMs, so a JVM too old for the agent must still run its program. The JVM itself tells
 * whether it is too old, when it loads class {@code Agent}.
 */
public final class AgentEntry {
  private static final String AGENT = "dev.rockpool.agent.Agent";

  /** Nearly always long enough for a line to be printed before the program goes on. */
  private static final long PATIENCE_MILLIS = 1000;

  private static final String TOO_OLD =
      "needs Java 25 or newer, this is " + System.getProperty("java.version");

  private AgentEntry() {}

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

  private static final String SHADOWED =
      "a class of the program's shadows the agent's own, "
          + AGENT
          + "; the program runs on without";

  /**
   * Called by the JVM before the program's main method.
   *
   * @param options the text after the jar and {@code =}, or null
   * @param instrumentation the JVM's services for agents
   * @throws Exception never, because the agent catches all failures
   */
  public static void premain(@Nullable String options, Instrumentation instrumentation)
      throws Exception {
    if (isOff()) {
      return;
    }
    Class<?> agent = agent();
    if (agent == null) {
      print(TOO_OLD + "; the program runs on without it");
      return;
    }
    if (isShadowed(agent)) {
      print(SHADOWED);
      return;
    }
    call(agent, "premain", options, instrumentation);
  }

  /**
   * Called by the JVM when the agent is attached.
   *
   * @param options the text passed with the attach, or null
   * @param instrumentation the JVM's services for agents
   * @throws IllegalArgumentException if an option is not accepted; nothing was changed then
   * @throws IllegalStateException if the agent is switched off, too new for this JVM, or shadowed
   *     by a class of the program's; if it is there already with other options, or was there with
   *     another option {@code check}; if an install or uninstall is under way; or if an uninstall
   *     leaves transformers behind
   * @throws Exception if the agent failed; classes may stay rewritten then
   */
  public static void agentmain(@Nullable String options, Instrumentation instrumentation)
      throws Exception {
    Class<?> agent = agent();
    if (agent == null) {
      refuse(TOO_OLD + "; the program runs on without it");
    } else if (isShadowed(agent)) {
      refuse(SHADOWED);
    } else if (isOff() && !"uninstall".equals(options)) {
      refuse("The agent is switched off in this JVM; the program runs on without it");
    } else {
      call(agent, "agentmain", options, instrumentation);
    }
  }

  /**
   * Prints version and options.
   *
   * @param arguments not used
   * @throws Exception never
   */
  public static void main(String[] arguments) throws Exception {
    Class<?> agent = agent();
    if (agent == null) {
      System.err.println("[rockpool] " + TOO_OLD);
      System.exit(1);
    } else {
      agent.getDeclaredMethod("main").invoke(null);
    }
  }

  /** Returns class Agent, or null if this JVM is too old for it. */
  private static @Nullable Class<?> agent() throws ClassNotFoundException {
    try {
      return Class.forName(AGENT);
    } catch (UnsupportedClassVersionError tooOld) {
      return null;
    }
  }

  /**
   * Whether class Agent comes from another place than this class. The JVM appends an agent's jar to
   * the class path, so classes of the same name that are earlier on the path are found first.
   */
  private static boolean isShadowed(Class<?> agent) {
    return !place(agent).equals(place(AgentEntry.class));
  }

  /** Returns a class's origin as text, because comparing URLs may look up hosts in the network. */
  private static String place(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source == null ? "" : String.valueOf(source.getLocation());
  }

  private static void call(
      Class<?> agent, String name, @Nullable String options, Instrumentation instrumentation)
      throws Exception {
    Method method = agent.getDeclaredMethod(name, String.class, Instrumentation.class);
    try {
      method.invoke(null, options, instrumentation);
    } catch (InvocationTargetException thrown) {
      Throwable cause = thrown.getCause();
      if (cause instanceof Error) {
        throw (Error) cause;
      }
      throw cause instanceof Exception ? (Exception) cause : thrown;
    }
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
        print(
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
