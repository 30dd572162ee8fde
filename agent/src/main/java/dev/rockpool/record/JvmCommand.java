package dev.rockpool.record;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * A diagnostic command of this JVM, such as {@code System.map}. Not called by JMX, because that
 * would start the platform's MBean server.
 */
public final class JvmCommand {
  /** The agent opens the package to java.base. */
  private static final String COMMANDS = "com.sun.management.internal.DiagnosticCommandImpl";

  /** Loads the native library of the commands. */
  private static final String LIBRARY = "com.sun.management.internal.PlatformMBeanProviderImpl";

  private JvmCommand() {}

  /** Returns what the command says, or nothing if there is none of that name. */
  public static String run(String command) {
    try {
      Class.forName(LIBRARY);
      Class<?> commands = Class.forName(COMMANDS);
      Method instance = commands.getDeclaredMethod("getDiagnosticCommandMBean");
      Method execute = commands.getDeclaredMethod("executeDiagnosticCommand", String.class);
      instance.setAccessible(true);
      execute.setAccessible(true);
      return String.valueOf(execute.invoke(instance.invoke(null), command));
    } catch (InvocationTargetException failed) {
      if (failed.getCause() instanceof Error error) {
        throw error;
      }
      return "";
    } catch (ReflectiveOperationException | RuntimeException otherJdk) {
      return "";
    }
  }
}
