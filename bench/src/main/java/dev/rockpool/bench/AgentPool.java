package dev.rockpool.bench;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The library in the agent: classes in java.base, which no source can name. */
final class AgentPool {
  private static final String PREFIX = "java.lang.foreign.Rockpool";

  private AgentPool() {}

  /** Whether virtual threads are served from the slabs of their carriers. */
  static boolean reachesCarriers() {
    return (boolean) callStatic("Carrier", "isReachable");
  }

  /** How many arenas were served from slabs, and closed. */
  static long servedFromSlab() {
    Object statistics = call(callStatic("ArenaPool", "shared"), "statistics");
    return (long) call(statistics, "servedFromSlab");
  }

  private static Object callStatic(String className, String method) {
    try {
      return call(Class.forName(PREFIX + className), null, method);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("There is no agent", e);
    }
  }

  private static Object call(Object target, String method) {
    return call(target.getClass(), target, method);
  }

  private static Object call(Class<?> type, @Nullable Object target, String method) {
    try {
      return Objects.requireNonNull(type.getMethod(method).invoke(target));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("The agent is not of this build: " + type, e);
    }
  }
}
