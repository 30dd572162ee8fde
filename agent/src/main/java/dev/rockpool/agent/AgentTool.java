package dev.rockpool.agent;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The agent's table of settings and its parser, in a JVM that the agent is not to change: for
 * {@code java -jar rockpool-agent.jar}, and for {@code ./rockpool}, which calls this by reflection.
 *
 * <p>A class loader of its own defines the classes that would be defined in java.base. It does not
 * ask its parent first, because the agent may be in this JVM, too.
 */
final class AgentTool extends ClassLoader {
  private final Map<String, byte[]> classes;

  private AgentTool(Map<String, byte[]> classes) {
    super(null);
    this.classes = classes;
  }

  static String help() {
    return run("help", new Class<?>[0]);
  }

  /**
   * Checks options for any JVM.
   *
   * @param folder the JVM's working directory
   * @param pid its process id
   * @return the options as the agent shows them
   * @throws IllegalArgumentException with a message for the user, if they are not accepted
   */
  static String accepted(@Nullable String options, String folder, long pid) {
    return run(
        "accepted", new Class<?>[] {String.class, String.class, long.class}, options, folder, pid);
  }

  private static String run(String method, Class<?>[] types, @Nullable Object... arguments) {
    try {
      Map<String, byte[]> classes = AgentInJavaBase.classes("agent");
      String options = (LibraryInJavaBase.CLOSED + "AgentOptions").replace('/', '.');
      Method found = new AgentTool(classes).loadClass(options).getDeclaredMethod(method, types);
      found.setAccessible(true);
      return (String) found.invoke(null, arguments);
    } catch (InvocationTargetException thrown) {
      if (thrown.getCause() instanceof IllegalArgumentException refused) {
        throw refused;
      }
      throw new IllegalStateException(thrown);
    } catch (IOException | ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    byte[] classFile = classes.get(name.replace('.', '/'));
    if (classFile == null) {
      return super.loadClass(name, resolve);
    }
    Class<?> known = findLoadedClass(name);
    return known != null ? known : defineClass(name, classFile, 0, classFile.length);
  }
}
