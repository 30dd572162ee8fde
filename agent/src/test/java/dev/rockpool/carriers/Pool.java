package dev.rockpool.carriers;

import java.lang.foreign.Arena;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/**
 * A pool, from inside; nothing here cleans up, as {@code ArenaPool.statistics()} would. Needs
 * {@code --add-opens java.base/jdk.internal.foreign=ALL-UNNAMED}.
 */
enum Pool {
  OF_THE_AGENT("jdk.internal.foreign.RockpoolBlockPool$Shared"),
  OF_THE_LIBRARY("dev.rockpool.arena.BlockPool$Shared");

  private static final String[] HOUSEKEEPERS = {
    "jdk.internal.foreign.RockpoolHousekeeper", "dev.rockpool.internal.Housekeeper"
  };

  private final Object memory;

  Pool(String owner) {
    try {
      Field found = find(owner).getDeclaredField("POOL");
      found.setAccessible(true);
      memory = call(found.get(null), "memory");
    } catch (ReflectiveOperationException otherName) {
      throw new LinkageError(owner, otherName);
    }
  }

  /** Those of the agent are where every program finds them, once there was an arena. */
  private static Class<?> find(String name) throws ClassNotFoundException {
    Arena.ofConfined().close();
    return Class.forName(name, true, Pool.class.getClassLoader());
  }

  int threads() {
    return ((Map<?, ?>) field(memory, "threads")).size();
  }

  void checkInvariants() {
    call(memory, "checkInvariants");
  }

  private static Object field(Object target, String name) {
    try {
      Field found = target.getClass().getDeclaredField(name);
      found.setAccessible(true);
      return found.get(target);
    } catch (ReflectiveOperationException otherName) {
      throw new LinkageError(name, otherName);
    }
  }

  private static Object call(Object target, String method) {
    try {
      Method found = target.getClass().getDeclaredMethod(method);
      found.setAccessible(true);
      return found.invoke(target);
    } catch (InvocationTargetException thrown) {
      throw new AssertionError(thrown.getCause());
    } catch (ReflectiveOperationException otherName) {
      throw new LinkageError(method, otherName);
    }
  }

  /** Waits until the housekeepers have done all that they do, from now on. */
  static void awaitHousekeepers() throws Exception {
    for (String housekeeper : HOUSEKEEPERS) {
      CountDownLatch round = new CountDownLatch(1);
      BooleanSupplier last =
          () -> {
            round.countDown();
            return false;
          };
      Method add = find(housekeeper).getDeclaredMethod("add", BooleanSupplier.class);
      add.setAccessible(true);
      add.invoke(null, last);
      round.await();
    }
  }

  /** Whether arenas of the program come from the agent's pool. */
  static void checkAgent() {
    try (Arena arena = Arena.ofConfined()) {
      if (!arena.getClass().getName().startsWith("jdk.internal.foreign.Rockpool")) {
        throw new AssertionError("not under the agent: " + arena.getClass());
      }
    }
  }
}
