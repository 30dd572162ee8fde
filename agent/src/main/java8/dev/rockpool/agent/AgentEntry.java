package dev.rockpool.agent;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.security.CodeSource;
import org.jspecify.annotations.Nullable;

/**
 * Where the JVM enters: {@code -javaagent:rockpool-agent.jar[=options]}, or attach to a running
 * JVM. {@code java -jar rockpool-agent.jar} prints the options.
 *
 * <p>Compiled for Java 8, and names no other class of the agent: a fleet may give the agent to all
 * of its JVMs, and those too old for it have to run their programs. Whether a JVM is too old, the
 * JVM itself says when it is given a class.
 */
public final class AgentEntry {
  private static final String AGENT = "dev.rockpool.agent.Agent";

  /** Nearly always enough for a line to be out before the program goes on. */
  private static final long PATIENCE_MILLIS = 1000;

  private static final String TOO_OLD =
      "needs Java 25 or newer, this is " + System.getProperty("java.version");

  private AgentEntry() {}

  /** Keeps the agent out, or lets it in, whoever gave it to the JVM. The first one given counts. */
  enum Switch {
    PROPERTY("System property", "rockpool.agent"),
    VARIABLE("Environment variable", "ROCKPOOL_AGENT");

    private final String kind;
    private final String key;

    Switch(String kind, String key) {
      this.kind = kind;
      this.key = key;
    }

    /** In words. */
    String kind() {
      return kind;
    }

    /** The name as the user writes it. */
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
   * @param options what stands behind the jar and {@code =}, or null
   * @param instrumentation the JVM's services for agents
   * @throws Exception never, as the agent itself sees to that
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
   * Called by the JVM when the agent is attached to it.
   *
   * @param options what was passed with the attach, or null
   * @param instrumentation the JVM's services for agents
   * @throws IllegalArgumentException if an option is not accepted; nothing was changed then
   * @throws IllegalStateException if the agent is there already with other options, switched off,
   *     too new for this JVM, or shadowed by a class of the program's
   * @throws Exception if the agent failed; nothing was changed then
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

  /** The agent, or null where this JVM is too old for it. */
  private static @Nullable Class<?> agent() throws ClassNotFoundException {
    try {
      return Class.forName(AGENT);
    } catch (UnsupportedClassVersionError tooOld) {
      return null;
    }
  }

  /**
   * Whether the class is not from where this one is. The JVM appends an agent's jar to the class
   * path, so classes of the same names that stand before it are found first.
   */
  private static boolean isShadowed(Class<?> agent) {
    return !place(agent).equals(place(AgentEntry.class));
  }

  /** As text: to compare URLs may ask the network for a host. */
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

  /** A value that is neither on nor off is reported, and counts as not given. */
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

  /** Throws nothing where standard error blocks: to the JVM, which prints that, it would, too. */
  private static void refuse(String message) {
    if (print(message)) {
      throw new IllegalStateException(message);
    }
  }

  /**
   * Prints by a thread of ours: where standard error is the program's, it may never return.
   *
   * @return false if it has not returned yet
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
